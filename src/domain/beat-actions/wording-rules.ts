import type { Stage } from '../beats/stage-rules.ts'
import { cut } from '../kernel/text-rules.ts'

/** What is said where no message policy says it. Pure. What was seen, and where, is nobody's business by itself. */

interface Words {
  title: string
  body: string
}

export function defaultWords(stage: Stage, affected: string): Words {
  const what = affected || 'this service'
  const [are, work] = isSeveral(what) ? ['are', 'work'] : ['is', 'works']
  if (stage === 'critical')
    return { title: `Disruption of ${what}`, body: `${sentence(what)} ${are} disrupted. We are looking into it.` }
  if (stage === 'warning')
    return { title: `Problems with ${what}`, body: `We see problems with ${what} and are looking into them.` }
  return { title: `${sentence(what)} ${work} again`, body: `${sentence(what)} ${work} again.` }
}

/** Also of what a page calls by itself: `Web and mobile app`, `EU, US`. */
const isSeveral = (what: string) => /,|&|\+|\band\b/i.test(what)

const sentence = (what: string) => what.charAt(0).toUpperCase() + what.slice(1)

/** Names in a row: `Search, Checkout and Payments`. */
export const listed = (names: string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const LONGEST = { title: 300, body: 20_000 } as const

/** Variables may have made it longer than the record bears, or left nothing of it. */
export function bounded(field: 'title' | 'body', said: string, otherwise: string): string {
  const text = (field === 'title' ? said.replace(/\s+/g, ' ') : said).trim()
  return cut(text || otherwise, LONGEST[field])
}
