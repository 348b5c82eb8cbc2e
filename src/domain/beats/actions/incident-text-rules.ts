import { cut } from '../../kernel/text-rules.ts'
import type { Stage } from '../stage/stage-rules.ts'

/** The default text of incidents and updates. Pure. The public reads neither the evidence nor the target by default. */

interface Text {
  title: string
  body: string
}

/** `names` are the affected items; without items the text names the freetext, which may be one thing or several. */
export function defaultText(stage: Stage, { names, freetext }: { names: string[]; freetext?: string | null }): Text {
  const what = listed(names) || freetext || 'this service'
  const isCounted = names.length > 0 || !freetext
  const [are, work] = names.length > 1 ? ['are', 'work'] : ['is', 'works']
  if (stage === 'critical') {
    const disrupted = isCounted ? `${sentence(what)} ${are} disrupted.` : `We see a disruption of ${what}.`
    return { title: `Disruption of ${what}`, body: `${disrupted} We are looking into it.` }
  }
  if (stage === 'warning')
    return { title: `Problems with ${what}`, body: `We see problems with ${what} and are looking into them.` }
  if (!isCounted) return { title: `Recovery of ${what}`, body: `The disruption of ${what} is over.` }
  return { title: `${sentence(what)} ${work} again`, body: `${sentence(what)} ${work} again.` }
}

const sentence = (what: string) => what.charAt(0).toUpperCase() + what.slice(1)

/** Names in a row: `Search, Checkout and Payments`. */
export const listed = (names: string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const LONGEST = { title: 300, body: 20_000 } as const

/** Variables may have made the text too long, or empty. */
export function bounded(field: 'title' | 'body', filled: string, otherwise: string): string {
  const text = (field === 'title' ? filled.replace(/\s+/g, ' ') : filled).trim()
  return cut(text || otherwise, LONGEST[field])
}
