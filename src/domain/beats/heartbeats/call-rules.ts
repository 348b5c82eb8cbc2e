/** What a call says. */
export interface Call {
  kind: 'success' | 'start' | 'fail'
  /** As the row remembers it. */
  said: string
  /** As people read it, if it changes the stage. */
  evidence: string
}

const LAST_EXIT_CODE = 255
export const callsInWords = `what stands behind the token must be start, fail or an exit code from 0 to ${LAST_EXIT_CODE}`

/** What stands behind the token: nothing, `start`, `fail` or an exit code. */
export function readCall(behind: string | undefined): Call | undefined {
  if (behind === undefined) return { kind: 'success', said: 'success', evidence: 'It called.' }
  if (behind === 'start') return { kind: 'start', said: 'start', evidence: 'It called: a run begins.' }
  if (behind === 'fail') return { kind: 'fail', said: 'fail', evidence: 'It called: the run has failed.' }
  if (!/^\d{1,3}$/.test(behind) || Number(behind) > LAST_EXIT_CODE) return undefined
  const code = Number(behind)
  return { kind: code === 0 ? 'success' : 'fail', said: `exit ${code}`, evidence: `It called: exit code ${code}.` }
}

const MOST_CHARACTERS = 300

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: these are what people cannot read.
/** What colours a terminal, moves in it or names its window. */
const ESCAPES = /\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|[ -/]*[0-~])/g
const CONTROLS = /[\x00-\x08\x0e-\x1f\x7f-\x9f]/g
const UNREADABLE = /[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]/g
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: up to here.

/** One part in so many may be damaged, or meant for a machine; beyond that it is no text. */
const READABLE = 10

/** A call with what was sent along, if people can read it: its beginning, on one line. */
export function withWords(call: Call, sent: string): Call {
  const plain = sent.replace(ESCAPES, '')
  const unreadable = plain.match(UNREADABLE)?.length ?? 0
  const words = plain.replace(CONTROLS, '').replace(/\s+/g, ' ').trim()
  if (words === '' || unreadable * READABLE > plain.length) return call
  const characters = [...words]
  const shown = characters.slice(0, MOST_CHARACTERS).join('')
  return { ...call, evidence: `${call.evidence} ${shown}${characters.length > MOST_CHARACTERS ? '…' : ''}` }
}
