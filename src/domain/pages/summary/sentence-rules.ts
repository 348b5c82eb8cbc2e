import type { Labels } from '../../../languages/labels.ts'
import type { LabelKey } from '../../../languages/texts.ts'
import { statusNameIn } from '../../vocabulary/status-name-rules.ts'
import type { State } from './state-rules.ts'

/** The state of the page in words. Pure: no clock, no database. */

interface StatusType {
  key: string
  name: string
  is_operational: boolean
}

/** Endings of English status names that are nouns: "Outage of Search", but "Degraded: Search". */
const noun = /(outage|downtime|disruption|interruption|failure|loss|degradation|performance|maintenance)$/i

const nouns = ['status.maintenance', 'status.partial_outage', 'status.major_outage'] as const

/** The state of the page, or of a part of it, in one sentence. */
export function sentenceOf(
  { status, items, isPart = false }: State & { isPart?: boolean },
  types: StatusType[],
  labels: Labels,
): string {
  const type = types.find(({ key }) => key === status)
  if (!type || type.is_operational)
    return labels.text(isPart ? 'page.state.operational_part' : 'page.state.operational')
  const name = statusNameIn(labels, status, type.name)
  const isOf = isNoun(name, status, labels)
  const more = isOf ? 'page.items.more_of_noun' : 'page.items.more'
  const values = { status: `${name.charAt(0).toUpperCase()}${name.slice(1)}`, items: listed(items, labels, more) }
  if (items.length === 0) return labels.text('page.state.status', values)
  return labels.text(isOf ? 'page.state.noun_of_items' : 'page.state.items', values)
}

/** In other languages than English, only default names are known to be nouns. */
function isNoun(name: string, status: string, labels: Labels): boolean {
  if (labels.language === 'en') return noun.test(name)
  return nouns.some((key) => key === `status.${status}` && name === labels.text(key))
}

function listed([first = '', second, ...others]: string[], labels: Labels, more: LabelKey): string {
  const list = new Intl.ListFormat(labels.language, { type: 'conjunction' })
  if (second === undefined) return first
  return list.format([first, others.length === 0 ? second : labels.text(more, { count: others.length + 1 })])
}
