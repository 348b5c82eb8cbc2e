import type { Block, Mail } from './mail.ts'
import { withMarks } from './words-rules.ts'

const withNames = (text: string) => withMarks(text, { from: '', to: '' })

/** The plain text of a mail, with the same content as its HTML. */
export function textOf({ brand, parts, footer }: Mail): string {
  const written = parts.map((blocks) => blocks.map(linesOf).join('\n\n'))
  const links = footer.links.map(({ label, url }) => `${label}: ${url}`)
  return `${[brand.title, written.join(`\n\n${'-'.repeat(40)}\n\n`)].join('\n\n')}\n\n-- \n${[...footer.notes.map(withNames), ...links].join('\n')}\n`
}

function linesOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${block.text}\n${'='.repeat(Math.min(60, [...block.text].length))}`
    case 'prose':
      return withNames(block.text)
    case 'status':
    case 'markdown':
    case 'note':
      return block.text
    case 'facts':
      return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n')
    case 'items':
      return `${block.label}:\n${block.names.map((name) => `- ${name}`).join('\n')}`
    case 'button':
    case 'link':
      return `${block.label}:\n${block.url}`
  }
}
