/**
 * Searches for bytes in a stream of chunks: true from the chunk that contains the last of the wanted bytes. Reads each byte
 * about once (Knuth, Morris and Pratt). The search of the engine takes quadratic time for some texts.
 */
export function byteFinder(wanted: Uint8Array): (chunk: Uint8Array) => boolean {
  const fallbacks = fallbacksOf(wanted)
  let matched = 0
  return (chunk) => {
    for (const byte of chunk) {
      if (matched === wanted.length) break
      matched = next(wanted, fallbacks, matched, byte)
    }
    return matched === wanted.length
  }
}

/** For each number of matched bytes: how many bytes stay matched if the next byte does not match. */
function fallbacksOf(wanted: Uint8Array): Int32Array {
  const fallbacks = new Int32Array(wanted.length + 1)
  for (let at = 1, matched = 0; at < wanted.length; at += 1) {
    matched = next(wanted, fallbacks, matched, wanted[at]!)
    fallbacks[at + 1] = matched
  }
  return fallbacks
}

function next(wanted: Uint8Array, fallbacks: Int32Array, from: number, byte: number): number {
  let matched = from
  while (matched > 0 && wanted[matched] !== byte) matched = fallbacks[matched]!
  return wanted[matched] === byte ? matched + 1 : matched
}
