import pino, { type DestinationStream, type Logger } from 'pino'

export function createLogger(level: string, name: string, destination?: DestinationStream): Logger {
  const options = {
    name,
    level,
    base: undefined,
    serializers: { err: describeError },
    formatters: { log: (object: object) => censored(object) as Record<string, unknown> },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Credentials must not reach a log, at any depth of an object. */
const SECRET = /^(authorization|(set-)?cookie|hash|ciphertext|.*(token|password|secret))$/i
const DEEPEST = 6

function censored(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return depth > DEEPEST ? '…' : value.map((inner) => censored(inner, depth + 1))
  // Errors, dates and other instances have their own serialization.
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  if (depth > DEEPEST) return '…'
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, inner]) => [key, SECRET.test(key) ? '…' : censored(inner, depth + 1)]))
}

/** The first line of the innermost error: further lines can contain a whole record. */
function describeError(error: unknown) {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  if (!(inner instanceof Error)) return { message: String(inner) }
  const { code } = inner as { code?: unknown }
  const [line = ''] = inner.message.split('\n')
  const stack = inner.stack?.split('\n').filter((one) => one.trimStart().startsWith('at '))
  return { type: inner.name, code, message: quotesValues(inner) ? withoutQuotes(line) : line, stack: stack?.join('\n') }
}

/** Data exceptions of PostgreSQL (class 22) and validation errors of the ORM quote the wrong value. */
function quotesValues(error: Error): boolean {
  const { code } = error as { code?: unknown }
  return error.name === 'ValidationError' || (typeof code === 'string' && /^22\w{3}$/.test(code))
}

const withoutQuotes = (line: string) => line.replace(/(["'])(?:(?!\1).)*\1?/g, '$1…$1')
