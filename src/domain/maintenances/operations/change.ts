import type { z } from 'zod'
import type { Maintenance } from '../../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../../persistence/entities/maintenance-item.ts'
import { MaintenanceOccurrence } from '../../../persistence/entities/maintenance-occurrence.ts'
import { MaintenanceSeries } from '../../../persistence/entities/maintenance-series.ts'
import { wakeSuppressed } from '../../beats/stage/wake-suppressed.ts'
import { resolveItems } from '../../hierarchy/references.ts'
import type { ItemRef } from '../../hierarchy/schema.ts'
import { recomputeStatuses } from '../../hierarchy/statuses.ts'
import { assignDefined, cleared } from '../../kernel/assign.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, Problem, requireVersion } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { parseInput } from '../../kernel/parse.ts'
import { requireStored } from '../../kernel/read-only.ts'
import { replaced, trackDifference, trackVisible } from '../../kernel/revise.ts'
import { notifyFrom } from '../../notifications/announce.ts'
import { convertToSeries } from '../../series/from-maintenance.ts'
import { translate } from '../../translations/write.ts'
import { requireStage, stagesOf } from '../../vocabulary/lookup.ts'
import { addItems, checkWords } from '../new-maintenance.ts'
import { presentFull, seenByReaders } from '../presenter.ts'
import { remindBefore } from '../reminders.ts'
import { isMoved, recurrenceProblems, rescheduleProblem, scheduleProblems } from '../rules.ts'
import {
  MaintenanceCreateRequest,
  MaintenancePutRequest,
  MaintenanceResource,
  MaintenanceUpdateRequest,
} from '../schema.ts'
import { maintenanceProcess, maintenanceSubject } from '../subject.ts'
import { checkTransition, writeUpdateByActor } from '../transitions.ts'
import { plan } from './create.ts'

type Input = z.output<typeof MaintenanceUpdateRequest>

export const putMaintenance = operation({
  name: 'maintenances.put',
  makes: 'maintenance',
  area: 'maintenance',
  permission: 'write',
  summary: 'Plan the maintenance with this external id, or replace what it says',
  description:
    'What the body leaves out gets its default; status, stage and translations stay unless the body names them. What says no more than what is stored changes nothing. A status is held against the same rules as in a change; a new one is `scheduled` or `in_progress`.',
  input: MaintenancePutRequest,
  output: MaintenanceResource,
  run: async (ctx, input) => {
    const { external_id } = input
    const maintenance = await maintenanceSubject.find(ctx, { external_id }, { lock: true })
    requireVersion(maintenance, input.version)
    if (!maintenance) {
      const { status } = input
      const made = await plan(ctx, {
        ...input,
        ...parseInput(MaintenanceCreateRequest.pick({ status: true }), { status }),
      })
      return (await presentFull(ctx.tx, [made]))[0]!
    }
    ctx.revised()
    const emptied = {
      impact: input.impact ?? null,
      affected_items_freetext: input.affected_items_freetext ?? null,
      chat_channel_id: input.chat_channel_id ?? null,
      auto_transition_start_message: input.auto_transition_start_message ?? null,
      auto_transition_complete_message: input.auto_transition_complete_message ?? null,
      scheduled_start_time: input.scheduled_start_time ?? null,
      scheduled_end_time: input.scheduled_end_time ?? null,
    }
    await change(ctx, maintenance, { ...input, ...emptied })
    return (await presentFull(ctx.tx, [maintenance]))[0]!
  },
})

export const updateMaintenance = operation({
  name: 'maintenances.update',
  area: 'maintenance',
  permission: 'write',
  summary: 'Change or reschedule a maintenance',
  description:
    'Its window can be moved until it is over; of one in progress only the end. A status moves it with the rules of moving, and writes a timeline entry. What says no more than what is stored changes nothing, raises no `version` and tells nobody.',
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
  const isNews = trackVisible(ctx, () => seenByReaders(maintenance))
  checkWords(input)
  const stage = requireStage(await stagesOf(tx, 'maintenance'), input, maintenance.lifecycle_stage_id)
  const moves = input.status !== undefined && checkTransition(maintenance, input.status)
  const { title, impact, affected_items_freetext, chat_channel_id } = input
  const description = cleared(input.description)
  assignDefined(maintenance, { title, description, impact, affected_items_freetext, chat_channel_id })
  await reschedule(ctx, maintenance, input)
  const row = await recur(ctx, maintenance, input)
  if (input.affected_items) await replaceItems(ctx, maintenance, input.affected_items, input.notify)
  await translate(ctx, ['maintenance', maintenance.id], input.translations)
  const { notify } = input
  if (stage && !moves) maintenance.lifecycle_stage_id = stage.id
  const changed = differs()
  // Starting or ending a window is no edit of it: it follows its series all the same.
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
  ctx.wake(maintenanceProcess(maintenance), 'a change of the maintenance')
  await tx.flush()
  const natural = `version:${maintenance.version}`
  if (notify && isNews())
    notifyFrom(ctx, { key: 'maintenance.updated', kind: 'maintenance', id: maintenance.id, natural })
}

const moment = (said: string | null | undefined) =>
  said === undefined ? undefined : said === null ? null : new Date(said)

/** The window and whether it acts by itself; what fell due under the old one is written first. */
async function reschedule(ctx: Context, maintenance: Maintenance, input: Input): Promise<void> {
  const start = moment(input.scheduled_start_time)
  const end = moment(input.scheduled_end_time)
  const refusal = rescheduleProblem(maintenance, { start, end })
  if (refusal) throw new Problem('conflict', refusal)
  const moved = isMoved(maintenance.scheduled_start_time, start) || isMoved(maintenance.scheduled_end_time, end)
  if (moved) {
    await remindBefore(ctx, maintenance)
    maintenance.reminders_from = ctx.now
  }
  assignDefined(maintenance, {
    scheduled_start_time: start,
    scheduled_end_time: end,
    auto_transition_enabled: input.auto_transition_enabled,
    auto_transition_start_message: input.auto_transition_start_message,
    auto_transition_complete_message: input.auto_transition_complete_message,
  })
  maintenance.listed_at = maintenance.scheduled_start_time ?? maintenance.created_at
  const problems = scheduleProblems(maintenance)
  if (problems.length > 0) throw invalid(problems)
}

async function replaceItems(ctx: Context, maintenance: Maintenance, refs: ItemRef[], notify: boolean): Promise<void> {
  const { tx, now, page } = ctx
  const kept = await tx.find(MaintenanceItem, { maintenance_id: maintenance.id })
  const before = kept.map(({ item_id }) => item_id)
  const items = await resolveItems(tx, refs, 'affected_items', before)
  const after = items.map(({ id }) => id)
  if (!replaced(ctx, 'affected_items', before, after)) return
  for (const one of kept) if (!items.some((item) => item.id === one.item_id)) tx.remove(one)
  const added = items.filter((item) => !kept.some((one) => one.item_id === item.id))
  addItems(ctx, maintenance, added)
  await tx.flush()
  if (maintenance.status !== 'in_progress') return
  await recomputeStatuses(tx, { pageId: page.id, now, cause: { kind: 'maintenance', id: maintenance.id }, notify })
  await wakeSuppressed(ctx, `other items of the maintenance ${maintenance.id}`)
}

/**
 * The occurrence that it is of a series, if it is: a window that is changed by itself does not follow that any more. The
 * series is changed at its own address.
 */
async function recur(ctx: Context, maintenance: Maintenance, input: Input): Promise<MaintenanceOccurrence | null> {
  const { recurrence_rule, recurrence_timezone, recurrence_end_time } = input
  const said = { recurrence_rule, recurrence_timezone, recurrence_end_time }
  if (maintenance.series_id !== null) {
    const series = await ctx.tx.findOneOrFail(MaintenanceSeries, { id: maintenance.series_id })
    const problems = recurrenceProblems(series, said)
    if (problems.length > 0) throw invalid(problems)
    return ctx.tx.findOne(MaintenanceOccurrence, { maintenance_id: maintenance.id })
  }
  if (recurrence_rule) {
    await convertToSeries(ctx, maintenance, { ...said, recurrence_rule })
  } else if (recurrence_timezone || recurrence_end_time) {
    throw invalid([{ path: 'recurrence_rule', message: 'is needed for it to recur' }])
  }
  return null
}
