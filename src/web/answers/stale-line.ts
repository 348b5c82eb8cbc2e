import { type Body, bodyOf } from './bodies.ts'

/** The attributes of the hidden line of a document, which names the time of its state. */
const HIDDEN = 'data-stale hidden'

const shown = new WeakMap<Body, Body>()

/** The document with this line, made once; another body stays as it is. */
export function withStaleLine(body: Body): Body {
  const known = shown.get(body)
  if (known) return known
  const text = body.plain.toString()
  const made = text.includes(HIDDEN) ? bodyOf(text.replace(HIDDEN, 'data-stale')) : body
  shown.set(body, made)
  return made
}
