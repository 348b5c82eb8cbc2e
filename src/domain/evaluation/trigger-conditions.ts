import { MASK, redact } from '../../outbound/redaction-rules.ts'
import { isSecretPath } from '../../outbound/secret-rules.ts'
import { holds } from './conditions.ts'
import { nodesAt } from './json-paths.ts'
import { readRoot } from './path-roots.ts'
import { quote } from './quote.ts'
import { relativeMoment } from './relative-moments.ts'
import type { Operator } from './schema.ts'

/** The conditions of triggers: trees of leaves with paths into an event. */

interface TriggerLeaf {
  path: string
  operator: string
  value?: unknown
}
export type TriggerConditions = TriggerLeaf | { all: TriggerConditions[] } | { any: TriggerConditions[] }

/** What the paths of a trigger can address. */
export interface Scope {
  body: unknown
  element: unknown
  headers: Record<string, string[]>
  receivedAt: number
}

export function* valuesAt(path: string, { body, element, headers, receivedAt }: Scope): Generator<unknown> {
  const rooted = readRoot(path)
  if (rooted?.root === 'header') yield* headers[rooted.name] ?? []
  else if (rooted?.root === 'received_at') yield new Date(receivedAt).toISOString()
  else if (rooted) for (const { value } of nodesAt(rooted.path, rooted.root === 'body' ? body : element)) yield value
}

/** PostgreSQL stores no NUL, and no half of a surrogate pair in JSON: events have both, and a cut text has halves. */
export const storable = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed()

interface Decided {
  met: boolean
  leaf: string | null
}

/** `leaf` is the condition that decided: the first unmet of `all`, the first met of `any`, else the last one. */
export function decideConditions(conditions: TriggerConditions, scope: Scope, where = ''): Decided {
  if ('all' in conditions) return decideList(conditions.all, false, scope, `${where}all`)
  if ('any' in conditions) return decideList(conditions.any, true, scope, `${where}any`)
  const { path, operator, value } = conditions
  const operand = operator === 'after' || operator === 'before' ? relativeMoment(value, scope.receivedAt) : value
  const met = holds(operator as Operator, valuesAt(path, scope), operand)
  const [first] = valuesAt(path, scope)
  const seen = met
    ? ''
    : first === undefined
      ? '; the event has no such value'
      : `; the event has ${isSecretPath(path) ? MASK : quote(redact(first))}`
  return {
    met,
    leaf: storable(
      `${where}${where ? ': ' : ''}${path} ${operator}${value === undefined ? '' : ` ${quote(value)}`}${seen}`,
    ),
  }
}

function decideList(list: TriggerConditions[], decisive: boolean, scope: Scope, where: string): Decided {
  let last: Decided = { met: !decisive, leaf: null }
  for (const [index, part] of list.entries()) {
    last = decideConditions(part, scope, `${where}[${index}]${'path' in part ? '' : '.'}`)
    if (last.met === decisive) return last
  }
  return { met: !decisive, leaf: last.leaf }
}
