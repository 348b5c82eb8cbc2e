import { itemsOfMaintenance } from '../../persistence/branches.ts'
import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceUpdate } from '../../persistence/entities/maintenance-update.ts'
import { wakeSuppressed } from '../beats/stage/wake-suppressed.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import { isLate } from '../kernel/lateness-rules.ts'
import { named } from '../kernel/text-rules.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { addPreparedTranslations } from '../translations/write.ts'
import { stagesOf } from '../vocabulary/lookup.ts'
import { firstStage } from '../vocabulary/rules.ts'
import { isOver, type Status, stageOf } from './rules.ts'
import { preparedMessage } from './wording.ts'

export interface NewUpdate {
  /** Absent: the prepared message of the transition. */
  message?: string
  /** The new status of the maintenance; the entry is a note if the status stays the same. */
  status: Status
  stageId?: number
  /** The due moment, if the schedule causes the transition. */
  due?: Date
  /** When the schedule was set: a transition that was already due then is not late. */
  asked?: Date
  notify: boolean
  /** Why no notification is sent, where no request said `notify: false`. */
  withheld?: string
}

/** Writes a timeline entry. A new status also changes the maintenance, its stage and the statuses of its items. */
export async function writeUpdate(
  work: WorkContext,
  maintenance: Maintenance,
  entry: NewUpdate,
): Promise<MaintenanceUpdate> {
  const { tx, pageId, now } = work
  const { status, due, asked } = entry
  const moves = status !== maintenance.status
  const { message, variants } = await messageOf(work, maintenance, entry, moves)
  const update = tx.create(MaintenanceUpdate, {
    page_id: pageId,
    maintenance_id: maintenance.id,
    message,
    status,
    previous_status: maintenance.status,
    lifecycle_stage_id: entry.stageId ?? (await stageAfter(work, maintenance, status, moves)),
    due_at: due ?? null,
    late: due !== undefined && isLate(now, asked && asked > due ? asked : due, work.minuteMs),
    created_at: now,
    updated_at: now,
  })
  if (moves) applyStatus(maintenance, status, now, due)
  maintenance.lifecycle_stage_id = update.lifecycle_stage_id
  maintenance.version += 1
  maintenance.updated_at = now
  await tx.flush()
  work.reached('entry written')
  addPreparedTranslations(
    work,
    ['maintenance_update', update.id],
    variants.map(({ locale, message: text }) => ({ locale, values: { message: text } })),
  )
  const affectsItems = [update.previous_status, status].includes('in_progress')
  if (moves && affectsItems) {
    const items = await itemsOfMaintenance(tx, pageId, maintenance.id)
    const cause = { kind: 'maintenance', id: maintenance.id }
    await recomputeStatuses(tx, { pageId, now, cause, items, notify: entry.notify })
  }
  if (moves && update.previous_status === 'in_progress') {
    await wakeSuppressed(work, `the end of maintenance ${named(maintenance.title, maintenance.id)}`)
  }
  work.reached('items moved')
  addMaintenanceNotification(work, maintenance, update, { moves, ...entry })
  return update
}

async function messageOf(work: WorkContext, maintenance: Maintenance, { message, status }: NewUpdate, moves: boolean) {
  if (message) return { message, variants: [] }
  if (!moves || status === 'scheduled') throw new Error('A note needs a message.')
  return preparedMessage(work, maintenance, status)
}

async function stageAfter({ tx }: WorkContext, maintenance: Maintenance, status: Status, moves: boolean) {
  if (!moves) return maintenance.lifecycle_stage_id
  const stages = await stagesOf(tx, 'maintenance')
  return stageOf(stages, status, firstStage(stages))?.id ?? maintenance.lifecycle_stage_id
}

/** Applies a transition. Reminders count from its due moment, so that reminders due between that moment and now still count. */
function applyStatus(maintenance: Maintenance, status: Status, now: Date, due: Date | undefined): void {
  maintenance.status = status
  if (status === 'in_progress') maintenance.started_at = now
  if (isOver(status)) maintenance.ended_at = now
  const from = due ?? now
  if (from > maintenance.reminders_from) maintenance.reminders_from = from
}

const keyEndings = { scheduled: 'scheduled', in_progress: 'started', completed: 'completed', cancelled: 'cancelled' }

function addMaintenanceNotification(
  work: WorkContext,
  maintenance: Maintenance,
  update: MaintenanceUpdate,
  { moves, notify, withheld = 'notify_false' }: Pick<NewUpdate, 'notify' | 'withheld'> & { moves: boolean },
): void {
  const { now, pageId, events } = work
  const what = moves ? keyEndings[update.status as Status] : 'updated'
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
    withheld: notify ? null : withheld,
  })
}
