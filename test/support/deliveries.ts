import { deliverDue } from '../../activities/deliveries/deliver.ts'
import { type OpenDeliveries, openDeliveries } from '../../activities/deliveries/open.ts'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { claimEvent } from '../../src/persistence/notifications.ts'
import type { ProcessKind } from '../../workflows/processes.ts'
import type { TestService } from './test-service.ts'

/** The part of the worker that finds recipients and sends, without Temporal: time passes only as a test sets it. */
export interface TestDeliveries {
  /** Takes the steps and runs the errands of all notifications until nothing is due. */
  settle(): Promise<void>
  close(): Promise<void>
}

export function deliveriesOf(service: TestService, senders: Partial<OpenDeliveries['senders']> = {}): TestDeliveries {
  const own = openDeliveries(service.services)
  const open: OpenDeliveries = { ...own, senders: { ...own.senders, ...senders } }
  return {
    async settle() {
      for (const { kind, id, pageId } of await openProcesses(service)) await run(service, open, { kind, id, pageId })
    },
    close: () => open.close(),
  }
}

interface Ref {
  kind: 'notification' | 'digest'
  id: number
  pageId: number
}

async function openProcesses({ services }: TestService): Promise<Ref[]> {
  const rows = await services.system.em.fork().execute<{ kind: ProcessKind; id: number; page_id: number }[]>(
    `select 'notification' as kind, id::float8 as id, page_id from notification_event where state in ('queued', 'sending')
      union all select distinct 'digest', page_id, page_id from delivery where digest and next_attempt_at is not null
      order by 1 desc, 2`,
  )
  return rows.map(({ kind, id, page_id }) => ({ kind: kind as Ref['kind'], id, pageId: page_id }))
}

/** As the workflow does: a step, its errand, and the next step, until the process waits. */
async function run({ services, now }: TestService, open: OpenDeliveries, ref: Ref): Promise<void> {
  for (;;) {
    const result = await takeStep(services, steps[ref.kind], { ...ref, now })
    if (result.errand !== undefined) {
      await deliverDue(
        { ...open, signal: new AbortController().signal },
        { page_id: ref.pageId, id: ref.id, kind: ref.kind, now: now.getTime() },
      )
    } else if (result.done || !result.until || result.until > services.clock()) return
  }
}

/** An internal event with its delivery to the page. No operation creates one. */
export async function insertNotification({ services, now }: TestService, { id }: { id: number }): Promise<void> {
  const event = {
    ...{
      page_id: id,
      key: 'beat.stage_changed',
      natural_key: `beat:1:test:${crypto.randomUUID()}`,
      subject_kind: 'beat',
    },
    ...{ subject_id: 1, due_at: now, created_at: now, late: false, missed: 0, data: {}, withheld: null },
  }
  await claimEvent(services.system.em.fork(), event, now)
}
