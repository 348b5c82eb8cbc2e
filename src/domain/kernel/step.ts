import { type EntityName, type FilterQuery, LockMode } from '@mikro-orm/postgresql'
import { workflowIdOf } from '../../../workflows/processes.ts'
import { isContention, isDatabaseAway, sqlStateOf } from '../../persistence/failures.ts'
import { answerRequests, type Note, saveProblem, saveProcess, takeWakeups } from '../../persistence/processes.ts'
import { inPageTransaction } from '../../persistence/transactions.ts'
import { firstScanAt, type ProcessOfPage } from './processes.ts'
import type { Services } from './services.ts'
import { runUnitOfWork, wakeAfterCommit } from './unit-of-work.ts'
import type { WorkContext } from './work-context.ts'

/** The context of a step: its transaction, the id of its subject, and `note` for the history of the process. */
export interface StepContext extends WorkContext {
  id: number
  services: Services
  note(cause: string, message: string): void
}

export interface StepResult {
  done: boolean
  /** What the process waits for, or how the process ended: `the reminder at 10:00`. */
  says: string
  until?: Date
  /** The argument of the errand that the workflow runs before the next step. */
  errand?: string
}

export interface Step {
  (ctx: StepContext, work?: unknown): Promise<StepResult>
  /** Work that takes long or runs operations, done before the transaction of the step, which gets the result. */
  work?(services: Services, process: ProcessOfPage): Promise<unknown>
  /** `false`: readers of the page see nothing of what the step changes. */
  affectsPage?: boolean
}

/** A step with work, whose result keeps its type between both parts. */
export function workingStep<W>(parts: {
  work(services: Services, process: ProcessOfPage): Promise<W>
  step(ctx: StepContext, work: W): Promise<StepResult>
  affectsPage?: boolean
}): Step {
  const { work, step, affectsPage = true } = parts
  return Object.assign((ctx: StepContext, done: unknown) => step(ctx, done as W), { work, affectsPage })
}

/** Locks the subject of a step, and sets `ctx.now` to the moment at which the lock is held. */
export async function lockSubject<S extends { id: number }>(
  ctx: StepContext,
  entity: EntityName<S>,
): Promise<S | null> {
  const where = { id: ctx.id } as FilterQuery<S>
  const subject = await ctx.tx.findOne(entity, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
  ctx.now = ctx.clock()
  return subject as S | null
}

interface ProcessCall extends ProcessOfPage {
  /** The clock of the workflow at its call; absent without a workflow. */
  now?: Date
}

/** The result of a step that was taken without its workflow. */
export interface TakenStep extends StepResult {
  /** The workflow has no timer yet for the next due moment. */
  needsTimer: boolean
}

const ATTEMPTS = 3

/**
 * One step of one process, in one transaction: deletes the wake-ups, then reads the facts, does what is due, writes notes,
 * and returns the next due moment.
 */
export async function takeStep(services: Services, step: Step, call: ProcessCall): Promise<StepResult> {
  const { needsTimer: _, ...result } = await takeStepHere(services, step, call)
  return result
}

/** The same without the workflow; the result says whether the workflow needs a new timer. */
export async function takeStepHere(services: Services, step: Step, call: ProcessCall): Promise<TakenStep> {
  const clock = clockNotBehind(services, call.now)
  for (let tries = 1; ; tries += 1) {
    try {
      services.reached('step called')
      // Facts that are committed during the work come with a wake-up, which the step below acknowledges: the step reads them again.
      const work = await step.work?.(services, call)
      const { result, woken } = await once(services, (ctx) => step(ctx, work), { ...call, clock })
      const { needsTimer, wrote, wakeups } = result
      services.reached('step committed')
      wakeAfterCommit(services, call.pageId, woken)
      for (const { created_at } of wakeups) services.observeWakeup(secondsSince(created_at, services.clock()))
      if (wrote && step.affectsPage !== false) services.pageChanged(call.pageId)
      services.reached('others notified')
      return { ...result.step, needsTimer }
    } catch (error) {
      if (isContention(error) && tries < ATTEMPTS) continue
      await noteProblem(services, call, error)
      throw error
    }
  }
}

/**
 * The clock of a step is never behind the clock of the workflow, by which a moment is due: the clocks of the two machines may
 * differ, and a server that skips time runs far ahead.
 */
export function clockNotBehind({ clock }: Pick<Services, 'clock'>, now: Date | undefined): () => Date {
  if (!now) return clock
  const ahead = Math.max(0, now.getTime() - clock().getTime())
  return () => new Date(clock().getTime() + ahead)
}

const secondsSince = (moment: Date, now: Date) => (now.getTime() - moment.getTime()) / 1000

/** Stores for admins that the step fails. The error itself may contain secrets and is only logged. */
async function noteProblem(services: Services, call: ProcessCall, error: unknown): Promise<void> {
  if (isDatabaseAway(error)) return
  const { kind, pageId, id } = call
  const workflowId = workflowIdOf(call)
  services.logger.error(
    { workflow_id: workflowId, err: error },
    'the step of a process failed; the process retries the step',
  )
  const state = sqlStateOf(error)
  const problem = `The last step failed${state ? ` with the SQL state ${state}` : ''}. The log has the details.`
  const failed = { workflow_id: workflowId, page_id: pageId, kind, subject_id: id, problem, now: services.clock() }
  await inPageTransaction(services.app, pageId, (tx) => saveProblem(tx, failed)).catch(() => {})
}

function once(services: Services, step: Step, call: ProcessCall & { clock: () => Date }) {
  const { reached } = services
  const { pageId, id, clock } = call
  const workflowId = workflowIdOf(call)
  return runUnitOfWork(services, { pageId, clock }, async ({ context, close }) => {
    const { tx } = context
    const { wakeups, requests } = await takeWakeups(tx, workflowId)
    reached('wake-ups taken')
    const notes: Note[] = []
    const note = (cause: string, message: string) => notes.push({ cause, message })
    const ctx: StepContext = Object.assign(context, { id, note, services })
    const result = await step(ctx)
    await tx.flush()
    reached('facts written')
    await close()
    reached('ledger written')
    const needsTimer = await saveProcess(tx, {
      workflow_id: workflowId,
      page_id: pageId,
      kind: call.kind,
      subject_id: id,
      state: result.done ? 'done' : 'waiting',
      waiting_for: result.says,
      until: result.done ? null : (result.until ?? null),
      byWorkflow: call.now !== undefined,
      firstScanAt: firstScanAt(services.clock()),
      now: ctx.now,
      notes,
    })
    reached('process saved')
    await answerRequests(tx, requests, ctx.now)
    reached('requests answered')
    return { step: result, needsTimer, wrote: notes.length > 0, wakeups }
  })
}
