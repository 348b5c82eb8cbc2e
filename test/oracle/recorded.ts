import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Occurrence, occurrences } from '../../src/domain/series/recurrence/occurrences.ts'
import { problemsOf } from '../../src/domain/series/recurrence/problems.ts'
import type { Rule } from '../../src/domain/series/recurrence/rule.ts'

/** What python-dateutil and zoneinfo say, as `generate.py` recorded it. */
export interface Case {
  rule: Rule
  until: Date
  starts: number[]
}

const MINUTE = 60_000
const ALL = 1_000_000

export function readRecorded(): { tz: string; cases: Case[] } {
  const text = gunzipSync(readFileSync(new URL('./recorded.jsonl.gz', import.meta.url))).toString()
  const [head, ...lines] = text.trimEnd().split('\n')
  const cases = lines.map((line): Case => {
    const [rule, until, packed] = JSON.parse(line)
    return { rule: { ...rule, duration_minutes: 1 }, until: new Date(until * MINUTE), starts: unpacked(packed) }
  })
  return { tz: JSON.parse(head!).tz, cases }
}

/** `29000000 1440x27`: a minute since 1970, then 27 steps of a day. */
function unpacked(packed: string): number[] {
  const starts: number[] = []
  for (const run of packed.split(' ').filter(Boolean)) {
    const [step, times = 1] = run.split('x').map(Number)
    for (let i = 0; i < times; i++) starts.push((starts.at(-1) ?? 0) + step! * MINUTE)
  }
  return starts
}

/** What is wrong with our answer, and nothing if it is the recorded one. */
export function mismatch({ rule, until, starts }: Case): string | undefined {
  const ours = occurrences(rule, { until, limit: ALL })
  const wrong = difference(ours, starts)
  if (wrong) return `${JSON.stringify(rule)}: ${wrong}`
  // An expansion that begins in the middle gives the same.
  const middle = Math.floor(starts.length / 2)
  if (starts[middle] === undefined) return undefined
  const later = occurrences(rule, { from: new Date(starts[middle]), until, limit: 10 })
  const part = difference(later, starts.slice(middle, middle + 10))
  const problems = problemsOf(rule)
  if (part) return `${JSON.stringify(rule)} from ${new Date(starts[middle]).toISOString()}: ${part}`
  return problems.length > 0 ? `${JSON.stringify(rule)} is refused: ${JSON.stringify(problems)}` : undefined
}

function difference(ours: Occurrence[], starts: number[]): string | undefined {
  const at = Array.from({ length: Math.max(ours.length, starts.length) }).findIndex((_one, i) => {
    const { starts_at, ends_at } = ours[i] ?? {}
    return starts_at?.getTime() !== starts[i] || ends_at?.getTime() !== starts[i]! + MINUTE
  })
  if (at < 0) return undefined
  const theirs = starts[at] === undefined ? 'none' : new Date(starts[at]).toISOString()
  return `${at + 1} of ${starts.length} is ${JSON.stringify(ours[at]) ?? 'none'}, recorded was ${theirs}`
}
