/** Safe HTML: only `html` creates it, and escapes all contents. */
export interface Markup {
  readonly markup: string
}

export type Content = Markup | string | number | null | undefined | false | Content[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const SPECIAL = /[&<>"']/
const ALL_SPECIAL = /[&<>"']/g

const escapeText = (text: string) =>
  SPECIAL.test(text) ? text.replace(ALL_SPECIAL, (character) => entities[character] ?? '') : text

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
  let text = ''
  for (const one of content) text += render(one)
  return text
}
