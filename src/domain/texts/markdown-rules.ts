import MarkdownIt, { type Token } from 'markdown-it'
import { remembering } from './remembered-rules.ts'

/**
 * Texts of users as Markdown, for the page, feeds and mails: paragraphs, lists, emphasis, code, quotes, tables and links. HTML is
 * shown as text, of an image only its text is left, and headings become bold lines, because documents have their own.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 20 })
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
markdown.validateLink = (address) => /^(https?:\/\/|mailto:)/i.test(address)

const { rules } = markdown.renderer
rules.link_open = (tokens, index, options, _env, self) => {
  const token = tokens[index]!
  token.attrSet('rel', 'noopener noreferrer nofollow')
  return self.renderToken(tokens, index, options)
}
rules.image = (tokens, index, options, env, self) =>
  markdown.utils.escapeHtml(self.renderInlineAsText(tokens[index]!.children ?? [], options, env))
rules.heading_open = () => '<p><b>'
rules.heading_close = () => '</b></p>\n'
rules.hr = () => '<hr>\n'

/** Rendering a text takes longer than all other work on it. */
const known = remembering<string>(1000)

const remembered = (kind: 'block' | 'line' | 'plain', text: string, render: (text: string) => string): string =>
  known(`${kind} ${text}`, () => render(text))

/** Safe HTML of a text without control characters. */
export const htmlOfMarkdown = (text: string): string =>
  remembered('block', text, (words) => markdown.render(words).trim())

/** The same without paragraphs and lists, for a line of text. */
export const htmlOfInlineMarkdown = (text: string): string =>
  remembered('line', text, (words) => markdown.renderInline(words))

/** The words of a text without the marks of Markdown, in one line. */
export const wordsOfMarkdown = (text: string): string =>
  remembered('plain', text, (words) => markdown.parse(words, {}).map(wordsOfToken).filter(Boolean).join(' '))

function wordsOfToken({ type, content, children }: Token): string {
  if (children) return children.map(wordsOfToken).join('')
  return /break$/.test(type) ? ' ' : content
}
