const LONGEST = { markdown: 4000, summary: 300, title: 80 }

/**
 * The text of a model for a chat. The model has read texts of the page, so nothing in its answer loads an image, leads to
 * another site, or notifies people of the chat.
 */
export function safeMarkdown(text: string, ownUrl: string): string {
  const own = new URL(ownUrl).host
  const safe = text
    .replace(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? '\n' : ''))
    // A link can have an image as its text.
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*\[[^\]]*\]:.*$/gm, '')
    .replace(/<([^>|]*)\|([^>]*)>/g, '$2')
    .replace(/[<>]/g, '')
    .replace(/(?:(?:[a-z][a-z0-9+.-]*:)?\/\/|www\.)[^\s)\]]+/gi, (url) =>
      hostOf(url) === own ? url : '(link removed)',
    )
    .replace(/@/g, '@\u200b')
    .trim()
  return cut(safe, LONGEST.markdown)
}

/** The first sentence of an answer, on one line. */
export const summaryOf = (markdown: string): string =>
  cut(/^.*?[.!?](?=\s|$)|^.+/s.exec(markdown)?.[0].replace(/\s+/g, ' ') ?? '', LONGEST.summary)

export const titleOf = (query: string): string => cut(query.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), LONGEST.title)

function hostOf(url: string): string | undefined {
  return URL.parse(url, 'https://none.invalid')?.host
}

function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
