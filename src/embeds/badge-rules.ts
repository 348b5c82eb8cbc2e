import { contrast } from '../domain/settings/color-rules.ts'

/** The badge as an image. Pure: no clock, no database. */

export const badgeStyles = ['flat', 'rounded'] as const
export const badgeThemes = ['light', 'dark'] as const

export interface Badge {
  label: string
  message: string
  color: string
  style: (typeof badgeStyles)[number]
  theme: (typeof badgeThemes)[number]
}

/** Widths in a sans serif font of 11 pixels, as most systems have it. The image stretches its texts to these widths. */
const NARROW = /[ijl.,:;'|!()[\]{}\s]/u
const MEDIUM = /[frt"*-]/u
const WIDE = /[mwMW@%]/u
const CAPITAL = /[\p{Lu}\d_#$&+<=>?~]/u
const FULL = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}]/u
const NONE = /[\p{Mn}\p{Me}\p{Cf}]/u

const widthOf = (character: string): number => {
  if (NONE.test(character)) return 0
  if (FULL.test(character)) return 11
  if (NARROW.test(character)) return 3.9
  if (WIDE.test(character)) return 10
  if (MEDIUM.test(character)) return 4.9
  return CAPITAL.test(character) ? 7.4 : 6.4
}

const textWidth = (text: string): number => Math.ceil([...text].reduce((sum, character) => sum + widthOf(character), 0))

const LONGEST = 60
const PADDING = 7
const HEIGHT = 20

/** One line without control characters, which XML does not allow. */
export function badgeText(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : line
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

const inkOn = (color: string) => (contrast('#ffffff', color) >= 3 ? '#ffffff' : '#16191d')

export function badgeSvg({ label, message, color, style, theme }: Badge): string {
  const [left, right] = [badgeText(label), badgeText(message)]
  const parts = [
    { text: left, fill: theme === 'dark' ? '#e6e9ec' : '#3f4750' },
    { text: right, fill: color },
  ].filter(({ text }) => text !== '')
  const title = escaped(parts.map(({ text }) => text).join(': '))
  const boxes: string[] = []
  const texts: string[] = []
  let x = 0
  for (const { text, fill } of parts) {
    const inner = textWidth(text)
    const width = inner + 2 * PADDING
    boxes.push(`<rect x="${x}" width="${width}" height="${HEIGHT}" fill="${fill}"/>`)
    texts.push(
      `<text x="${x + width / 2}" y="14" fill="${inkOn(fill)}" textLength="${inner}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`,
    )
    x += width
  }
  const radius = style === 'rounded' ? HEIGHT / 2 : 3
  const font = 'font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" text-anchor="middle"'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${x}" height="${HEIGHT}" viewBox="0 0 ${x} ${HEIGHT}" role="img" aria-label="${title}"><title>${title}</title><clipPath id="r"><rect width="${x}" height="${HEIGHT}" rx="${radius}"/></clipPath><g clip-path="url(#r)">${boxes.join('')}</g><g ${font}>${texts.join('')}</g></svg>`
}
