import type { JSONPathNode } from 'json-p3'
import { RE2JS } from 're2js'
import { holds } from './conditions.ts'
import { compilePath, nodesAt } from './json-paths.ts'
import { quote, quoteFound } from './quote.ts'
import type { Operator } from './schema.ts'
import { type EventDocument, type EventMatches, matchEvent, type TriggerProgram } from './trigger-jobs.ts'

/** The work of the evaluation thread. The author of a program or document determines how long this work takes. */

/** A regular expression or a JSON path, whose length the schema bounds. */
export interface Program {
  kind: 'pattern' | 'path'
  text: string
}

export interface Condition {
  source: 'body' | 'header' | 'json'
  /** The name of a header, or a JSON path. */
  path?: string
  operator: Operator
  value?: unknown
}

/** The document that conditions are evaluated for. */
export interface Document {
  body: Uint8Array
  /** The charset that the sender names; UTF-8 for a missing or unknown charset. */
  charset?: string
  /** By header name in lower case. */
  headers: Record<string, string[]>
}

export type ConditionOutcome =
  | { met: true }
  /** `found` is the start of the first value as JSON, without secrets; null without any value. */
  | { met: false; found: string | null }
  | { met: false; unreadable: 'not_json' | 'too_deep' }

export type Job =
  | { do: 'compile'; programs: Program[] }
  | { do: 'evaluate'; document: Document; conditions: Condition[]; until: 'first_unmet' | 'last' }
  | { do: 'match'; event: EventDocument; programs: TriggerProgram[] }

export type Result = (string | null)[] | ConditionOutcome[] | EventMatches

/** Runs a job. `at` is called with the index of each program or condition before its turn. */
export function run(job: Job, at: (index: number) => void): Result {
  if (job.do === 'compile') return compile(job.programs, at)
  return job.do === 'match' ? matchEvent(job.event, job.programs, at) : evaluate(job, at)
}

/** The problem of each program, as a message for its author; null for a valid program. */
function compile(programs: Program[], at: (index: number) => void): (string | null)[] {
  return programs.map(({ kind, text }, index) => {
    at(index)
    try {
      if (kind === 'pattern') RE2JS.compile(text)
      else compilePath(text)
      return null
    } catch (error) {
      const what = kind === 'pattern' ? 'a regular expression of RE2' : 'a JSON path such as $.data.status'
      return `is not ${what} (${(error as Error).message})`
    }
  })
}

function evaluate(
  { document, conditions, until }: Job & { do: 'evaluate' },
  at: (index: number) => void,
): ConditionOutcome[] {
  const body = read(document)
  const outcomes: ConditionOutcome[] = []
  for (const [index, condition] of conditions.entries()) {
    at(index)
    const outcome = outcomeOf(condition, document.headers, body)
    outcomes.push(outcome)
    if (!outcome.met && until === 'first_unmet') break
  }
  return outcomes
}

/** The body as text and as JSON, each computed at its first use. */
interface Body {
  readonly text: string
  /** The parsed body, in an object because a JSON body may be `null`; null for a body that is not JSON. */
  readonly json: { value: unknown } | null
}

function read({ body, charset }: Document): Body {
  let text: string | null = null
  let json: Body['json'] | undefined
  return {
    get text() {
      text ??= decoderFor(charset).decode(body)
      return text
    },
    get json() {
      if (json === undefined) json = parse(this.text)
      return json
    },
  }
}

function decoderFor(charset: string | undefined) {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

function parse(text: string): Body['json'] {
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, '')) }
  } catch {
    return null
  }
}

function outcomeOf(condition: Condition, headers: Document['headers'], body: Body): ConditionOutcome {
  const { source, path = '', operator, value } = condition
  if (source === 'json') return outcomeInJson(condition, body)
  const found = source === 'body' ? [body.text] : (headers[path.toLowerCase()] ?? [])
  if (holds(operator, found, value)) return { met: true }
  return { met: false, found: found.length === 0 ? null : quote(found[0]) }
}

function outcomeInJson({ path = '', operator, value }: Condition, { json }: Body): ConditionOutcome {
  if (json === null) return { met: false, unreadable: 'not_json' }
  let first: JSONPathNode | undefined
  const values = function* () {
    for (const node of nodesAt(path, json.value)) {
      first ??= node
      yield node.value
    }
  }
  try {
    if (holds(operator, values(), value)) return { met: true }
    return { met: false, found: first ? quoteFound(first.value, first.location) : null }
  } catch (error) {
    if (!isTooDeep(error)) throw error
    return { met: false, unreadable: 'too_deep' }
  }
}

/** The library visits a document by recursion. Both the library and the engine bound the depth. */
const isTooDeep = (error: unknown) =>
  error instanceof RangeError || (error as Error).name === 'JSONPathRecursionLimitError'
