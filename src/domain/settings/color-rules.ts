/** The contrast of two colours like #2f9e44, from 1 to 21 (WCAG). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The least contrast of text to its background. */
const LEGIBLE = 4.5

/** White or black text on a colour, whichever is legible. */
export const textColorOn = (color: string): '#ffffff' | '#000000' =>
  contrast('#ffffff', color) >= LEGIBLE ? '#ffffff' : '#000000'

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The colour, mixed with black or white until a text in it is legible on the background. */
export function legible(color: string, background: string): string {
  const target = luminance(background) > 0.18 ? 0 : 255
  let mixed = color
  for (let part = 0; contrast(mixed, background) < LEGIBLE && part < 1; part += 0.05) mixed = mix(color, target, part)
  return mixed
}

function mix(color: string, target: number, part: number): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const mixed = parts.map((value) => Math.round(value + (target - value) * part))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
