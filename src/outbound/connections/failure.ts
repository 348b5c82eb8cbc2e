import type { Attempt } from './attempt.ts'

/** What an attempt has seen before it failed. */
export interface Observed {
  latency_ms?: number | null
  status_code?: number
  packet_loss?: number
  certificate_days?: number
  /** A rule of the service forbids the connection. */
  refused?: true
}

/** A failure of the target, with its evidence. */
export class Failure extends Error {
  readonly known: Observed

  constructor(evidence: string, known: Observed = {}) {
    super(evidence)
    this.known = known
  }
}

/** This machine cannot run the check. Such a check is no result of the target and must not change a beat's stage. */
export class CheckImpossible extends Error {}

/** The failure of an attempt in words. Other errors than those of the system are thrown. */
export function failureOf(problem: unknown, attempt: Attempt): Failure {
  if (problem instanceof Failure) return problem
  const { code, syscall } = (problem ?? {}) as { code?: unknown; syscall?: unknown }
  if (typeof code !== 'string' || problem instanceof CheckImpossible) throw problem
  if (ours.has(code))
    throw new CheckImpossible(
      `The worker could not connect to ${attempt.where}: its machine lacks ports, files, memory or an address (${code})`,
    )
  return new Failure(String(syscall).startsWith('query') ? lookupEvidence(code, attempt) : evidenceFor(code, attempt))
}

/** Codes for a shortage on this machine: ports, files, memory, IPv6. */
const ours = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'])

function lookupEvidence(code: string, { where }: Attempt): string {
  switch (code) {
    case 'ENOTFOUND':
      return `The name ${where} does not exist (NXDOMAIN)`
    case 'ENODATA':
      return `The name ${where} has no record of this type`
    case 'ESERVFAIL':
      return `The name server could not answer for ${where} (SERVFAIL)`
    case 'EREFUSED':
      return `The name server refused to answer for ${where}`
    case 'ETIMEOUT':
      return `The name server did not answer for ${where}`
    case 'ECONNREFUSED':
      return `No name server accepts the query for ${where} (connection refused)`
    default:
      return `The name ${where} could not be looked up (${code})`
  }
}

function evidenceFor(code: string, { where }: Attempt): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${where} (connection refused)`
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
      return `${where} closed the connection (connection reset)`
    case 'ETIMEDOUT':
      return `${where} does not answer (connection timed out)`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
    case 'ENETDOWN':
      return `No route leads to ${where} (unreachable)`
    case 'EACCES':
    case 'EPERM':
      return `This machine may not connect to ${where} (forbidden)`
    case 'HPE_HEADER_OVERFLOW':
      return `${where} sent headers of more than 64 KiB`
    default:
      if (code.startsWith('HPE_')) return `${where} did not answer in HTTP (${code})`
      return tlsEvidence(code, where) ?? `${where} could not be checked (${code})`
  }
}

function tlsEvidence(code: string, where: string): string | null {
  if (
    /WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST|UNKNOWN_PROTOCOL|BAD_RECORD_TYPE|UNEXPECTED_MESSAGE/.test(code)
  ) {
    return `${where} does not use TLS`
  }
  if (/CERTIFICATE_REQUIRED/.test(code)) return `${where} requires a client certificate`
  if (/ALERT_(BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE|ACCESS_DENIED|DECRYPT_ERROR)/.test(code)) {
    return `${where} does not accept the client certificate`
  }
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(code)) return `${where} supports no secure version of TLS`
  if (/HANDSHAKE_FAILURE|NO_SHARED_CIPHER/.test(code)) return `${where} refused the TLS handshake`
  if (/UNRECOGNIZED_NAME/.test(code)) return `${where} does not serve the requested server name (TLS)`
  return /^ERR_SSL|^EPROTO$/.test(code) ? `The TLS handshake with ${where} failed (${code})` : null
}
