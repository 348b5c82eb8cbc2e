import { textColorOn } from '../../../settings/color-rules.ts'
import { htmlOfMarkdown } from '../../../texts/markdown-rules.ts'
import type { Block, Brand, Mail } from './mail.ts'
import { styleSheet, tones } from './style-rules.ts'
import { withMarks } from './words-rules.ts'

/** Mail programs know tables and inline styles; those that know a style sheet get the dark view. */
export function htmlOf({ language, direction, subject, preview, brand, parts, footer }: Mail): string {
  const cells = parts.map((blocks) => blocks.map((block) => cellOf(block, brand)).join(''))
  const rule =
    '<tr><td class="line" style="padding:8px 0 0;border-bottom:1px solid #dfe3e8;font-size:0">&nbsp;</td></tr>'
  const notes = footer.notes.map((note) => `<p style="margin:0 0 6px" dir="auto">${withNames(note)}</p>`)
  const links = footer.links.map(
    ({ label, url }) => `<a class="soft" href="${escaped(url)}" style="color:#59626d">${escaped(label)}</a>`,
  )
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>${styleSheet(brand)}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f5f6f8;color:#191d22">
<div style="display:none;max-height:0;overflow:hidden">${escaped(preview)}${'&#8199;&#847; '.repeat(40)}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f5f6f8"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="mail" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#191d22;text-align:${start(direction)};overflow-wrap:anywhere;word-break:break-word">
<tr><td class="title" style="padding:0 4px 16px;font-size:18px;font-weight:700">${headOf(brand)}</td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #dfe3e8;border-top:4px solid ${brand.color};border-radius:8px;padding:8px 20px 24px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${cells.join(rule)}</table>
</td></tr>
<tr><td class="soft" style="padding:16px 4px 0;font-size:13px;color:#59626d">${notes.join('')}<p style="margin:0">${links.join(' &nbsp;·&nbsp; ')}</p></td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

const start = (direction: Mail['direction']) => (direction === 'rtl' ? 'right' : 'left')

function headOf({ title, url, logo, logo_dark }: Brand): string {
  const image = (source: string, name: string, style: string) =>
    `<img class="${name}" src="${escaped(source)}" alt="${escaped(title)}" height="36" style="height:36px;max-width:240px;border:0;${style}">`
  const dark = logo && logo_dark && image(logo_dark, 'dark', 'display:none')
  const shown = logo ? image(logo, dark ? 'light' : '', 'display:inline-block') + (dark ?? '') : bdi(title)
  return url ? `<a class="title" href="${escaped(url)}" style="color:#191d22;text-decoration:none">${shown}</a>` : shown
}

function cellOf(block: Block, brand: Brand): string {
  switch (block.kind) {
    case 'heading':
      return row(
        `<h1 dir="auto" style="margin:0;font-size:21px;line-height:1.3">${block.url ? `<a class="title" href="${escaped(block.url)}" style="color:#191d22;text-decoration:none">${escaped(block.text)}</a>` : escaped(block.text)}</h1>`,
      )
    case 'status':
      return row(statusOf(block.text, tones[block.tone]))
    case 'facts':
      return row(
        `<table role="presentation" cellpadding="0" cellspacing="0" border="0">${block.rows.map(factOf).join('')}</table>`,
      )
    case 'prose':
      return row(`<div dir="auto">${withNames(block.text).replaceAll('\n', '<br>')}</div>`)
    case 'markdown':
      return row(`<div class="prose" dir="auto">${styled(htmlOfMarkdown(block.text))}</div>`)
    case 'items':
      return row(
        `<div class="soft" style="color:#59626d;font-size:14px">${escaped(block.label)}</div><ul style="margin:2px 0 0;padding-inline-start:20px">${block.names.map((name) => `<li>${bdi(name)}</li>`).join('')}</ul>`,
      )
    case 'note':
      return row(`<div class="soft" style="color:#59626d;font-size:14px">${escaped(block.text)}</div>`)
    case 'link':
      return row(`<a class="link" href="${escaped(block.url)}" style="color:#0b5cad">${escaped(block.label)}</a>`)
    case 'button':
      return row(
        `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="button" style="background:${brand.color};border-radius:6px"><a class="button" href="${escaped(block.url)}" style="display:inline-block;padding:10px 18px;color:${textColorOn(brand.color)};font-weight:600;text-decoration:none">${escaped(block.label)}</a></td></tr></table>`,
        20,
      )
  }
}

const elementStyles: Record<string, string> = {
  p: 'margin:0 0 8px',
  ul: 'margin:0 0 8px;padding-inline-start:20px',
  ol: 'margin:0 0 8px;padding-inline-start:20px',
  blockquote: 'margin:0 0 8px;padding-inline-start:12px;border-inline-start:3px solid #dfe3e8',
  pre: 'margin:0 0 8px;white-space:pre-wrap',
  code: 'font-family:monospace',
  a: 'color:#0b5cad',
}

/** Mail programs without a style sheet have large margins. In safe HTML, a `<` of a text is an entity. */
const styled = (html: string) =>
  html.replace(
    /<(p|ul|ol|blockquote|pre|code|a)(?=[ >])/g,
    (tag, name: string) => `${tag} style="${elementStyles[name]}"`,
  )

const row = (content: string, space = 12) => `<tr><td style="padding:${space}px 0 0">${content}</td></tr>`

function statusOf(text: string, { name, color }: (typeof tones)[keyof typeof tones]): string {
  return `<span class="${name}" style="display:inline-block;padding:3px 10px;border-inline-start:4px solid ${color};background:#f0f2f4;border-radius:3px;font-weight:600">${bdi(text)}</span>`
}

const factOf = ([label, value]: [string, string]) =>
  `<tr><td class="soft fact" style="padding:2px 0;padding-inline-end:16px;color:#59626d;font-size:14px;vertical-align:top">${escaped(label)}</td><td class="fact" dir="auto" style="padding:2px 0;vertical-align:top">${escaped(value)}</td></tr>`

/** A name in a text of the other direction. */
const bdi = (text: string) => `<bdi>${escaped(text)}</bdi>`

const withNames = (text: string) => withMarks(escaped(text), { from: '<bdi>', to: '</bdi>' })

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)
