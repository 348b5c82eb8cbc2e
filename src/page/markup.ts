/** Safe HTML: only `html` creates it, and escapes all contents. */
export interface Markup {
  readonly markup: string
}

export type Content = Markup | string | number | null | undefined | false | Content[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Control characters have no place in HTML, except for tabs and the ends of lines. */
const CONTROLS = '\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f'
const ALL_CONTROLS = new RegExp(`[${CONTROLS}]`, 'g')
const SPECIAL = new RegExp(`[&<>"'${CONTROLS}]`)
const ALL_SPECIAL = new RegExp(SPECIAL, 'g')

const SPECIAL_IN_JSON = /[&<']/
const ALL_SPECIAL_IN_JSON = new RegExp(SPECIAL_IN_JSON, 'g')

export const withoutControls = (text: string): string => text.replace(ALL_CONTROLS, '')

const escapeText = (text: string) =>
  SPECIAL.test(text) ? text.replace(ALL_SPECIAL, (character) => entities[character] ?? '') : text

/** A value as JSON in an attribute with its quotes. The quotes of JSON stay as they are, because the attribute has others. */
export function jsonAttribute(value: unknown): Markup {
  const json = JSON.stringify(value)
  const isPlain = !SPECIAL_IN_JSON.test(json)
  return { markup: `'${isPlain ? json : json.replace(ALL_SPECIAL_IN_JSON, (character) => entities[character]!)}'` }
}

/** Each template in the code is one array for all calls. */
const leanParts = new WeakMap<TemplateStringsArray, string[]>()

function leanOf(strings: TemplateStringsArray): string[] {
  const known = leanParts.get(strings)
  if (known) return known
  const lean = strings.map((part) => part.replace(/\n\s*/g, '\n'))
  leanParts.set(strings, lean)
  return lean
}

/** A tagged template: its contents are escaped as text, unless they are markup. */
export function html(strings: TemplateStringsArray, ...contents: Content[]): Markup {
  const lean = leanOf(strings)
  let markup = lean[0]!
  for (let index = 0; index < contents.length; index += 1) markup += render(contents[index]) + lean[index + 1]!
  return { markup }
}

function render(content: Content): string {
  if (typeof content === 'string') return escapeText(content)
  if (content === undefined || content === null || content === false) return ''
  if (!Array.isArray(content)) return typeof content === 'object' ? content.markup : String(content)
  return content.map(render).join('')
}
