import { legible, textColorOn } from '../../domain/settings/color-rules.ts'
import type { Settings } from '../../domain/settings/schema.ts'

/** The settings of the appearance as CSS. Pure. Values of settings in it are checked by the settings: colours, and https addresses. */

type Look = Pick<
  Settings,
  | 'brand_color_light'
  | 'brand_color_dark'
  | 'body_font_preset'
  | 'body_font_url'
  | 'heading_font_preset'
  | 'heading_font_url'
  | 'public_theme_profile'
  | 'page_layout'
  | 'page_background_mode'
  | 'page_background_url'
  | 'header_background_url'
  | 'header_layout'
>

/** The backgrounds on which coloured texts must be legible. */
const CARD = { light: '#f5f6f8', dark: '#1a1e23' }
const LINK = { light: '#0b5cad', dark: '#7cb8f5' }

const fonts: Record<string, string> = {
  system: 'system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif',
  serif: 'Georgia,"Times New Roman","Liberation Serif",serif',
  mono: 'ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace',
}

const radii = { none: '0', small: '.375rem', large: '.75rem' }

export function themeOf(look: Look): string {
  const { brand_color_light: light, brand_color_dark: dark } = look
  const brand = light || LINK.light
  const brandInDark = dark || light || LINK.dark
  const inDark = colorsOf(brandInDark, CARD.dark)
  const { radius, density } = look.public_theme_profile
  return [
    ...(['body', 'heading'] as const).map((part) => fontFace(part, look)),
    `:root{${colorsOf(brand, CARD.light)};--r:${radii[radius]};--d:${density === 'compact' ? '.6' : '1'};--w:${look.page_layout === 'wide' ? '72rem' : '50rem'};--font:${fontOf('body', look)};--head:${fontOf('heading', look)}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${inDark}}}`,
    `@media screen{[data-theme=dark]{${inDark}}}`,
    look.page_background_mode === 'image' && look.page_background_url
      ? `body{background:var(--bg) ${urlOf(look.page_background_url)} center/cover fixed}`
      : '',
    look.header_background_url
      ? `.top{background:${urlOf(look.header_background_url)} center/cover}.top .bar{background:var(--bg)}`
      : '',
    look.header_layout === 'center'
      ? '.bar{flex-direction:column;text-align:center}.identity,.bar nav{justify-content:center}'
      : '',
  ].join('')
}

const colorsOf = (brand: string, card: string) => {
  const text = legible(brand, card)
  return `--brand:${brand};--on-brand:${textColorOn(brand)};--link:${text}`
}

type Part = 'body' | 'heading'

const fontOf = (part: Part, look: Look): string => {
  const preset = look[`${part}_font_preset`]
  if (preset !== 'custom') return fonts[preset]!
  return look[`${part}_font_url`] === '' ? fonts.system! : `"page ${part}",${fonts.system}`
}

function fontFace(part: Part, look: Look): string {
  const address = look[`${part}_font_url`]
  if (look[`${part}_font_preset`] !== 'custom' || address === '') return ''
  return `@font-face{font-family:"page ${part}";src:${urlOf(address)};font-display:swap}`
}

/** An address in CSS; a character that could end the address or the style element is encoded. */
const urlOf = (address: string) =>
  `url("${new URL(address).href.replace(/["'\\<>()\s]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)}")`
