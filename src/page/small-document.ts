import { directionOf } from '../languages/labels.ts'
import { html, type Markup } from './markup.ts'

interface Small {
  title: string
  style: string
  body: Markup
  language?: string
  theme?: 'light' | 'dark' | undefined
  /** The address of its icon; empty for none. */
  icon?: string
}

/** A small page, such as a notice or a form, as one document without further requests. */
export function smallDocument({ title, style, body, language = 'en', theme, icon = '' }: Small): string {
  const whole = html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}"${theme && html` data-theme="${theme}"`}>
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="${theme ?? 'light dark'}">
    <title>${title}</title>
    <link rel="icon" href="${icon || 'data:,'}">
    <style>${{ markup: style }}</style>
    </head>
    <body>${body}</body>
    </html>
  `
  return `${whole.markup}\n`
}
