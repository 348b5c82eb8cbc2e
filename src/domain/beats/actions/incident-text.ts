import { shownUrl } from '../../../outbound/secret-rules.ts'
import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { LocalizedVariant } from '../../../persistence/entities/localized-variant.ts'
import { Preset } from '../../../persistence/entities/preset.ts'
import { withAncestors } from '../../../persistence/hierarchy.ts'
import { levelNames } from '../../hierarchy/rules.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { render } from '../../presets/rules.ts'
import { settingsOf } from '../../settings/stored.ts'
import type { Owner } from '../definition/owner.ts'
import { type MessagePolicies, policyStageOf } from '../definition/policies.ts'
import type { Stage } from '../stage/stage-rules.ts'
import { bounded, defaultText } from './incident-text-rules.ts'

export interface IncidentText {
  title: string
  body: string
  /** The published translations of the message policy and its preset. */
  translations: { locale: string; title?: string; body?: string }[]
}

const fields = ['title', 'body'] as const

/** The text for a transition, by field: the message policy, else its preset, else the default text. */
export async function textFor(work: WorkContext, owner: Owner, transition: BeatTransition): Promise<IncidentText> {
  const items = await withAncestors(work.tx, owner.items)
  const names = owner.items.flatMap((id) => items.get(id)?.name ?? [])
  const levels = levelNames(owner.items, items).map((named, index) => [`impacted-level-${index + 1}`, named.join(', ')])
  const values = {
    ...valuesOf(owner, transition),
    'Hierarchy-Item-Name': names.join(', '),
    ...Object.fromEntries(levels),
  }
  const plain = defaultText(transition.to_stage as Stage, { names, freetext: freetextOf(owner) })
  const { own, variants } = await sourcesOf(work, owner, transition.to_stage)
  const fill = (field: (typeof fields)[number], text: string | undefined) =>
    bounded(field, render(text ?? '', values), plain[field])
  return {
    title: fill('title', own.title),
    body: fill('body', own.body),
    translations: variants.map(({ locale, ...texts }) => {
      const filled = fields.flatMap((field) => (texts[field] ? [[field, fill(field, texts[field])]] : []))
      return { locale, ...Object.fromEntries(filled) }
    }),
  }
}

export const freetextOf = ({ record, worstBeat }: Owner) =>
  record.affected_items_freetext ?? worstBeat.affected_items_freetext

function valuesOf(
  { messageSource, worstBeat }: Owner,
  { to_stage, evidence, facts }: BeatTransition,
): Record<string, string> {
  const { url, host } = worstBeat.target as { url?: string; host?: string }
  const text = (value: unknown) => (value === undefined ? '' : String(value))
  return {
    'Monitor-Name': messageSource.record.name,
    'Monitor-Stage': to_stage,
    'Evidence-Summary': evidence,
    'Latest-Latency-Ms': text(facts.latency_ms),
    'Latest-Status-Code': text(facts.status_code),
    'Latest-Region': text(facts.region),
    'Target-Url': url === undefined ? text(host) : shownUrl(url),
  }
}

type Text = { title?: string; body?: string }

/** Field by field: a policy that has a title of its own takes only the body of its preset, in every language. */
async function sourcesOf(work: WorkContext, { messageSource }: Owner, stage: string) {
  const key = policyStageOf(stage)
  const policy = (messageSource.record.message_policies as MessagePolicies)[key]
  const named = policy?.preset_message_id
  const preset = named ? await work.tx.findOne(Preset, { id: named }) : null
  const supported = (await settingsOf(work.tx)).supported_locales
  const texts = new Map<string, Text>()
  const add = (locale: string, text: Text) => {
    if (supported.length === 0 || supported.includes(locale)) texts.set(locale, { ...texts.get(locale), ...text })
  }
  for (const { locale, values } of preset ? await published(work, 'preset', preset.id) : []) {
    add(
      locale,
      chosen((field) => (policy?.[field] ? undefined : values[field])),
    )
  }
  for (const { locale, values } of await published(work, messageSource.kind, messageSource.record.id)) {
    add(
      locale,
      chosen((field) => values[`${key}.${field}`]),
    )
  }
  return {
    own: chosen((field) => policy?.[field] || preset?.[field]),
    variants: [...texts].flatMap(([locale, text]) => (Object.keys(text).length > 0 ? [{ locale, ...text }] : [])),
  }
}

const chosen = (find: (field: (typeof fields)[number]) => string | undefined): Text =>
  Object.fromEntries(fields.flatMap((field) => (find(field) ? [[field, find(field)]] : [])))

const published = ({ tx }: WorkContext, subject_kind: string, subject_id: number) =>
  tx.find(LocalizedVariant, { subject_kind, subject_id, state: 'published' }, { orderBy: { locale: 'asc' } })
