import { isContention } from '../../persistence/failures.ts'
import { writeLedger } from '../../persistence/ledger.ts'
import type { NewEvent } from '../../persistence/notifications.ts'
import { answerRequests, type Note, saveProcess, takeWakeups } from '../../persistence/processes.ts'
import { behindWall } from '../../persistence/wall.ts'
import { firstScanAt } from './processes.ts'
import type { Scene } from './scene.ts'
import type { Services } from './services.ts'

/** What a process is handed when it looks: its subject, the moment, and a place to write down why. */
export interface StepContext extends Scene {
  id: number
  note(cause: string, message: string): void
}

export interface StepResult {
  done: boolean
  /** What it waits for now, or how it ended: `the reminder at 10:00`. */
  says: string
  until?: Date
  /** Where something outside is to be done before it looks again; what that is, its workflow knows. */
  errand?: string
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
      services.reached('step called')
      const { result, wrote, wakeups, woken } = await once(services, step, call)
      services.reached('step committed')
      if (woken.length > 0) services.bell.ring(woken.map((workflowId) => ({ workflowId, pageId: call.pageId })))
      for (const { created_at } of wakeups) services.observeWakeup(secondsSince(created_at, services.clock()))
      if (wrote) services.pageChanged(call.pageId)
      services.reached('others told')
      return result
    } catch (error) {
      if (!isContention(error) || tries >= ATTEMPTS) throw error
    }
  }
}

const secondsSince = (moment: Date, now: Date) => (now.getTime() - moment.getTime()) / 1000

function once(services: Services, step: Step, call: ProcessCall) {
  const { minuteMs, reached } = services
  const workflowId = `${call.kind}:${call.id}`
  return behindWall(services.app, call.pageId, async (tx) => {
    const { wakeups, requests } = await takeWakeups(tx, workflowId)
    reached('wake-ups taken')
    const notes: Note[] = wakeups.map(({ reason }) => ({ cause: 'wake-up', message: `woken by ${reason}` }))
    const note = (cause: string, message: string) => notes.push({ cause, message })
    const { pageId, id, now } = call
    const events: NewEvent[] = []
    const woken = new Map<string, string>()
    const wake = (other: string, reason: string) => woken.set(other, reason)
    const result = await step({ tx, pageId, id, now, minuteMs, events, wake, reached, note })
    await tx.flush()
    reached('facts written')
    await writeLedger(tx, {
      pageId,
      now: services.clock(),
      events,
      wakeups: [...woken].map(([workflow_id, reason]) => ({ workflow_id, reason })),
      firstScanAt: firstScanAt(services.clock()),
    })
    reached('ledger written')
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
    reached('process saved')
    await answerRequests(tx, requests, now)
    reached('requests answered')
    return { result, wrote: notes.length > wakeups.length, wakeups, woken: [...woken.keys()] }
  })
}
