import { itemsOfMaintenance } from '../../persistence/branches.ts'
import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceUpdate } from '../../persistence/entities/maintenance-update.ts'
import { wakeSuppressed } from '../beats/stage/wake-suppressed.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import { isLate } from '../kernel/lateness-rules.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { translateByItself } from '../translations/write.ts'
import { stagesOf } from '../vocabulary/lookup.ts'
import { firstStage } from '../vocabulary/rules.ts'
import { isOver, type Status, stageOf } from './rules.ts'
import { prepared } from './wording.ts'

export interface NewUpdate {
  /** Else what was prepared for the turn. */
  message?: string
  /** The status that the maintenance has from now on; the one it has makes a note. */
  status: Status
  stageId?: number
  /** When the schedule wanted this, if nobody but the schedule did. */
  due?: Date
  /** When that was asked for: who asks for what was due before has not been kept waiting. */
  asked?: Date
  notify: boolean
}

/** Writes a timeline entry, and with a new status moves the maintenance, its items and its stage, all or nothing. */
export async function writeUpdate(
  work: WorkContext,
  maintenance: Maintenance,
  entry: NewUpdate,
): Promise<MaintenanceUpdate> {
  const { tx, pageId, now } = work
  const { status, due, asked } = entry
  const moves = status !== maintenance.status
  const said = await wordsOf(work, maintenance, entry, moves)
  const update = tx.create(MaintenanceUpdate, {
    page_id: pageId,
    maintenance_id: maintenance.id,
    message: said.message,
    status,
    previous_status: maintenance.status,
    lifecycle_stage_id: entry.stageId ?? (await stageAfter(work, maintenance, status, moves)),
    due_at: due ?? null,
    late: due !== undefined && isLate(now, asked && asked > due ? asked : due, work.minuteMs),
    created_at: now,
    updated_at: now,
  })
  if (moves) turn(maintenance, status, now, due)
  maintenance.lifecycle_stage_id = update.lifecycle_stage_id
  maintenance.version += 1
  maintenance.updated_at = now
  await tx.flush()
  work.reached('entry written')
  const variants = said.variants.map(({ locale, message }) => ({ locale, values: { message } }))
  translateByItself(work, ['maintenance_update', update.id], variants)
  const holds = [update.previous_status, status].includes('in_progress')
  if (moves && holds) {
    const items = await itemsOfMaintenance(tx, pageId, maintenance.id)
    const cause = { kind: 'maintenance', id: maintenance.id }
    await recomputeStatuses(tx, { pageId, now, cause, items, notify: entry.notify })
  }
  if (moves && update.previous_status === 'in_progress') {
    await wakeSuppressed(work, `the end of the maintenance ${maintenance.id}`)
  }
  work.reached('items moved')
  if (entry.notify) tell(work, maintenance, update, moves)
  return update
}

async function wordsOf(work: WorkContext, maintenance: Maintenance, { message, status }: NewUpdate, moves: boolean) {
  if (message) return { message, variants: [] }
  if (!moves || status === 'scheduled') throw new Error('A note says something, or it is none.')
  return prepared(work, maintenance, status)
}

async function stageAfter({ tx }: WorkContext, maintenance: Maintenance, status: Status, moves: boolean) {
  if (!moves) return maintenance.lifecycle_stage_id
  const stages = await stagesOf(tx, 'maintenance')
  return stageOf(stages, status, firstStage(stages))?.id ?? maintenance.lifecycle_stage_id
}

/** Reminders that count from before the turn are over; those that fell due between it and now are not. */
function turn(maintenance: Maintenance, status: Status, now: Date, due: Date | undefined): void {
  maintenance.status = status
  if (status === 'in_progress') maintenance.started_at = now
  if (isOver(status)) maintenance.ended_at = now
  const from = due ?? now
  if (from > maintenance.reminders_from) maintenance.reminders_from = from
}

const turnKeys = { scheduled: 'scheduled', in_progress: 'started', completed: 'completed', cancelled: 'cancelled' }

function tell(work: WorkContext, maintenance: Maintenance, update: MaintenanceUpdate, moves: boolean): void {
  const { now, pageId, events } = work
  const what = moves ? turnKeys[update.status as Status] : 'updated'
  const { late } = update
  events.push({
    page_id: pageId,
    key: `maintenance.${what}`,
    natural_key: `maintenance:${maintenance.id}:${moves ? what : `update:${update.id}`}`,
    subject_kind: 'maintenance',
    subject_id: maintenance.id,
    due_at: update.due_at ?? now,
    created_at: now,
    late,
    missed: late ? 1 : 0,
    data: { update_id: update.id, status: update.status },
  })
}
