import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { translateNew } from '../translations/write.ts'
import { requireStage, stagesOf } from '../vocabulary/lookup.ts'
import { type NewUpdate, writeUpdate } from './add-update.ts'
import { presentFull } from './presenter.ts'
import { writeDueReminders } from './reminders.ts'
import { type Status, verdictOn } from './rules.ts'
import { MaintenanceMoveRequest, MaintenanceResource } from './schema.ts'
import { maintenanceSubject } from './subject.ts'

/** Whether the status changes. False if the maintenance has the status already; a conflict if the change is not allowed. */
export function checkTransition({ status }: Maintenance, to: Status): boolean {
  const verdict = verdictOn(status, to)
  if (verdict !== 'refused') return verdict === 'allowed'
  const way = 'scheduled, in_progress, completed, or cancelled before it is completed'
  throw new Problem(
    'conflict',
    `A maintenance that is ${status} cannot become ${to}: a maintenance only moves forward, ${way}.`,
  )
}

/** Writes an entry of a person, after the reminders that are due. */
export async function writeUpdateByActor(ctx: Context, maintenance: Maintenance, entry: NewUpdate) {
  await writeDueReminders(ctx, maintenance)
  const update = await writeUpdate(ctx, maintenance, entry)
  const { status, previous_status } = update
  const moved = status === previous_status ? '' : `, which changed the status from "${previous_status}" to "${status}"`
  ctx.wake({ kind: 'maintenance', id: maintenance.id }, `update ${update.id}${moved}`)
  return update
}

export const TRANSLATIONS_ALONE = {
  path: 'translations',
  message: 'require a message: a prepared message has its own translations',
}

const moveTo = (name: string, to: Status, texts: { summary: string; description: string }) =>
  operation({
    name: `maintenances.${name}`,
    area: 'maintenance',
    permission: 'write',
    ...texts,
    subject: maintenanceSubject,
    input: MaintenanceMoveRequest,
    output: MaintenanceResource,
    run: async (ctx, input, maintenance) => {
      const { tx } = ctx
      const stage = requireStage(await stagesOf(tx, 'maintenance'), input)
      if (!checkTransition(maintenance, to)) {
        ctx.existing()
      } else {
        const message = input.message?.trim() || undefined
        if (!message && input.translations?.length) {
          throw invalid([TRANSLATIONS_ALONE])
        }
        const entry = { message, status: to, stageId: stage?.id, notify: input.notify }
        const update = await writeUpdateByActor(ctx, maintenance, entry)
        if (message) await translateNew(ctx, ['maintenance_update', update.id], input.translations)
      }
      return (await presentFull(tx, [maintenance]))[0]!
    },
  })

export const startMaintenance = moveTo('start', 'in_progress', {
  summary: 'Start a maintenance now',
  description:
    'A maintenance in progress, started by a person or by its schedule, answers 200 with the stored record. A completed or cancelled maintenance answers 409.',
})

export const completeMaintenance = moveTo('complete', 'completed', {
  summary: 'Complete a maintenance now',
  description:
    'The statuses of its items are computed from their incidents and children again. Completing twice answers 200 with the stored record.',
})

export const cancelMaintenance = moveTo('cancel', 'cancelled', {
  summary: 'Cancel a maintenance before it is completed',
  description: 'Cancelling twice answers 200 with the stored record.',
})
