import { RE2JS } from 're2js'
import type { Work } from './work.ts'

/**
 * Patterns are read and compiled by RE2JS, and run here: its engines cannot be stopped, and what they take for a text
 * is anything from a step per character to one per character and instruction, which nobody can tell beforehand.
 */

/** What a pattern was compiled to, as far as it is needed to run it. */
interface Instruction {
  op: number
  out: number
  arg: number
  matchRune(rune: number): boolean
}

const [ALT, ALT_MATCH, CAPTURE, EMPTY_WIDTH, FAIL, MATCH, NOP] = [1, 2, 3, 4, 5, 6, 7]

const MAX_PROGRAM = 1000
const REMEMBERED = 500
const compiled = new Map<string, RE2JS>()

/** What is wrong with a pattern, in words for its author; null when nothing is. */
export function patternProblem(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return 'must be a regular expression for regex'
  if (value.length > 500) return 'may have 500 characters for regex'
  try {
    return RE2JS.compile(value).programSize() > MAX_PROGRAM ? 'repeats too much for regex' : null
  } catch (error) {
    return `is not a regular expression of RE2 (${(error as Error).message})`
  }
}

/** Whether a pattern is found anywhere in a text: all its alternatives are followed at once, character by character. */
export function isFound(pattern: string, text: string, work: Work): boolean {
  const { inst, start } = programOf(pattern)
  const reachedAt = new Int32Array(inst.length).fill(-1)
  let reached: number[] = []
  let before = -1
  for (let at = 0; ; ) {
    const rune = text.codePointAt(at) ?? -1
    const place = placeBetween(before, rune)
    const next: number[] = []
    let steps = 1
    reached.push(start)
    for (let pc = reached.pop(); pc !== undefined; pc = reached.pop()) {
      steps++
      if (reachedAt[pc] === at) continue
      reachedAt[pc] = at
      const instruction = inst[pc]!
      const { op, out, arg } = instruction
      if (op === MATCH) return true
      if (op === ALT || op === ALT_MATCH) reached.push(arg, out)
      else if (op === CAPTURE || op === NOP) reached.push(out)
      else if (op === EMPTY_WIDTH) (arg & ~place) === 0 && reached.push(out)
      else if (op !== FAIL && rune >= 0 && instruction.matchRune(rune)) next.push(out)
    }
    work.spend(steps)
    if (rune < 0) return false
    at += rune > 0xffff ? 2 : 1
    before = rune
    reached = next
  }
}

const [BEGIN_LINE, END_LINE, BEGIN_TEXT, END_TEXT, WORD_BOUNDARY, NO_WORD_BOUNDARY] = [1, 2, 4, 8, 16, 32]
const NEW_LINE = 10

/** Which of `^`, `$`, `\b` and their kind hold between two characters; -1 is none. */
function placeBetween(before: number, after: number): number {
  const begins = before < 0 ? BEGIN_TEXT | BEGIN_LINE : before === NEW_LINE ? BEGIN_LINE : 0
  const ends = after < 0 ? END_TEXT | END_LINE : after === NEW_LINE ? END_LINE : 0
  return begins | ends | (isWord(before) === isWord(after) ? NO_WORD_BOUNDARY : WORD_BOUNDARY)
}

const isWord = (rune: number) =>
  (rune >= 97 && rune <= 122) || (rune >= 65 && rune <= 90) || (rune >= 48 && rune <= 57) || rune === 95

function programOf(pattern: string): { inst: Instruction[]; start: number } {
  const known = compiled.get(pattern)
  if (known) return known.re2().prog
  if (compiled.size >= REMEMBERED) compiled.clear()
  const made = RE2JS.compile(pattern)
  compiled.set(pattern, made)
  return made.re2().prog
}
