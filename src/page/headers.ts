import { createHash } from 'node:crypto'

/** What a browser may do with a document of ours: apply this one style and show its own icon, nothing else. */
export function headersOf(style: string): Record<string, string> {
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  }
}
