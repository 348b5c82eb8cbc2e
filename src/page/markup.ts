/** Safe HTML: only `html` creates it, and escapes all contents. */
export interface Markup {
  readonly markup: string
}

export type Content = Markup | string | number | null | undefined | false | Content[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** A tagged template: its contents are escaped as text, unless they are markup. */
export function html(strings: TemplateStringsArray, ...contents: Content[]): Markup {
  const lean = strings.map((part) => part.replace(/\n\s*/g, '\n'))
  return { markup: lean.reduce((text, part, index) => text + render(contents[index - 1]) + part) }
}

function render(content: Content): string {
  if (content === undefined || content === null || content === false) return ''
  if (Array.isArray(content)) return content.map(render).join('')
  return typeof content === 'object' ? content.markup : escapeText(String(content))
}
