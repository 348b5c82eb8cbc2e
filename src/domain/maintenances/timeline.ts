import { z } from 'zod'
import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceUpdate } from '../../persistence/entities/maintenance-update.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, notFound, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { requireStored } from '../kernel/read-only.ts'
import { trackRevision } from '../kernel/revise.ts'
import { idInPath, message, versionToDelete } from '../kernel/schema.ts'
import { forgetTranslations, translate, translateNew } from '../translations/write.ts'
import { requireStage, stagesOf } from '../vocabulary/lookup.ts'
import { presentUpdates, presentWritten } from './presenter.ts'
import type { Status } from './rules.ts'
import {
  MaintenanceAddUpdateRequest,
  MaintenanceTimelineUpdateRequest,
  MaintenanceUpdateResource,
  versionInWords,
  WrittenMaintenanceUpdate,
} from './schema.ts'
import { maintenanceSubject } from './subject.ts'
import { checkTransition, TRANSLATIONS_ALONE, writeUpdateByActor } from './transitions.ts'

const common = { area: 'maintenance', subject: maintenanceSubject } as const
const named = z.strictObject({ update_id: idInPath() })

export const listUpdates = operation({
  ...common,
  name: 'maintenances.updates.list',
  permission: 'read',
  summary: 'List the timeline of a maintenance, newest first',
  input: z.strictObject({ ...pagingFields }),
  output: listOf('updates', MaintenanceUpdateResource),
  run: async ({ tx }, { limit, cursor }, { id: maintenance_id }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
    const where = { maintenance_id, ...(after ? { id: { $lt: after[0] } } : {}) }
    const rows = await tx.find(MaintenanceUpdate, where, { orderBy: { id: 'desc' }, limit: limit + 1 })
    const page = pageOf(rows, limit, (update) => [update.id])
    const total = await tx.count(MaintenanceUpdate, { maintenance_id })
    return { updates: await presentUpdates(tx, page.rows), total, next_cursor: page.next_cursor }
  },
})

export const getUpdate = operation({
  ...common,
  name: 'maintenances.updates.get',
  permission: 'read',
  summary: 'Get one update of a maintenance',
  input: named,
  output: MaintenanceUpdateResource,
  run: async (ctx, { update_id }, maintenance) =>
    (await presentUpdates(ctx.tx, [await entryOf(ctx, maintenance, update_id)]))[0]!,
})

export const addUpdate = operation({
  ...common,
  name: 'maintenances.updates.create',
  permission: 'write',
  summary: 'Post an update on a maintenance',
  description:
    'A `status` moves the maintenance: only forward, or to cancelled before it is completed. Other moves answer 409.',
  input: MaintenanceAddUpdateRequest,
  output: WrittenMaintenanceUpdate,
  run: async (ctx, input, maintenance) => {
    const { tx } = ctx
    const moves = input.status !== undefined && checkTransition(maintenance, input.status)
    if (!input.message && !moves) {
      throw invalid([{ path: 'message', message: 'is required without a new status' }])
    }
    if (!input.message && input.translations?.length) throw invalid([TRANSLATIONS_ALONE])
    const stage = requireStage(await stagesOf(tx, 'maintenance'), input)
    const status = input.status ?? (maintenance.status as Status)
    const update = await writeUpdateByActor(ctx, maintenance, { ...input, status, stageId: stage?.id })
    if (input.message) await translateNew(ctx, ['maintenance_update', update.id], input.translations)
    return presentWritten(tx, maintenance, update)
  },
})

export const editUpdate = operation({
  ...common,
  name: 'maintenances.updates.update',
  permission: 'write',
  summary: 'Edit an entry of the timeline',
  description: 'An edit writes no notification and does not change the status of the maintenance.',
  input: MaintenanceTimelineUpdateRequest.extend(named.shape),
  output: WrittenMaintenanceUpdate,
  run: async (ctx, input, maintenance) => {
    const { tx, now } = ctx
    const update = await entryOf(ctx, maintenance, input.update_id)
    const stage = requireStage(await stagesOf(tx, 'maintenance'), input, update.lifecycle_stage_id)
    const moved = stage !== undefined && stage.id !== update.lifecycle_stage_id
    requireStored(ctx, (await presentUpdates(tx, [update]))[0]!)
    const revise = trackRevision(ctx, maintenanceSubject, maintenance, () => [
      update.message,
      update.lifecycle_stage_id,
    ])
    update.message = input.message
    if (stage) update.lifecycle_stage_id = stage.id
    const later = await tx.count(MaintenanceUpdate, { maintenance_id: maintenance.id, id: { $gt: update.id } })
    if (moved && later === 0) maintenance.lifecycle_stage_id = stage.id
    await translate(ctx, ['maintenance_update', update.id], input.translations)
    if (revise()) update.updated_at = now
    return presentWritten(tx, maintenance, update)
  },
})

export const deleteUpdate = operation({
  ...common,
  name: 'maintenances.updates.delete',
  permission: 'write',
  summary: 'Delete an entry of the timeline',
  description: 'An entry that changed the status of the maintenance cannot be deleted: 409.',
  input: named.extend(versionToDelete()),
  output: message.extend({ version: z.int().describe(versionInWords) }),
  run: async (ctx, { update_id }, maintenance) => {
    const update = await entryOf(ctx, maintenance, update_id)
    if (update.status !== update.previous_status) {
      throw new Problem('conflict', `This entry made the maintenance ${update.status}: it can be edited, not deleted.`)
    }
    await forgetTranslations(ctx, ['maintenance_update', update.id])
    ctx.tx.remove(update)
    Object.assign(maintenance, { version: maintenance.version + 1, updated_at: ctx.now })
    return { message: 'The update is deleted.', version: maintenance.version }
  },
})

async function entryOf({ tx }: Context, maintenance: Maintenance, id: number): Promise<MaintenanceUpdate> {
  const update = await tx.findOne(MaintenanceUpdate, { id, maintenance_id: maintenance.id })
  if (!update) throw notFound('update')
  return update
}
