import { createHash } from 'node:crypto'

/** Headers that let a browser only apply this style, show the icon, and send the forms of the page. */
export function headersOf(style: string, { forms = false } = {}) {
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      'img-src data:',
      "base-uri 'none'",
      `form-action ${forms ? "'self'" : "'none'"}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  }
}
