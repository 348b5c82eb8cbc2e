import { createRequire } from 'node:module'

type CssTree = typeof import('css-tree')

let loaded: CssTree | undefined

/** The parser of CSS, loaded with the first use: it takes 4 MB in each process, and few pages have CSS of their own. */
export const cssTree = (): CssTree => {
  loaded ??= load()
  return loaded
}

function load(): CssTree {
  const library = createRequire(import.meta.url)('css-tree') as CssTree
  emptyBuffer(library)
  return library
}

/**
 * The parser keeps the tokens of the last text in a buffer. While it looks for the ends of brackets, it reads one token behind
 * those of the present text: a leftover bracket there gives a wrong tree, or a search that never ends. An empty buffer has no brackets.
 */
function emptyBuffer({ TokenStream }: CssTree): void {
  const tokens = TokenStream.prototype as unknown as {
    offsetAndType?: Uint32Array | null
    setSource(source?: string, tokenize?: unknown): void
  }
  const { setSource } = tokens
  tokens.setSource = function (source, tokenize) {
    this.offsetAndType?.fill(0)
    setSource.call(this, source, tokenize)
  }
}
