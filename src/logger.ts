import pino, { type Logger } from 'pino'

export function createLogger(level: string, name: string): Logger {
  return pino({
    name,
    level,
    base: undefined,
    serializers: { err: describeError },
    // Nothing that proves who somebody is may reach a log, whatever object it hides in.
    redact: { paths: ['*.authorization', '*.token', '*.password', '*.secret'], censor: '…' },
  })
}

/** The innermost error: the ORM's own message quotes the statement with all its values. */
function describeError(error: unknown) {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  if (!(inner instanceof Error)) return { message: String(inner) }
  const { code } = inner as { code?: unknown }
  const stack = inner.stack?.split('\n').filter((line) => line.trimStart().startsWith('at '))
  return { type: inner.name, code, message: firstLine(inner), stack: stack?.join('\n') }
}

/** Statements are quoted on later lines, or before the last dash of a message that came through the ORM. */
function firstLine(error: Error): string {
  const [line = ''] = error.message.split('\n')
  return 'sqlState' in error
    ? line
    : line.slice(line.startsWith('insert ') || line.startsWith('update ') ? line.lastIndexOf(' - ') + 3 : 0)
}
