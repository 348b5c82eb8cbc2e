import { parse, TokenStream } from 'css-tree'

/**
 * The parser keeps the tokens of the last text in a buffer. While it looks for the ends of brackets, it reads one token behind
 * those of the present text: a leftover bracket there gives a wrong tree, or a search that never ends. An empty buffer has no brackets.
 */
const tokens = TokenStream.prototype as unknown as {
  offsetAndType?: Uint32Array | null
  setSource(source?: string, tokenize?: unknown): void
}
const { setSource } = tokens
tokens.setSource = function (source, tokenize) {
  this.offsetAndType?.fill(0)
  setSource.call(this, source, tokenize)
}

export { parse }
