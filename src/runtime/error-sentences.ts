import { StartError } from '../local/embedded/errors.ts'

/** An error whose message was written for the person who starts Upbeat. */
const isReason = (error: unknown): error is Error =>
  error instanceof StartError || ['MigrationsMissing', 'NotRestorable'].includes((error as Error).name)

type Failure = NodeJS.ErrnoException & { port?: number; address?: string }

/** One clear sentence about why something could not be started. */
export function sentenceOf(error: unknown): string {
  if (isReason(error)) return error.message
  const { code, message, port, address } = error as Failure
  if (code === 'EADDRINUSE') return `The port ${port} is in use: stop what uses it, or set PORT to another one.`
  if (code === 'EACCES' && port) return `The port ${port} may not be used by this user: set PORT to one above 1023.`
  const refused =
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ECONNRESET|connection timeout|timeout exceeded|timeout expired/.exec(
      `${code} ${message}`,
    )
  if (refused)
    return `The database cannot be reached (${address ? `${address}:${port}` : 'DATABASE_URL'}: ${refused[0]}).`
  if (code?.startsWith('28')) return `The database refuses DATABASE_URL's user: ${message}.`
  return `Cannot start: ${message || code || error}`
}

/** Not allowed in (28), not allowed to do it (42501), or no such database (3D000). */
const refusedByDatabase = /^(28\w{3}|42501|3D000)$/

/** Whether the same start would fail for the same reason until a person changes something. */
export function isFinal(error: unknown): boolean {
  if (isReason(error)) return true
  const { code = '' } = error as Failure
  return code === 'EADDRINUSE' || code === 'EACCES' || refusedByDatabase.test(code)
}
