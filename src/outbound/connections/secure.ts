import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { type ConnectionOptions, connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import type { ClientCertificate } from '../../domain/beats/types/parts.ts'
import { placeOf, readHost } from '../host-rules.ts'
import type { Attempt } from './attempt.ts'
import { dialWith } from './dial.ts'
import { Failure } from './failure.ts'
import type { IpFamily } from './guard.ts'

export interface Place {
  host: string
  port: number
  ip_family: IpFamily
  server_name: string
  /** Whether another host redirected to this place: the evidence then names the host of the certificate. */
  redirected?: boolean
}

export interface Trust {
  ca?: string
  client_certificate?: ClientCertificate
}

export interface Secured {
  socket: TLSSocket
  certificate_days: number
  /** What is wrong with the certificate. No data has been sent over the connection yet. */
  problems: string[]
}

/**
 * Opens a TLS connection. The handshake accepts any certificate, because the library would report only the first problem and
 * no date; the caller sends no data if there are problems.
 */
export async function secure(to: Place, trust: Trust, attempt: Attempt): Promise<Secured> {
  const { host, port, ip_family, server_name } = to
  const name = canonical(server_name)
  const options: ConnectionOptions = {
    servername: isIP(name) ? '' : name,
    secureContext: contextFor(trust),
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
  }
  const secured = await dialWith((address) => connect({ ...options, ...address }), host, port, ip_family, attempt)
  attempt.doing('in the TLS handshake')
  await new Promise<void>((resolve, reject) => {
    secured.on('error', reject)
    secured.once('secureConnect', resolve)
    secured.once('close', () => reject(new Failure(`${attempt.where} closed the connection in the TLS handshake`)))
  })
  const certificate = secured.getPeerX509Certificate()
  if (!certificate) throw new Failure(`${attempt.where} presents no certificate`)
  const { validToDate } = certificate
  const code = secured.authorizationError as unknown as string | null
  const days = Math.floor((validToDate.getTime() - attempt.now().getTime()) / 86_400_000)
  return {
    socket: secured,
    certificate_days: days,
    problems: problemsOf(certificate, name, code, attempt.now(), to.redirected ? placeOf(host, port) : null),
  }
}

/** The same, but a bad certificate is a failure. */
export async function trusted(to: Place, trust: Trust, attempt: Attempt): Promise<Secured> {
  const secured = await secure(to, trust, attempt)
  const [problem] = secured.problems
  if (problem) throw new Failure(problem, { certificate_days: secured.certificate_days })
  return secured
}

/** The host in the spelling of certificates and of the handshake: ASCII, and addresses in their canonical form. */
function canonical(host: string): string {
  const read = readHost(host)
  if (!read) return host
  return 'address' in read ? read.address : read.name.replace(/\.$/, '')
}

function problemsOf(
  certificate: X509Certificate,
  name: string,
  code: string | null,
  now: Date,
  place: string | null,
): string[] {
  const { validFromDate, validToDate } = certificate
  const subject = place ? `The certificate of ${place}` : 'The certificate'
  const problems: string[] = []
  if (validToDate < now) problems.push(`${subject} expired on ${dayOf(validToDate)}`)
  if (validFromDate > now) problems.push(`${subject} is valid only from ${dayOf(validFromDate)}`)
  const chain = chainProblem(code, subject, problems.length > 0)
  if (chain) problems.push(chain)
  if (!isFor(certificate, name)) problems.push(`${subject} is for ${namesOf(certificate)}, not for ${name}`)
  return problems
}

function chainProblem(code: string | null, subject: string, ownDates: boolean): string | null {
  switch (code) {
    case null:
    case undefined:
      return null
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return ownDates ? null : `${subject} is issued by an authority whose certificate is out of date`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return `${subject} is self-signed`
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return `${subject} is issued by an authority that is not trusted`
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `${subject} is issued by an authority that is not trusted, or an intermediate certificate is missing`
    case 'CERT_REVOKED':
      return `${subject} was revoked`
    default:
      return `${subject} is not trusted (${code})`
  }
}

/** Ignores the common name of the subject, as browsers do. */
function isFor(certificate: X509Certificate, name: string): boolean {
  if (isIP(name)) return certificate.checkIP(name) !== undefined
  return certificate.checkHost(name, { subject: 'never' }) !== undefined
}

function namesOf({ subjectAltName }: X509Certificate): string {
  const names = (subjectAltName ?? '').split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''))
  const some = names.filter(Boolean).slice(0, 3).join(', ')
  return (some || 'no host') + (names.length > 3 ? ' and others' : '')
}

const dayOf = (date: Date) => date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

let plain: SecureContext | undefined
const contexts = new WeakMap<object, SecureContext>()

/** Cached for the lifetime of the target object: reading the authorities costs more than the check. */
function contextFor(trust: Trust): SecureContext {
  const { ca, client_certificate: own } = trust
  if (!ca && !own) {
    plain ??= createSecureContext()
    return plain
  }
  const known = contexts.get(trust)
  if (known) return known
  const made = createSecureContext({ ca, cert: own?.certificate, key: own?.key })
  contexts.set(trust, made)
  return made
}
