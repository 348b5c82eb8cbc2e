import { cssTree } from './css-tree.ts'

/** What custom CSS may contain. Everything else is refused. */

export const atRules = ['media', 'supports', 'container', 'keyframes', 'font-face']

/** What the library knows of the standards. */
const known = () =>
  cssTree().lexer as unknown as {
    properties: Record<string, unknown>
    atrules: Record<string, { descriptors: Record<string, unknown> }>
  }

const withPrefix = [
  ...['-webkit-appearance', '-webkit-background-clip', '-webkit-box-orient', '-webkit-font-smoothing'],
  ...['-webkit-line-clamp', '-webkit-mask', '-webkit-mask-image', '-webkit-mask-position', '-webkit-mask-repeat'],
  ...['-webkit-mask-size', '-webkit-tap-highlight-color', '-webkit-text-fill-color', '-webkit-text-size-adjust'],
  ...['-webkit-text-stroke', '-webkit-user-select', '-moz-appearance', '-moz-osx-font-smoothing', '-moz-user-select'],
]

/** Some browsers ran programs that this property named. */
const withPrograms = ['behavior']

const CUSTOM_PROPERTY = /^--[\w-]+$/

/** Properties of the standards, and custom properties. */
export function isProperty(name: string, atRule: string | undefined): boolean {
  const { properties, atrules } = known()
  if (atRule === 'font-face') return Object.hasOwn(atrules['font-face']!.descriptors, name)
  if (name.startsWith('-')) return withPrefix.includes(name) || CUSTOM_PROPERTY.test(name)
  return Object.hasOwn(properties, name) && !withPrograms.includes(name)
}

/** Functions that load an address from a text, or that ran programs. */
const refusedFunctions = new Set([
  ...['image', 'image-set', '-webkit-image-set', 'cross-fade', '-webkit-cross-fade', 'src', 'url', 'url-prefix'],
  ...['element', '-moz-element', 'paint', 'expression', 'domain', 'regexp'],
])

/** A name with an escape could be another name in a browser than in the parser. */
export const isFunction = (name: string): boolean => /^-{0,2}[a-z][a-z\d-]*$/.test(name) && !refusedFunctions.has(name)
