/** Lines of iCalendar (RFC 5545, section 3.1 and 3.3.11). Pure. */

const MOST_OCTETS = 75

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5545 allows no control characters but the tab.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** A text of people as a value, on one line. */
export const textValue = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(CONTROLS, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** An address as a value of the type URI, which has no escapes. */
export const uriValue = (uri: string): string =>
  uri.replace(/[\s\p{Cc}]/gu, (character) => encodeURIComponent(character))

/** The line in parts of at most 75 octets; no part ends within a character. */
export function folded(line: string): string {
  if (Buffer.byteLength(line) <= MOST_OCTETS) return line
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > MOST_OCTETS) {
      parts.push(part)
      // The space at the beginning of the next part counts.
      part = ''
      octets = 1
    }
    part += character
    octets += size
  }
  return [...parts, part].join('\r\n ')
}

export const documentOf = (lines: string[]): string => lines.map((line) => `${folded(line)}\r\n`).join('')

/** `20261123T120000Z`, in UTC. */
export const utcValue = (iso: string): string => `${localValue(Date.parse(iso))}Z`

/** `20261123T130000` of a wall time, which is a number as if it were in UTC. */
export const localValue = (wall: number): string => new Date(wall).toISOString().slice(0, 19).replace(/[-:]/g, '')
