import { invalid } from '../../domain/kernel/errors.ts'
import type { OwnPreferences } from '../../domain/subscribers/public/schema.ts'
import { labelsFor } from '../../languages/labels.ts'
import type { LabelKey } from '../../languages/texts.ts'

/** The names of the fields of the form. Each subscription has its own fields, by its position. */
export const fieldNames = {
  locale: 'locale',
  time_zone: 'time_zone',
  frequency: 'frequency',
  parts: 'parts',
  id: (part: number) => `id.${part}`,
  scope: (part: number) => `scope.${part}`,
  items: (part: number) => `items.${part}`,
  view: (part: number) => `view.${part}`,
  kinds: (part: number) => `kinds.${part}`,
  enabled: (part: number) => `enabled.${part}`,
}

const MOST_PARTS = 50

/** One subscription, as the form shows it. */
export interface Part {
  id?: number | undefined
  scope: { kind: string; items?: { id: number }[] | undefined; view_id?: number | undefined; name?: string | undefined }
  event_kinds: string[]
  enabled: boolean
}

/** The form as the body of the API. */
export function readPreferences(fields: URLSearchParams): Record<string, unknown> {
  const chosen = (name: string) => fields.get(name) || null
  const parts = partsIn(fields)
  return {
    locale: chosen(fieldNames.locale),
    time_zone: chosen(fieldNames.time_zone),
    ...(fields.has(fieldNames.frequency) ? { frequency: fields.get(fieldNames.frequency) } : {}),
    ...(parts.length > 0 ? { subscriptions: parts.map(bodyOf) } : {}),
  }
}

/** The preferences with the entries of a form that was not saved. */
export function withEntries(
  view: OwnPreferences,
  fields: URLSearchParams,
): Omit<OwnPreferences, 'subscriptions'> & { subscriptions: Part[] } {
  const { locale, time_zone, frequency } = Object.fromEntries(fields)
  const stored = new Map(view.subscriptions.map((one) => [one.id, one.scope]))
  const subscriptions = partsIn(fields).map((part) => {
    const { view_id, name } = stored.get(part.id ?? 0) ?? {}
    return { ...part, scope: { ...part.scope, view_id, name } }
  })
  const subscriber = {
    ...view.subscriber,
    ...{ locale: locale || null, time_zone: time_zone || null },
    frequency: frequency === 'daily' ? ('daily' as const) : ('immediate' as const),
  }
  return { ...view, subscriber, subscriptions }
}

function partsIn(fields: URLSearchParams): Part[] {
  const count = Number(fields.get(fieldNames.parts) ?? 0)
  const length = Number.isInteger(count) ? Math.min(Math.max(count, 0), MOST_PARTS) : 0
  return Array.from({ length }, (_, part) => {
    const id = fields.get(fieldNames.id(part))
    const view = fields.get(fieldNames.view(part))
    const items = fields.getAll(fieldNames.items(part)).map((item) => ({ id: Number(item) }))
    return {
      ...(id ? { id: Number(id) } : {}),
      scope: {
        kind: fields.get(fieldNames.scope(part)) ?? 'page',
        items,
        view_id: view === null ? undefined : Number(view),
      },
      event_kinds: fields.getAll(fieldNames.kinds(part)),
      enabled: fields.has(fieldNames.enabled(part)),
    }
  })
}

function bodyOf({ scope: { kind, items = [], view_id }, ...part }: Part) {
  if (part.event_kinds.length === 0) throw mistake('subscription.manage.no_kinds')
  if (kind === 'items' && items.length === 0) throw mistake('subscription.manage.no_items')
  return { ...part, scope: kind === 'items' ? { kind, items } : kind === 'view' ? { kind, view_id } : { kind: 'page' } }
}

/** A mistake that the form shows in the language of the subscriber, by its label. */
function mistake(label: LabelKey) {
  const problem = invalid([{ path: '', message: labelsFor('en').text(label) }])
  problem.details.label = label
  return problem
}
