import MarkdownIt from 'markdown-it'
import { type Markup, withoutControls } from '../markup.ts'

/**
 * Texts of users as Markdown: paragraphs, lists, emphasis, code, quotes, tables and links. HTML is shown as text, images are
 * left out, and headings become bold lines, because the page has its own.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 20 }).disable('image')
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
markdown.validateLink = (address) => /^(https?:\/\/|mailto:)/i.test(address)

const { rules } = markdown.renderer
rules.link_open = (tokens, index, options, _env, self) => {
  const token = tokens[index]!
  token.attrSet('rel', 'noopener noreferrer nofollow')
  return self.renderToken(tokens, index, options)
}
rules.heading_open = () => '<p><b>'
rules.heading_close = () => '</b></p>\n'
rules.hr = () => '<hr>\n'

/** Rendering a text takes longer than all other work on it. */
const known = new Map<string, string>()
const KNOWN_AT_MOST = 1000

function remembered(kind: 'block' | 'line', text: string, render: (text: string) => string): Markup {
  const key = `${kind} ${text}`
  const found = known.get(key)
  if (found !== undefined) return { markup: found }
  const markup = render(withoutControls(text))
  if (known.size >= KNOWN_AT_MOST) known.clear()
  known.set(key, markup)
  return { markup }
}

export const markdownOf = (text: string): Markup => remembered('block', text, (words) => markdown.render(words).trim())

/** Markdown without paragraphs and lists, for a line of text. */
export const inlineMarkdownOf = (text: string): Markup =>
  remembered('line', text, (words) => markdown.renderInline(words))
