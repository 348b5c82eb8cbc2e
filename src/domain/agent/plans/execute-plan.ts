import { LockMode } from '@mikro-orm/postgresql'
import { workflowIdOf } from '../../../../workflows/processes.ts'
import { ActionPlan, type PlanConflict, type StoredPlanStep } from '../../../persistence/entities/action-plan.ts'
import { ApiToken } from '../../../persistence/entities/api-token.ts'
import { ProcessNote } from '../../../persistence/entities/process-note.ts'
import { pageById } from '../../../persistence/system/directory.ts'
import { inPageTransaction } from '../../../persistence/transactions.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { execute, type Within } from '../../kernel/execute.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { ProcessOfPage } from '../../kernel/processes.ts'
import type { Services } from '../../kernel/services.ts'
import { stateOf } from '../../tokens/rules.ts'
import { conflictsOf, plain } from './conflicts.ts'
import { SEAL } from './draft-steps.ts'
import { endOfFailedPlan } from './status-rules.ts'
import { planProcess } from './subject.ts'

/** Another process has run the step. */
class StepTaken extends Problem {
  constructor() {
    super('conflict', 'The step of the plan was run by another process.')
  }
}

class RecordChanged extends Problem {
  readonly conflicts: PlanConflict[]
  constructor(conflicts: PlanConflict[]) {
    super('plan_conflicted', 'The record has changed since the plan was drafted.')
    this.conflicts = conflicts
  }
}

/** Runs the pending steps of a confirmed plan in order, each in the transaction that marks the step as done. */
export async function executePlan(services: Services, { pageId, id }: ProcessOfPage): Promise<void> {
  for (;;) {
    const plan = await inPageTransaction(services.app, pageId, (tx) => tx.findOne(ActionPlan, { id }))
    if (plan?.status !== 'executing') return
    const step = plan.steps.find(({ status }) => status === 'pending')
    if (!step) return
    await runStep(services, plan, step)
  }
}

async function runStep(services: Services, plan: ActionPlan, step: StoredPlanStep): Promise<void> {
  const { page_id, id, confirmer } = plan
  const operation = services.operations.get(step.operation)
  if (!operation)
    return stop(services, plan, step.id, new Problem('not_found', 'This version of the service has no such operation.'))
  const input = openInput(services, step)
  if (!input) {
    return stop(services, plan, step.id, new Problem('conflict', 'The encryption key of its input was removed.'))
  }
  try {
    await execute(services, operation, {
      page: await pageById(services.system, page_id),
      actor: { kind: 'token', ...confirmer! },
      requestId: `plan-${id}-${step.id}`,
      input,
      ...(step.ref ? { ref: step.ref } : {}),
      within: inStep(operation, plan, step),
    })
  } catch (error) {
    if (error instanceof StepTaken) return
    if (!(error instanceof Problem) || error.code === 'unavailable') throw error
    await stop(services, plan, step.id, error)
  }
}

/** Undefined if the key of the input is not among the keys of the service any more. */
function openInput({ keyring }: Services, { sealed_input }: StoredPlanStep): Record<string, unknown> | undefined {
  return keyring.holds(sealed_input.key_id) ? JSON.parse(keyring.decrypt(sealed_input, SEAL)) : undefined
}

/** Locks the plan first, so that two processes cannot run the same step. */
const inStep = (
  operation: AnyOperation,
  { id }: ActionPlan,
  { id: stepId, expected, effect }: StoredPlanStep,
): Within => ({
  async begin(ctx) {
    const plan = await lockPlan(ctx, id)
    const step = plan?.steps.find((one) => one.id === stepId)
    if (plan?.status !== 'executing' || step?.status !== 'pending') throw new StepTaken()
    await requireToken(ctx)
  },
  async locked(_ctx, record) {
    if (!expected) return
    const { version } = record as { version?: number }
    const snapshot = plain(operation.subject!.snapshot(record)) as Record<string, unknown>
    const conflicts = conflictsOf(expected, { version, snapshot })
    if (conflicts.length > 0) throw new RecordChanged(conflicts)
  },
  async end(ctx, { output, record }) {
    const plan = (await ctx.tx.findOne(ActionPlan, { id }))!
    const result = resultOf(operation, output, record)
    change(plan, stepId, { status: 'done', ...(result ? { result } : {}) })
    note(ctx, plan, `executed step ${stepId}${result ? ` (${result.kind} ${result.id})` : ''}: ${effect}`)
    if (plan.steps.every(({ status }) => status === 'done')) plan.status = 'executed'
  },
})

const lockPlan = ({ tx }: Pick<Context, 'tx'>, id: number) =>
  tx.findOne(ActionPlan, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })

function change(plan: ActionPlan, stepId: string, changes: Partial<StoredPlanStep>): void {
  plan.steps = plan.steps.map((step) => (step.id === stepId ? { ...step, ...changes } : step))
  plan.version += 1
}

/** The token may have been revoked, or have lost a permission, after the confirmation. */
async function requireToken({ tx, actor, now }: Context): Promise<void> {
  const { id, name } = actor as Actor & { kind: 'token' }
  const token = await tx.findOne(ApiToken, { id })
  const state = token ? stateOf(token, now) : 'deleted'
  if (state !== 'active') throw new Problem('forbidden', `The token "${name}", which confirmed the plan, is ${state}.`)
}

function resultOf(operation: AnyOperation, output: unknown, record: unknown): StoredPlanStep['result'] {
  const { subject } = operation
  const made = output as { id?: unknown; version?: unknown } | null
  const [kind, id, version] = record
    ? [subject!.kind, subject!.id(record), (record as { version?: number }).version]
    : [operation.makes ?? operation.name.split('.')[0]!, made?.id, made?.version]
  if (typeof id !== 'number') return undefined
  return { kind, id, ...(typeof version === 'number' ? { version } : {}) }
}

/** Ends the plan at a step that was refused. Steps that are done stay. */
async function stop(services: Services, { id, page_id }: ActionPlan, stepId: string, problem: Problem): Promise<void> {
  await inPageTransaction(services.app, page_id, async (tx) => {
    const plan = await lockPlan({ tx }, id)
    const step = plan?.steps.find((one) => one.id === stepId)
    if (plan?.status !== 'executing' || step?.status !== 'pending') return
    const nothingDone = plan.steps.every(({ status }) => status !== 'done')
    const conflicts = nothingDone ? conflictsIn(problem, step) : []
    if (conflicts.length > 0) {
      plan.status = 'conflicted'
      plan.conflicts = conflicts
      plan.version += 1
      note({ tx, now: services.clock() }, plan, notExecuted(conflicts))
      return
    }
    plan.ended_because = endOfFailedPlan(plan.steps, stepId, problem.message)
    plan.steps = plan.steps.map((one) => (one.status === 'pending' ? { ...one, status: 'skipped' } : one))
    change(plan, stepId, { status: 'failed', error: problem.message })
    plan.status = 'failed'
    note({ tx, now: services.clock() }, plan, `failed: ${plan.ended_because}`)
  })
}

/** In the transaction of the fact that the note explains, so that each note exists once. */
function note({ tx, now }: Pick<Context, 'tx' | 'now'>, { id, page_id }: ActionPlan, message: string): void {
  tx.create(ProcessNote, { page_id, workflow_id: workflowIdOf(planProcess(id)), at: now, cause: 'plan', message })
}

const notExecuted = (conflicts: PlanConflict[]): string =>
  `not executed: ${[...new Set(conflicts.map(({ kind, id }) => `${kind} ${id}`))].join(', ')} changed after the draft`

/** A record that is gone or has another version is a conflict of the plan, not a failure. */
function conflictsIn(problem: Problem, { expected }: StoredPlanStep): PlanConflict[] {
  if (problem instanceof RecordChanged) return problem.conflicts
  if (problem.code === 'not_found' && expected) return conflictsOf(expected, undefined)
  if (problem.code !== 'version_conflict' || !expected) return []
  const { kind, id, version = null } = expected
  return [{ kind, id, field: 'version', was: version, is: problem.details.current_version }]
}
