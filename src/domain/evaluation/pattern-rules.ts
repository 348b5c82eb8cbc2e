/** Bounds a regular expression by its text alone: compiling the pattern first would already be too expensive. */

const MAX_LENGTH = 500
const MAX_PARTS = 2000

/** The problem of a pattern before its compilation, as a message for its author; null for a pattern within the bounds. */
export function patternBoundProblem(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return 'must be a regular expression for regex'
  if (value.length > MAX_LENGTH) return `may have ${MAX_LENGTH} characters for regex`
  const parts = partsOf(value)
  return parts > MAX_PARTS
    ? `repeats too much for regex: its repetitions multiply to ${parts} parts, and ${MAX_PARTS} are allowed`
    : null
}

const TOKEN =
  /\\Q(?<quoted>.*?)(?:\\E|$)|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\\\]])*\]|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\.|(?<flags>\(\?[imsU-]+\))|(?<open>\((?<uncaptured>\?[imsU-]*:)?(?:\?P?<\w*>)?)|(?<close>\))|(?<bar>\|)|(?<often>[*+?]\??)|\{(?<least>\d+)(?<open_ended>,)?(?<most>\d*)\}\??|./gsu

/** The parts of a capturing group for its start and its end. */
const CAPTURE = 2

/**
 * The number of parts that a pattern is compiled into; with empty branches the real number can be twice as large. A counted
 * repetition is expanded, so nested repetitions multiply.
 */
export function partsOf(pattern: string): number {
  const outer: Parts[] = []
  let group: Parts = { sum: 0, last: 0 }
  const add = (parts: number) => {
    group.sum += parts
    group.last = parts
  }
  const grow = (parts: number) => {
    group.sum += parts
    group.last += parts
  }
  for (const { groups = {} } of pattern.matchAll(TOKEN)) {
    const { quoted, flags, open, uncaptured, close, bar, often, least } = groups
    if (flags !== undefined) continue
    if (quoted !== undefined) {
      group.sum += quoted.length
      group.last = 1
    } else if (open !== undefined) {
      outer.push(group)
      group = { sum: uncaptured ? 0 : CAPTURE, last: 0 }
    } else if (close !== undefined) {
      const { sum } = group
      group = outer.pop() ?? { sum: 0, last: 0 }
      add(Math.max(sum, 1))
    } else if (bar !== undefined) {
      group.sum += 1
    } else if (often !== undefined) {
      grow(1)
    } else if (least !== undefined) {
      grow(repeatedParts(groups, group.last))
    } else {
      add(1)
    }
  }
  return [...outer, group].reduce((sum, parts) => sum + parts.sum, 0)
}

/** The parts that a counted repetition adds to the parts that it repeats. */
function repeatedParts({ least, most, open_ended }: Record<string, string>, repeated: number): number {
  const times = Math.max(Number(least), Number(most || 0), 1)
  const optional = open_ended ? Math.max(times - Number(least), 1) : 0
  return repeated * (times - 1) + optional
}

/** The parts of the pattern or of a group so far, and the parts that a following repetition would repeat. */
interface Parts {
  sum: number
  last: number
}
