/** The codes of errors that callers see. `web/errors.ts` maps each code to an HTTP status. */
export type ProblemCode =
  | 'invalid_request'
  | 'unauthenticated'
  | 'ingest_token_invalid'
  | 'ingest_token_expired'
  | 'endpoint_disabled'
  | 'viewer_auth_required'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'version_conflict'
  | 'external_id_conflict'
  | 'idempotency_in_flight'
  | 'idempotency_key_reused'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'plan_needs_input'
  | 'plan_expired'
  | 'plan_cancelled'
  | 'plan_failed'
  | 'plan_conflicted'
  | 'link_invalid'
  | 'link_expired'
  | 'unavailable'
  | 'internal'

export interface FieldError {
  path: string
  message: string
}

export class Problem extends Error {
  readonly code: ProblemCode
  readonly details: Record<string, unknown>

  constructor(code: ProblemCode, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.details = details
  }
}

export function invalid(errors: FieldError[]): Problem {
  const [first] = errors
  const message = first ? (first.path ? `${first.path}: ${first.message}` : first.message) : 'The request is not valid.'
  return new Problem('invalid_request', message, { errors })
}

export function notFound(what: string): Problem {
  return new Problem('not_found', `There is no such ${what.replaceAll('_', ' ')} on this page.`)
}

/** The answer for a page that does not exist, and for a private page that the reader may not see. */
export function noSuchPage(): Problem {
  return new Problem('not_found', 'There is no such page, or this token does not belong to it.')
}

export function versionConflict(current: number): Problem {
  return new Problem(
    'version_conflict',
    `The record was changed after that version: its current version is ${current}.`,
    {
      current_version: current,
    },
  )
}

/** Refuses a write with a version if the record has another version or was deleted. */
export function requireVersion(record: { version: number } | null, wanted: number | undefined): void {
  if (wanted === undefined || wanted === record?.version) return
  if (record) throw versionConflict(record.version)
  throw new Problem('conflict', `The record was deleted. Leave \`version\` out to create the record.`)
}
