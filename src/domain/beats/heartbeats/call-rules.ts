/** One call of a heartbeat. */
export interface Call {
  kind: 'success' | 'start' | 'fail'
  /** The value of `last_call`. */
  name: string
  /** The evidence of a transition by this call. */
  evidence: string
}

const LAST_EXIT_CODE = 255
export const callsInWords = `the part of the path after the token must be start, fail or an exit code from 0 to ${LAST_EXIT_CODE}`

/** Reads the part of the path after the token: nothing, `start`, `fail` or an exit code. */
export function readCall(suffix: string | undefined): Call | undefined {
  if (suffix === undefined) return { kind: 'success', name: 'success', evidence: 'A call reported success.' }
  if (suffix === 'start') return { kind: 'start', name: 'start', evidence: 'A call reported the start of a run.' }
  if (suffix === 'fail') return { kind: 'fail', name: 'fail', evidence: 'A call reported a failed run.' }
  if (!/^\d{1,3}$/.test(suffix) || Number(suffix) > LAST_EXIT_CODE) return undefined
  const code = Number(suffix)
  return {
    kind: code === 0 ? 'success' : 'fail',
    name: `exit ${code}`,
    evidence: `A call reported exit code ${code}.`,
  }
}

const MOST_CHARACTERS = 300

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: these are what people cannot read.
/** Escape sequences of terminals: colours, cursor moves, window titles. */
const ESCAPES = /\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|[ -/]*[0-~])/g
const CONTROLS = /[\x00-\x08\x0e-\x1f\x7f-\x9f]/g
const UNREADABLE = /[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]/g
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: up to here.

/** At most one character in this many may be unreadable; otherwise the body is not a text. */
const READABLE = 10

/** Adds the beginning of the body to the evidence of a call, on one line, if the body is a readable text. */
export function withBody(call: Call, sent: string): Call {
  const plain = sent.replace(ESCAPES, '')
  const unreadable = plain.match(UNREADABLE)?.length ?? 0
  const words = plain.replace(CONTROLS, '').replace(/\s+/g, ' ').trim()
  if (words === '' || unreadable * READABLE > plain.length) return call
  const characters = [...words]
  const shown = characters.slice(0, MOST_CHARACTERS).join('')
  const text = `${shown}${characters.length > MOST_CHARACTERS ? '…' : ''}`
  return { ...call, evidence: `${call.evidence.replace(/\.$/, '')}: ${text}` }
}
