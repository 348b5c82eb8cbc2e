import { isContention, isUniqueViolation, violatedConstraint } from '../../persistence/failures.ts'
import type { LedgerEntry } from '../../persistence/ledger.ts'
import { pageRevision } from '../../persistence/page-revision.ts'
import { auditOf, recordAfter } from './audit.ts'
import { authorize } from './authorize.ts'
import { fingerprint } from './canonical.ts'
import type { Actor, Context, PageRef } from './context.ts'
import { notFound, Problem, versionConflict } from './errors.ts'
import { claimKey, ownerOf, withoutSecrets } from './idempotency.ts'
import type { AnyOperation, SubjectRef } from './operation.ts'
import { withListName, withoutListName } from './paging.ts'
import { parseInput } from './parse.ts'
import { readOnlyIn, requireCompared } from './read-only.ts'
import type { Services } from './services.ts'
import { asUnavailable } from './unavailable.ts'
import { runUnitOfWork, type UnitOfWork, wakeAfterCommit } from './unit-of-work.ts'

export interface Call {
  page: PageRef
  actor: Actor
  requestId: string
  input: unknown
  ref?: SubjectRef
  idempotencyKey?: string
  /** Set by a caller that wakes the process itself and waits for its step. */
  silent?: boolean
  /** What the caller does in the transaction of the operation. */
  within?: Within
}

/** The parts of a caller in the transaction of an operation. An error that a part throws undoes the operation. */
export interface Within {
  /** Before the subject is locked. */
  begin(ctx: Context): Promise<void>
  /** With the locked subject, before the operation runs. */
  locked(ctx: Context, record: unknown): Promise<void>
  end(ctx: Context, done: { output: unknown; record: unknown }): Promise<void>
}

export interface Outcome {
  output: unknown
  /** The record existed before the operation. */
  existing: boolean
  /** The answer is the stored answer of an earlier request with the same key. */
  replayed: boolean
  /** The state of the page that a read of the public saw. */
  revision?: string
}

const ATTEMPTS = 4

/** Runs an operation: permission, parsing, transaction, audit row, wake-ups. No operation runs in another way. */
export async function execute(services: Services, operation: AnyOperation, call: Call): Promise<Outcome> {
  const started = performance.now()
  let outcome = 'failed'
  try {
    authorize(operation, call)
    const input = withoutListName(operation.name, parseInput(operation.input, call.input))
    await operation.prepare?.(services, call.page, input as never)
    const result = await attempt(services, operation, call, input)
    outcome = 'done'
    return { ...result, output: withListName(operation.name, result.output) }
  } catch (error) {
    if (error instanceof Problem) outcome = error.code
    throw error
  } finally {
    services.observeOperation(operation.name, outcome, (performance.now() - started) / 1000)
  }
}

async function attempt(services: Services, operation: AnyOperation, call: Call, input: unknown): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await once(services, operation, call, input)
    } catch (error) {
      // A unique violation means that a concurrent request was first: the second attempt finds the record of that request.
      const again = isContention(error) || (isUniqueViolation(error) && tries === 1)
      if (again && tries < ATTEMPTS) continue
      throw explained(error)
    }
  }
}

function explained(error: unknown): unknown {
  if (error instanceof Problem) return error
  if (isUniqueViolation(error)) {
    return new Problem('conflict', 'Another record has this value already.', { constraint: violatedConstraint(error) })
  }
  if (isContention(error)) return new Problem('conflict', 'Too many concurrent changes: try again.')
  return asUnavailable(error)
}

async function once(services: Services, operation: AnyOperation, call: Call, input: unknown): Promise<Outcome> {
  const pageId = call.page.id
  const { result, woken } = await runUnitOfWork(
    services,
    { pageId, purpose: isRead(operation) ? 'read' : 'write' },
    (unit) => run(services, operation, call, input, unit),
  )
  if (woken.length > 0 && !call.silent) {
    services.reached('facts committed')
    wakeAfterCommit(services, pageId, woken)
  }
  if (operation.changesDirectory && !result.replayed) services.directoryChanged()
  if (operation.changes && operation.affectsPage !== false && !result.replayed) services.pageChanged(pageId)
  if (services.checkOutputs) operation.output.parse(JSON.parse(JSON.stringify(result.output)))
  return result
}

const isRead = ({ permission, changes }: AnyOperation) => permission === 'public' && !changes

async function run(
  services: Services,
  operation: AnyOperation,
  call: Call,
  input: unknown,
  { context, close }: UnitOfWork,
): Promise<Outcome> {
  const requestHash = fingerprint({ operation: operation.name, ref: call.ref, input: call.input })
  const key = call.idempotencyKey
  if (key !== undefined) {
    const stored = await claimKey(context.tx, call.actor, key, requestHash, context.now)
    if (stored) return { output: stored.output, existing: stored.existing, replayed: true }
  }
  let existing = false
  let untouched = false
  const ctx: Context = Object.assign(context, {
    page: call.page,
    actor: call.actor,
    requestId: call.requestId,
    services,
    requestHash,
    createHash: requestHash,
    auditExtras: { before: {}, after: {} },
    readOnly: operation.changes ? readOnlyIn(operation.input, input as object) : {},
    existing() {
      existing = true
      untouched = true
    },
    revised() {
      existing = true
    },
  })
  await call.within?.begin(ctx)
  const record = await subjectOf(operation, ctx, call, input)
  await call.within?.locked(ctx, record)
  // Read after the subject is locked: changes by others during the wait for the lock must not have a later time.
  if (operation.subject && operation.changes) ctx.now = services.clock()
  const before = record === undefined ? undefined : operation.subject?.snapshot(record)
  const output = await operation.run(ctx, input as never, record)
  requireCompared(ctx)
  if (operation.changes) await ctx.tx.flush()
  await call.within?.end(ctx, { output, record })
  await close(tracesOf(operation, call, { ctx, existing, untouched, output, before, record }))
  const revision = isRead(operation) ? await pageRevision(ctx.tx, call.page.id) : undefined
  return { output, existing, replayed: false, ...(revision !== undefined && { revision }) }
}

async function subjectOf(operation: AnyOperation, ctx: Context, call: Call, input: unknown): Promise<unknown> {
  const { subject } = operation
  if (!subject) return undefined
  if (!call.ref && !subject.singleton)
    throw new Error(`${operation.name} was called without a reference to its ${subject.kind}`)
  const record = await subject.find(ctx, call.ref, { lock: operation.changes })
  if (!record) throw notFound(subject.kind)
  const { version: wanted } = input as { version?: number }
  const { version: current } = record as { version?: number }
  const isOutdated = wanted !== undefined && current !== undefined && wanted !== current
  if (isOutdated && !operation.isRepeated?.(record)) throw versionConflict(current)
  return record
}

interface Done {
  ctx: Context
  existing: boolean
  untouched: boolean
  output: unknown
  before: Record<string, unknown> | undefined
  record: unknown
}

/** The audit row of an operation, and its answer under the idempotency key. */
function tracesOf(operation: AnyOperation, call: Call, done: Done): Pick<LedgerEntry, 'audit' | 'idempotency'> {
  const { ctx, existing, untouched, output, before, record } = done
  const { requestHash, auditExtras } = ctx
  const shown = operation.changes ? withoutSecrets(operation.output, output) : undefined
  const after = record === undefined ? undefined : recordAfter(operation, record as object)
  const id = record === undefined ? undefined : operation.subject?.id(record)
  return {
    audit:
      operation.changes && !untouched
        ? auditOf(operation, call, { before, after, auditExtras, output: shown, id, made: ctx.made })
        : undefined,
    idempotency:
      call.idempotencyKey === undefined
        ? undefined
        : {
            actor: ownerOf(call.actor),
            key: call.idempotencyKey,
            request_hash: requestHash,
            existing,
            output: shown ?? output,
          },
  }
}
