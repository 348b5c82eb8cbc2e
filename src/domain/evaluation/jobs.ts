import type { JSONPathNode } from 'json-p3'
import { RE2JS } from 're2js'
import { holds } from './conditions.ts'
import { compilePath, nodesAt } from './json-paths.ts'
import { quote, quoteFound } from './quote.ts'
import type { Operator } from './schema.ts'

/** What the evaluation thread does: everything here may take as long as who wrote the program or the document likes. */

/** A regular expression or a JSON path, whose text has been bounded before. */
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

/** What conditions are evaluated over. */
export interface Document {
  body: Uint8Array
  /** As the sender names it; UTF-8 where that is missing or unknown. */
  charset?: string
  /** By their names in lower case. */
  headers: Record<string, string[]>
}

export type ConditionOutcome =
  | { met: true }
  /** `found` is the start of the first value as JSON, with secrets left out; null where nothing was found. */
  | { met: false; found: string | null }
  | { met: false; unreadable: 'not_json' | 'too_deep' }

export type Job =
  | { do: 'compile'; programs: Program[] }
  | { do: 'evaluate'; document: Document; conditions: Condition[]; until: 'first_unmet' | 'last' }

export type Result = (string | null)[] | ConditionOutcome[]

/** Runs a job. `at` is called with the index of each program or condition before it is looked at. */
export function run(job: Job, at: (index: number) => void): Result {
  return job.do === 'compile' ? compile(job.programs, at) : evaluate(job, at)
}

/** What is wrong with each program, in words for its author; null where nothing is. */
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

/** The body as text and as JSON, each made when it is first asked for. */
interface Body {
  readonly text: string
  /** A JSON body may be `null`, so what was read is put into an object; null where the body is no JSON. */
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

/** The library walks a document by calling itself, and bounds how deep; the engine bounds it as well. */
const isTooDeep = (error: unknown) =>
  error instanceof RangeError || (error as Error).name === 'JSONPathRecursionLimitError'
