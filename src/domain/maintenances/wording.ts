import { LocalizedVariant } from '../../persistence/entities/localized-variant.ts'
import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { Page } from '../../persistence/entities/page.ts'
import { Preset } from '../../persistence/entities/preset.ts'
import { withAncestors } from '../../persistence/hierarchy.ts'
import { levelNames } from '../hierarchy/rules.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { render } from '../presets/rules.ts'
import { dateLocale } from '../settings/rules.ts'
import type { Settings } from '../settings/schema.ts'
import { settingsOf } from '../settings/stored.ts'
import { itemNamesIn } from '../translations/item-names.ts'

import { defaultMessages, type Transition } from './rules.ts'

export interface PreparedMessage {
  message: string
  /** The translations. */
  variants: { locale: string; message: string }[]
}

const ownField = {
  in_progress: 'auto_transition_start_message',
  completed: 'auto_transition_complete_message',
} as const

const presetFlag = {
  in_progress: 'auto_post_on_maintenance_start',
  completed: 'auto_post_on_maintenance_completion',
} as const

/** The message of a transition without one: the maintenance's own message, or the preset of the page, or a default. */
export async function preparedMessage(
  work: WorkContext,
  maintenance: Maintenance,
  to: Transition,
): Promise<PreparedMessage> {
  const source = to === 'cancelled' ? undefined : await sourceOf(work, maintenance, to)
  if (!source) return { message: defaultMessages[to], variants: [] }
  const settings = await settingsOf(work.tx)
  const namesIn = await namesOf(
    work,
    maintenance,
    source.variants.map(({ locale }) => locale),
  )
  const fill = (text: string, title: string, dates: string[], locale?: string) =>
    render(text, {
      ...namesIn(locale),
      'Maintenance-Title': title,
      ...timesOf(maintenance, settings, dateLocale(...dates)),
    }).trim()
  const titles = new Map((await published(work, 'maintenance', maintenance.id)).map((one) => [one.locale, one.values]))
  const supported = settings.supported_locales
  const variants = source.variants
    .filter(({ locale }) => supported.length === 0 || supported.includes(locale))
    .map(({ locale, text }) => ({
      locale,
      message: fill(text, titles.get(locale)?.title ?? maintenance.title, [locale], locale),
    }))
  return {
    message:
      fill(source.text, maintenance.title, [settings.datetime_locale, settings.document_locale]) || defaultMessages[to],
    variants,
  }
}

interface Source {
  text: string
  variants: { locale: string; text: string }[]
}

async function sourceOf(
  work: WorkContext,
  maintenance: Maintenance,
  to: 'in_progress' | 'completed',
): Promise<Source | undefined> {
  const field = ownField[to]
  const own = maintenance[field]
  if (own) return { text: own, variants: await variantsOf(work, 'maintenance', maintenance.id, field) }
  // Of several presets that are posted automatically, the last changed preset counts.
  const preset = await work.tx.findOne(
    Preset,
    { category: 'maintenance', [presetFlag[to]]: true },
    { orderBy: [{ updated_at: 'desc' }, { id: 'desc' }] },
  )
  return preset ? { text: preset.body, variants: await variantsOf(work, 'preset', preset.id, 'body') } : undefined
}

const published = ({ tx }: WorkContext, subject_kind: string, subject_id: number) =>
  tx.find(LocalizedVariant, { subject_kind, subject_id, state: 'published' }, { orderBy: { locale: 'asc' } })

async function variantsOf(work: WorkContext, kind: string, id: number, field: string) {
  const variants = await published(work, kind, id)
  return variants.flatMap(({ locale, values }) => (values[field] ? [{ locale, text: values[field] }] : []))
}

/** The names of the page and of the items; those of the items in each of these languages. */
async function namesOf({ tx, pageId }: WorkContext, maintenance: Maintenance, locales: string[]) {
  const page = await tx.findOneOrFail(Page, { id: pageId })
  const affected = await tx.find(MaintenanceItem, { maintenance_id: maintenance.id }, { orderBy: { id: 'asc' } })
  const ids = affected.map(({ item_id }) => item_id)
  const items = await withAncestors(tx, ids)
  const translated = await itemNamesIn(tx, [...items.values()], locales)
  return (locale: string | undefined): Record<string, string> => {
    const named = translated(locale)
    const levels = levelNames(ids, named).map((names, index) => [`impacted-level-${index + 1}`, names.join(', ')])
    return {
      'Page-Name': page.name,
      'Hierarchy-Item-Name': ids.map((id) => named.get(id)?.name).join(', '),
      ...Object.fromEntries(levels),
    }
  }
}

function timesOf(
  { scheduled_start_time: start, scheduled_end_time: end }: Maintenance,
  { reliability_policy_timezone: timeZone }: Settings,
  locale: string,
): Record<string, string> {
  const format = new Intl.DateTimeFormat(locale, {
    ...{ timeZone, day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  })
  return {
    ...(start ? { 'Scheduled-Start': format.format(start) } : {}),
    ...(end ? { 'Scheduled-End': format.format(end) } : {}),
  }
}
