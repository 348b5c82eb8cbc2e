import { isSecretName, REDACTED } from '../../outbound/secret-rules.ts'

/** How many characters are quoted at most: what evidence shows, and enough behind that to recognize a secret. */
export const LONGEST_QUOTE = 200
/** Deeper than this, none of a value would be shown: each level takes a character. */
const DEEPEST = 80

/**
 * The start of a value as JSON, without what goes by the name of a secret. No more of the value is read than is written,
 * so that the size of the value does not matter.
 */
export function quote(value: unknown): string {
  const written: string[] = []
  let left = LONGEST_QUOTE
  const write = (text: string) => {
    written.push(text)
    left -= text.length
  }
  const writeValue = (one: unknown, depth: number): void => {
    if (depth > DEEPEST) write(JSON.stringify(REDACTED))
    else if (typeof one === 'string') write(JSON.stringify(one.slice(0, Math.max(left, 0))))
    else if (typeof one !== 'object' || one === null) write(JSON.stringify(one) ?? 'null')
    else if (Array.isArray(one)) writeList(one, depth)
    else writeObject(one, depth)
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

/** What is found under the name of a secret, at any level above it, is a secret itself. */
export const quoteFound = (value: unknown, location: readonly (string | number)[]): string =>
  quote(location.some((name) => typeof name === 'string' && isSecretName(name)) ? REDACTED : value)
