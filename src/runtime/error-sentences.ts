import { StartError } from '../local/embedded/errors.ts'

/** Whether the message of the error is written for the person who starts Upbeat. */
const isReason = (error: unknown): error is Error =>
  error instanceof StartError || ['MigrationsMissing', 'NotRestorable'].includes((error as Error).name)

type Failure = NodeJS.ErrnoException & { port?: number; address?: string }

/** Why a start failed, in one sentence. */
export function sentenceOf(error: unknown): string {
  if (isReason(error)) return error.message
  const { code, message, port, address } = error as Failure
  if (code === 'EADDRINUSE')
    return `The port ${port} is in use: stop the process that uses the port, or set PORT to another port.`
  if (code === 'EACCES' && port) return `This user may not use the port ${port}: set PORT to a port above 1023.`
  const refused =
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ECONNRESET|connection timeout|timeout exceeded|timeout expired|Connection terminated/.exec(
      `${code} ${message}`,
    )
  if (refused)
    return `The database cannot be reached (${address ? `${address}:${port}` : 'DATABASE_URL'}: ${refused[0]}).`
  if (code?.startsWith('28')) return `The database refuses the user of DATABASE_URL: ${message}.`
  return `The start failed: ${message || code || error}`
}

/** The login is refused (28), a permission is missing (42501), or the database does not exist (3D000). */
const refusedByDatabase = /^(28\w{3}|42501|3D000)$/

/** Whether every further start would fail for the same reason until a person changes something. */
export function isFinal(error: unknown): boolean {
  if (isReason(error)) return true
  const { code = '' } = error as Failure
  return code === 'EADDRINUSE' || code === 'EACCES' || refusedByDatabase.test(code)
}
