import type { z } from 'zod'
import type { Maintenance } from '../../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../../persistence/entities/maintenance-item.ts'
import { MaintenanceOccurrence } from '../../../persistence/entities/maintenance-occurrence.ts'
import { MaintenanceSeries } from '../../../persistence/entities/maintenance-series.ts'
import { wakeSuppressed } from '../../beats/stage/wake-suppressed.ts'
import { resolveItems } from '../../hierarchy/references.ts'
import type { ItemRef } from '../../hierarchy/schema.ts'
import { recomputeStatuses } from '../../hierarchy/statuses.ts'
import { assignDefined } from '../../kernel/assign.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, Problem, requireVersion } from '../../kernel/errors.ts'
import { changedValues, resetValues } from '../../kernel/fields.ts'
import { operation } from '../../kernel/operation.ts'
import { parseInput } from '../../kernel/parse.ts'
import { requireStored } from '../../kernel/read-only.ts'
import { rememberRequest } from '../../kernel/repeated.ts'
import { replaced, trackDifference, trackVisible } from '../../kernel/revise.ts'
import { named } from '../../kernel/text-rules.ts'
import { notifyFrom } from '../../notifications/announce.ts'
import { convertToSeries } from '../../series/from-maintenance.ts'
import { translate } from '../../translations/write.ts'
import { requireStage, stagesOf } from '../../vocabulary/lookup.ts'
import { maintenanceDefaults, maintenanceFields } from '../fields.ts'
import { addItems, checkWords } from '../new-maintenance.ts'
import { presentFull, publicFields } from '../presenter.ts'
import { writeDueReminders } from '../reminders.ts'
import { isMoved, recurrenceProblems, rescheduleProblem, scheduleProblems } from '../rules.ts'
import {
  MaintenanceCreateRequest,
  MaintenancePutRequest,
  MaintenanceResource,
  MaintenanceUpdateRequest,
} from '../schema.ts'
import { maintenanceSubject } from '../subject.ts'
import { checkTransition, writeUpdateByActor } from '../transitions.ts'
import { pageDefaults, plan } from './create.ts'

type Input = z.output<typeof MaintenanceUpdateRequest>

export const putMaintenance = operation({
  name: 'maintenances.put',
  makes: 'maintenance',
  area: 'maintenance',
  permission: 'write',
  summary: 'Create the maintenance with this external id, or replace its fields',
  description:
    'A field that the body omits gets its default; status, stage and translations stay unless the body names them. A body that equals the stored record changes nothing. The rules of a change apply to the status; a new maintenance is `scheduled` or `in_progress`.',
  input: MaintenancePutRequest,
  output: MaintenanceResource,
  run: async (ctx, input) => {
    const { external_id } = input
    const maintenance = await maintenanceSubject.find(ctx, { external_id }, { lock: true })
    requireVersion(maintenance, input.version)
    if (!maintenance) {
      await rememberRequest(ctx, 'maintenance', input, () => pageDefaults(ctx))
      const { status } = input
      const made = await plan(ctx, {
        ...input,
        ...parseInput(MaintenanceCreateRequest.pick({ status: true }), { status }),
      })
      return (await presentFull(ctx.tx, [made]))[0]!
    }
    ctx.revised()
    const reset = resetValues(maintenanceFields, maintenanceDefaults())
    await change(ctx, maintenance, { ...reset, scheduled_start_time: null, scheduled_end_time: null, ...input })
    return (await presentFull(ctx.tx, [maintenance]))[0]!
  },
})

export const updateMaintenance = operation({
  name: 'maintenances.update',
  area: 'maintenance',
  permission: 'write',
  summary: 'Change or reschedule a maintenance',
  description:
    'The window can be moved until the maintenance is over; in progress only the end can be moved. A new status writes a timeline entry, with the rules of the operations that start, complete and cancel. A body that equals the stored record changes nothing, raises no `version` and writes no notification.',
  subject: maintenanceSubject,
  input: MaintenanceUpdateRequest,
  output: MaintenanceResource,
  run: async (ctx, input, maintenance) => {
    await change(ctx, maintenance, input)
    return (await presentFull(ctx.tx, [maintenance]))[0]!
  },
})

async function change(ctx: Context, maintenance: Maintenance, input: Input): Promise<void> {
  const { tx } = ctx
  if ('occurrence_index' in ctx.readOnly) requireStored(ctx, (await presentFull(tx, [maintenance]))[0]!)
  const differs = trackDifference(ctx, maintenanceSubject, maintenance)
  const isNews = trackVisible(ctx, () => publicFields(maintenance))
  checkWords(input)
  const stage = requireStage(await stagesOf(tx, 'maintenance'), input, maintenance.lifecycle_stage_id)
  const moves = input.status !== undefined && checkTransition(maintenance, input.status)
  assignDefined(maintenance, changedValues(maintenanceFields, input))
  await reschedule(ctx, maintenance, input)
  const row = await applyRecurrence(ctx, maintenance, input)
  const removed = input.affected_items ? await replaceItems(ctx, maintenance, input.affected_items, input.notify) : []
  await translate(ctx, ['maintenance', maintenance.id], input.translations)
  const { notify } = input
  if (stage && !moves) maintenance.lifecycle_stage_id = stage.id
  const changed = differs()
  // A start or an end is no edit: the window still follows its series.
  if (row && changed) row.edited = true
  if (moves) {
    await writeUpdateByActor(ctx, maintenance, { status: input.status!, stageId: stage?.id, notify })
    return
  }
  if (!changed) {
    ctx.existing()
    return
  }
  maintenance.version += 1
  maintenance.updated_at = ctx.now
  const name = named(maintenance.title, maintenance.id)
  ctx.wake({ kind: 'maintenance', id: maintenance.id }, `version ${maintenance.version} of maintenance ${name}`)
  await tx.flush()
  if (!isNews()) return
  notifyFrom(ctx, {
    ...{ key: 'maintenance.updated', kind: 'maintenance', id: maintenance.id, notify },
    natural: `version:${maintenance.version}`,
    data: removed.length > 0 ? { removed_items: removed } : {},
  })
}

const moment = (text: string | null | undefined) =>
  text === undefined ? undefined : text === null ? null : new Date(text)

/** Changes the window, after writing the reminders that are due under the old window. */
async function reschedule(ctx: Context, maintenance: Maintenance, input: Input): Promise<void> {
  const start = moment(input.scheduled_start_time)
  const end = moment(input.scheduled_end_time)
  const refusal = rescheduleProblem(maintenance, { start, end })
  if (refusal) throw new Problem('conflict', refusal)
  const moved = isMoved(maintenance.scheduled_start_time, start) || isMoved(maintenance.scheduled_end_time, end)
  if (moved) {
    await writeDueReminders(ctx, maintenance)
    maintenance.reminders_from = ctx.now
  }
  assignDefined(maintenance, { scheduled_start_time: start, scheduled_end_time: end })
  maintenance.listed_at = maintenance.scheduled_start_time ?? maintenance.created_at
  const problems = scheduleProblems(maintenance)
  if (problems.length > 0) throw invalid(problems)
}

/** Returns the ids of the items that were removed. */
async function replaceItems(
  ctx: Context,
  maintenance: Maintenance,
  refs: ItemRef[],
  notify: boolean,
): Promise<number[]> {
  const { tx, now, page } = ctx
  const kept = await tx.find(MaintenanceItem, { maintenance_id: maintenance.id })
  const before = kept.map(({ item_id }) => item_id)
  const items = await resolveItems(tx, refs, 'affected_items', before)
  const after = items.map(({ id }) => id)
  if (!replaced(ctx, 'affected_items', before, after)) return []
  const removed = kept.filter(({ item_id }) => !after.includes(item_id))
  for (const one of removed) tx.remove(one)
  const added = items.filter((item) => !kept.some((one) => one.item_id === item.id))
  addItems(ctx, maintenance, added)
  await tx.flush()
  if (maintenance.status === 'in_progress') {
    await recomputeStatuses(tx, { pageId: page.id, now, cause: { kind: 'maintenance', id: maintenance.id }, notify })
    await wakeSuppressed(ctx, `a change of the items of maintenance ${named(maintenance.title, maintenance.id)}`)
  }
  return removed.map(({ item_id }) => item_id)
}

/** Returns the occurrence of a window of a series; makes a maintenance with a new rule the first window of a series. */
async function applyRecurrence(
  ctx: Context,
  maintenance: Maintenance,
  input: Input,
): Promise<MaintenanceOccurrence | null> {
  const { recurrence_rule, recurrence_timezone, recurrence_end_time } = input
  const request = { recurrence_rule, recurrence_timezone, recurrence_end_time }
  if (maintenance.series_id !== null) {
    const series = await ctx.tx.findOneOrFail(MaintenanceSeries, { id: maintenance.series_id })
    const problems = recurrenceProblems(series, request)
    if (problems.length > 0) throw invalid(problems)
    return ctx.tx.findOne(MaintenanceOccurrence, { maintenance_id: maintenance.id })
  }
  if (recurrence_rule) {
    await convertToSeries(ctx, maintenance, { ...request, recurrence_rule })
  } else if (recurrence_timezone || recurrence_end_time) {
    throw invalid([{ path: 'recurrence_rule', message: 'is required with recurrence_timezone or recurrence_end_time' }])
  }
  return null
}
