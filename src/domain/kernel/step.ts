import type { EntityManager } from '@mikro-orm/postgresql'
import { isContention } from '../../persistence/failures.ts'
import { answerRequests, type Note, saveProcess, takeWakeups } from '../../persistence/processes.ts'
import { behindWall } from '../../persistence/wall.ts'
import type { Services } from './services.ts'

/** What a process is handed when it looks: its subject, the moment, and a place to write down why. */
export interface StepContext {
  tx: EntityManager
  pageId: number
  id: number
  now: Date
  minuteMs: number
  note(cause: string, message: string): void
}

export interface StepResult {
  done: boolean
  /** What it waits for now, or how it ended: `the reminder at 10:00`. */
  says: string
  until?: Date
}

export type Step = (ctx: StepContext) => Promise<StepResult>

interface ProcessCall {
  kind: string
  pageId: number
  id: number
  now: Date
}

const ATTEMPTS = 3

/**
 * One step of one process, in one transaction: acknowledge the wake-ups, read the facts after that, do what is due,
 * write why, and say what is next.
 */
export async function takeStep(services: Services, step: Step, call: ProcessCall): Promise<StepResult> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { result, wrote, wakeups } = await once(services, step, call)
      for (const { created_at } of wakeups) services.observeWakeup(secondsSince(created_at, services.clock()))
      if (wrote) services.pageChanged(call.pageId)
      return result
    } catch (error) {
      if (!isContention(error) || tries >= ATTEMPTS) throw error
    }
  }
}

const secondsSince = (moment: Date, now: Date) => (now.getTime() - moment.getTime()) / 1000

function once(services: Services, step: Step, call: ProcessCall) {
  const workflowId = `${call.kind}:${call.id}`
  return behindWall(services.app, call.pageId, async (tx) => {
    const { wakeups, requests } = await takeWakeups(tx, workflowId)
    const notes: Note[] = wakeups.map(({ reason }) => ({ cause: 'wake-up', message: `woken by ${reason}` }))
    const note = (cause: string, message: string) => notes.push({ cause, message })
    const { pageId, id, now } = call
    const result = await step({ tx, pageId, id, now, minuteMs: services.minuteMs, note })
    await tx.flush()
    await saveProcess(tx, {
      workflow_id: workflowId,
      page_id: pageId,
      kind: call.kind,
      subject_id: id,
      state: result.done ? 'done' : 'waiting',
      waiting_for: result.says,
      until: result.until ?? null,
      now,
      notes,
    })
    await answerRequests(tx, requests, now)
    return { result, wrote: notes.length > wakeups.length, wakeups }
  })
}
