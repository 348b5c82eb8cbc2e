import type { Labels } from '../../../languages/labels.ts'
import type { LabelKey } from '../../../languages/texts.ts'
import { cut } from '../../kernel/text-rules.ts'
import type { Stage } from '../stage/stage-rules.ts'

/** The default text of incidents and updates. Pure: no database. The public reads neither the evidence nor the target by default. */

interface Text {
  title: string
  body: string
}

interface Named {
  /** The names of the affected items. */
  names: string[]
  /** Used without items: one thing or several. */
  freetext?: string | null
}

/** The text in the language of the labels. */
export function defaultText(stage: Stage, { names, freetext }: Named, { text, language }: Labels): Text {
  const items = listed(names, language) || freetext || text('timeline.beat.service')
  const fill = (label: LabelKey) => sentence(text(label, { items }))
  const form = names.length > 1 ? 'many' : names.length === 1 || !freetext ? 'one' : 'text'
  if (stage === 'critical')
    return { title: fill('timeline.beat.critical.title'), body: fill(`timeline.beat.critical.${form}`) }
  if (stage === 'warning')
    return { title: fill('timeline.beat.warning.title'), body: fill('timeline.beat.warning.text') }
  return { title: fill(`timeline.beat.healthy.title_${form}`), body: fill(`timeline.beat.healthy.${form}`) }
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Names in a row: `Search, Checkout and Payments`. */
export const listed = (names: string[], language = 'en') =>
  new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type: 'conjunction' }).format(names)

const LONGEST = { title: 300, body: 20_000 } as const

/** Variables may have made the text too long, or empty. */
export function bounded(field: 'title' | 'body', filled: string, otherwise: string): string {
  const text = (field === 'title' ? filled.replace(/\s+/g, ' ') : filled).trim()
  return cut(text || otherwise, LONGEST[field])
}
