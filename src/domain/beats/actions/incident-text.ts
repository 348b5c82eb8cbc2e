import { labelsFor } from '../../../languages/labels.ts'
import { shownUrl } from '../../../outbound/secret-rules.ts'
import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { LocalizedVariant } from '../../../persistence/entities/localized-variant.ts'
import { Preset } from '../../../persistence/entities/preset.ts'
import { withAncestors } from '../../../persistence/hierarchy.ts'
import { levelNames } from '../../hierarchy/rules.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { render } from '../../presets/rules.ts'
import { settingsOf } from '../../settings/stored.ts'
import { languagesOf } from '../../translations/languages.ts'
import { wordsFor } from '../../translations/read.ts'
import type { Owner } from '../definition/owner.ts'
import { type MessagePolicies, policyStageOf } from '../definition/policies.ts'
import type { Stage } from '../stage/stage-rules.ts'
import { bounded, defaultText } from './incident-text-rules.ts'

export interface IncidentText {
  title: string
  body: string
  /** The published translations of the message policy and its preset, and the default text in the languages of the page. */
  translations: { locale: string; title?: string; body?: string }[]
}

const fields = ['title', 'body'] as const
type Field = (typeof fields)[number]

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
  const { original, offered } = await languagesOf(work.tx)
  const words = await namesIn(work, items, offered)
  const plainIn = (locale: string) => {
    const named = owner.items.flatMap((id) => words(locale, id) ?? items.get(id)?.name ?? [])
    return defaultText(transition.to_stage as Stage, { names: named, freetext: freetextOf(owner) }, labelsFor(locale))
  }
  const { own, variants: written } = await sourcesOf(work, owner, transition.to_stage)
  const variants = withDefaults(written, {
    own,
    locales: offered.filter((locale) => hasOwnText(locale, original)),
    plainIn,
  })
  const fill = (field: Field, text: string | undefined, locale = original) =>
    bounded(field, render(text ?? '', values), plainIn(locale)[field])
  return {
    title: fill('title', own.title),
    body: fill('body', own.body),
    translations: variants.map(({ locale, ...texts }) => {
      const filled = fields.flatMap((field) => (texts[field] ? [[field, fill(field, texts[field], locale)]] : []))
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
type Variants = ({ locale: string } & Text)[]

/** A language without a catalogue would only repeat the English text. */
function hasOwnText(locale: string, original: string): boolean {
  const { language } = labelsFor(locale)
  return locale.toLowerCase().startsWith(language) && language !== labelsFor(original).language
}

interface Defaults {
  own: Text
  locales: string[]
  plainIn(locale: string): Required<Text>
}

/** Adds the default text to the languages of the page for each field whose original is the default text. */
function withDefaults(variants: Variants, { own, locales, plainIn }: Defaults): Variants {
  const all = [...new Set([...variants.map(({ locale }) => locale), ...locales])]
  return all
    .map((locale) => {
      const texts = variants.find((one) => one.locale === locale)
      const plain = locales.includes(locale) ? chosen((field) => (own[field] ? undefined : plainIn(locale)[field])) : {}
      return { ...plain, ...texts, locale }
    })
    .filter((variant) => Object.keys(variant).length > 1)
}

/** The published names of items by language. */
async function namesIn({ tx }: WorkContext, items: Map<number, { id: number }>, locales: string[]) {
  const readings = await Promise.all(
    locales.map(async (language) => {
      const words = await wordsFor(tx, { language, translated: true }, { item: [...items.values()] })
      return [language, words] as const
    }),
  )
  const byLocale = new Map(readings)
  return (locale: string, id: number) => byLocale.get(locale)?.('item', id).name
}

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

const chosen = (find: (field: Field) => string | undefined): Text =>
  Object.fromEntries(fields.flatMap((field) => (find(field) ? [[field, find(field)]] : [])))

const published = ({ tx }: WorkContext, subject_kind: string, subject_id: number) =>
  tx.find(LocalizedVariant, { subject_kind, subject_id, state: 'published' }, { orderBy: { locale: 'asc' } })
