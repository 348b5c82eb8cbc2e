import { isSecretName, REDACTED } from '../../outbound/secret-rules.ts'

/** The longest quote: what evidence shows, and enough characters after that to recognize a secret. */
export const LONGEST_QUOTE = 200
/** A deeper value would not be shown: each level takes a character. */
const DEEPEST = 80

/**
 * The start of a value as JSON, without values under the names of secrets. Reads only the quoted part of the value, so that
 * the size of the value does not matter.
 */
export function quote(value: unknown): string {
  const written: string[] = []
  let left = LONGEST_QUOTE
  const write = (text: string) => {
    written.push(text)
    left -= text.length
  }
  const writeValue = (part: unknown, depth: number): void => {
    if (depth > DEEPEST) write(JSON.stringify(REDACTED))
    else if (typeof part === 'string') write(JSON.stringify(part.slice(0, Math.max(left, 0))))
    else if (typeof part !== 'object' || part === null) write(JSON.stringify(part) ?? 'null')
    else if (Array.isArray(part)) writeList(part, depth)
    else writeObject(part, depth)
  }
  const writeList = (list: unknown[], depth: number) => {
    write('[')
    for (const [index, part] of list.entries()) {
      if (left <= 0) return
      if (index > 0) write(',')
      writeValue(part, depth + 1)
    }
    write(']')
  }
  const writeObject = (object: object, depth: number) => {
    write('{')
    let isFirst = true
    for (const name in object) {
      if (left <= 0) return
      write(`${isFirst ? '' : ','}${JSON.stringify(name.slice(0, left))}:`)
      writeValue(isSecretName(name) ? REDACTED : (object as Record<string, unknown>)[name], depth + 1)
      isFirst = false
    }
    write('}')
  }
  writeValue(value, 0)
  return written.join('').slice(0, LONGEST_QUOTE)
}

/** A value under the name of a secret, at any level, is a secret. */
export const quoteFound = (value: unknown, location: readonly (string | number)[]): string =>
  quote(location.some((name) => typeof name === 'string' && isSecretName(name)) ? REDACTED : value)
