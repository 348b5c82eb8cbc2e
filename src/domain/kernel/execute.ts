import type { EntityManager } from '@mikro-orm/postgresql'
import { isContention, isUniqueViolation, violatedConstraint } from '../../persistence/failures.ts'
import { writeLedger } from '../../persistence/ledger.ts'
import { behindWall } from '../../persistence/wall.ts'
import { auditOf, recordAfter } from './audit.ts'
import { authorize } from './authorize.ts'
import { fingerprint } from './canonical.ts'
import type { Actor, Context, PageRef } from './context.ts'
import { notFound, Problem, versionConflict } from './errors.ts'
import { claimKey, ownerOf, withoutSecrets } from './idempotency.ts'
import type { AnyOperation, SubjectRef } from './operation.ts'
import { withListName, withoutListName } from './paging.ts'
import { parseInput } from './parse.ts'
import { firstScanAt } from './processes.ts'
import { readOnlyIn, requireCompared } from './read-only.ts'
import type { Services } from './services.ts'
import { asUnavailable } from './unavailable.ts'

export interface Call {
  page: PageRef
  actor: Actor
  requestId: string
  input: unknown
  ref?: SubjectRef
  idempotencyKey?: string
  /** Set by a caller that wakes the process itself and waits for its step. */
  silent?: boolean
}

export interface Outcome {
  output: unknown
  /** The record existed before the operation. */
  existing: boolean
  /** The answer is the stored answer of an earlier request with the same key. */
  replayed: boolean
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
  const now = services.clock()
  const wakeups = new Map<string, string>()
  let existing = false
  let untouched = false
  const outcome = await behindWall(services.app, call.page.id, async (tx) => {
    const requestHash = fingerprint({ operation: operation.name, ref: call.ref, input: call.input })
    const key = call.idempotencyKey
    if (key !== undefined) {
      const stored = await claimKey(tx, call.actor, key, requestHash, now)
      if (stored) return { output: stored.output, existing: stored.existing, replayed: true }
    }
    const ctx: Context = {
      tx,
      page: call.page,
      actor: call.actor,
      requestId: call.requestId,
      now,
      clock: services.clock,
      keyring: services.keyring,
      beatTargets: services.beatTargets,
      ownPorts: services.ownPorts,
      regions: services.regions,
      canPing: services.canPing,
      baseUrl: services.baseUrl,
      baseDomain: services.baseDomain,
      minuteMs: services.minuteMs,
      requestHash,
      createHash: requestHash,
      events: [],
      auditExtras: { before: {}, after: {} },
      readOnly: operation.changes ? readOnlyIn(operation.input, input as object) : {},
      wake: (workflowId, reason) => wakeups.set(workflowId, reason),
      reached: services.reached,
      existing: () => {
        existing = true
        untouched = true
      },
      revised: () => {
        existing = true
      },
    }
    const record = await subjectOf(operation, ctx, call, input)
    // Read after the subject is locked: changes by others during the wait for the lock must not have a later time.
    if (operation.subject && operation.changes) ctx.now = services.clock()
    const before = record === undefined ? undefined : operation.subject?.snapshot(record)
    const output = await operation.run(ctx, input as never, record)
    requireCompared(ctx)
    if (operation.changes) await tx.flush()
    await close(tx, operation, call, { ctx, wakeups, existing, untouched, output, before, record })
    return { output, existing, replayed: false }
  })
  if (wakeups.size > 0 && !call.silent) {
    services.reached('facts committed')
    services.bell.ring([...wakeups.keys()].map((workflowId) => ({ workflowId, pageId: call.page.id })))
  }
  if (operation.changes && !outcome.replayed) services.pageChanged(call.page.id)
  if (services.checkOutputs) operation.output.parse(JSON.parse(JSON.stringify(outcome.output)))
  return outcome
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
  if (wanted !== undefined && current !== undefined && wanted !== current) throw versionConflict(current)
  return record
}

interface Closing {
  ctx: Context
  wakeups: Map<string, string>
  existing: boolean
  untouched: boolean
  output: unknown
  before: Record<string, unknown> | undefined
  record: unknown
}

function close(tx: EntityManager, operation: AnyOperation, call: Call, closing: Closing): Promise<void> {
  const { ctx, wakeups, existing, untouched, output, before, record } = closing
  const { now, events, requestHash, auditExtras } = ctx
  const shown = operation.changes ? withoutSecrets(operation.output, output) : undefined
  const after = record === undefined ? undefined : recordAfter(operation, record as object)
  const id = record === undefined ? undefined : operation.subject?.id(record)
  return writeLedger(tx, {
    pageId: call.page.id,
    now,
    firstScanAt: firstScanAt(now),
    events,
    wakeups: [...wakeups].map(([workflow_id, reason]) => ({ workflow_id, reason })),
    audit:
      operation.changes && !untouched
        ? auditOf(operation, call, { before, after, auditExtras, output: shown, id })
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
  })
}
