import { parseExactly } from './exact-json-rules.ts'

/** Deeper JSON is a text: programs visit values by recursion. */
const DEEPEST = 64

/** The object or list that a text is as JSON; undefined for another text. */
export function jsonInside(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value = parseExactly(text)
    return isShallow(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isShallow(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
    if (level.length === 0) return true
  }
  return false
}
