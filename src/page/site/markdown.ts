import { htmlOfInlineMarkdown, htmlOfMarkdown } from '../../domain/texts/markdown-rules.ts'
import { type Markup, withoutControls } from '../markup.ts'

/** A text of a user as safe HTML. */
export const markdownOf = (text: string): Markup => ({ markup: htmlOfMarkdown(withoutControls(text)) })

/** Markdown without paragraphs and lists, for a line of text. */
export const inlineMarkdownOf = (text: string): Markup => ({ markup: htmlOfInlineMarkdown(withoutControls(text)) })
