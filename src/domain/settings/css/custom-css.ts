import type { CssNode, List, ListItem } from 'css-tree'
import { boundedCache } from '../../evaluation/bounded-cache.ts'
import type { FieldError } from '../../kernel/errors.ts'
import type { CssProblem } from './bounds.ts'
import { cssTree } from './css-tree.ts'
import { examineCss } from './examine.ts'

/** What is not allowed in custom CSS, with the line and the column; empty for CSS that is shown as it is. */
export const cssProblems = (css: string, hosts: ReadonlySet<string>): CssProblem[] => examineCss(css, hosts).problems

/** The problems as errors of the field `custom_css`. */
export const cssErrors = (css: string, hosts: ReadonlySet<string>): FieldError[] =>
  cssProblems(css, hosts).map(({ line, column, message }) => ({
    path: 'custom_css',
    message: `line ${line}, column ${column}: ${message}`,
  }))

interface CleanCss {
  css: string
  /** The addresses that the CSS loads. */
  urls: string[]
}

/**
 * Writes custom CSS again from what the parser read, without comments and without what is not allowed. The text cannot end the
 * `style` element of a page. CSS that cannot be read is empty.
 */
export function cleanCss(css: string, hosts: ReadonlySet<string>): CleanCss {
  return css.trim() === '' ? { css: '', urls: [] } : cleaned(JSON.stringify([css, [...hosts].sort()]))
}

const KEPT_CHARACTERS = 2_000_000

/** A page is rendered often with the same CSS. */
const cleaned = boundedCache(KEPT_CHARACTERS, (key) => {
  const [css, hosts] = JSON.parse(key) as [string, string[]]
  const value = clean(css, new Set(hosts))
  return { value, cost: key.length + value.css.length }
})

function clean(css: string, hosts: ReadonlySet<string>): CleanCss {
  const { sheet, refused, urls } = examineCss(css, hosts)
  if (!sheet) return { css: '', urls: [] }
  const { walk, generate } = cssTree()
  walk(sheet, {
    leave(node: CssNode, item: ListItem<CssNode>, list: List<CssNode> | null) {
      const isLeftOut =
        refused.has(node) || node.type === 'Comment' || (node.type === 'Raw' && /^[\s;]*$/.test(node.value))
      if (isLeftOut && list) list.remove(item)
    },
  })
  return { css: withoutTags(generate(sheet)), urls: [...urls] }
}

/** Within texts, the only place of these characters, an escape means the same. */
const withoutTags = (css: string) => css.replace(/<(?=[/!])/g, '\\3c ')
