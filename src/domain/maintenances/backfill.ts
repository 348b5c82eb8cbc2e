import { z } from 'zod'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceUpdate } from '../../persistence/entities/maintenance-update.ts'
import { rewritePast } from '../hierarchy/history.ts'
import { resolveItems } from '../hierarchy/references.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { findRepeated } from '../kernel/repeated.ts'
import { line, moment } from '../kernel/schema.ts'
import { named } from '../kernel/text-rules.ts'
import { translateNew } from '../translations/write.ts'
import { requireStage, stagesOf } from '../vocabulary/lookup.ts'
import { firstStage, MAINTENANCE } from '../vocabulary/rules.ts'
import { type History, historyProblems, timelineOf } from './backfill-rules.ts'
import { maintenanceDefaults } from './fields.ts'
import { addItems, checkWords, newMaintenance } from './new-maintenance.ts'
import { presentFull } from './presenter.ts'
import { isOver, scheduleProblems, stageOf } from './rules.ts'
import { MaintenanceCreateRequest, MaintenanceResource, MaintenanceStatus } from './schema.ts'

const recurrence = { recurrence_rule: true, recurrence_timezone: true, recurrence_end_time: true } as const

const MaintenanceBackfillRequest = MaintenanceCreateRequest.omit(recurrence).extend({
  status: MaintenanceStatus.default('completed').describe('The status that the maintenance reached'),
  started_at: moment().nullable().optional().describe('Absent: the scheduled start, if the maintenance has started'),
  ended_at: moment().nullable().optional().describe('Absent: the scheduled end, if the maintenance is over'),
  updates: z
    .array(
      z.strictObject({
        message: line(20_000),
        status: MaintenanceStatus.optional().describe('Absent: the update is a note'),
        created_at: moment(),
      }),
    )
    .max(500)
    .default([])
    .describe('The timeline, oldest first; start and end become entries even without an update'),
  notify: z.literal(false).optional().describe('A backfill notifies no subscriber, so only `false` is accepted'),
})
type Input = z.output<typeof MaintenanceBackfillRequest>

export const backfillMaintenance = operation({
  name: 'maintenances.backfill',
  makes: 'maintenance',
  area: 'maintenance',
  permission: 'write',
  summary: 'Create a maintenance of the past with its whole history',
  description:
    'All times stay as the request names them, and no notification or reminder is written. The affected items and all their parents get status events for the time under maintenance. `external_id` works as in a create.',
  input: MaintenanceBackfillRequest,
  output: MaintenanceResource,
  run: async (ctx, input) => {
    const stored = await findRepeated(ctx, Maintenance, 'maintenance', { ...input, backfilled: true }, () => ({
      ...maintenanceDefaults(),
      status: 'completed',
    }))
    return (await presentFull(ctx.tx, [stored ?? (await backfill(ctx, input))]))[0]!
  },
})

async function backfill(ctx: Context, input: Input): Promise<Maintenance> {
  const { tx, now, page } = ctx
  checkWords(input)
  const history = historyOf(input)
  const ofHistory = historyProblems(history, now).map((one) => ({ ...one, path: pathIn(input, one.path) }))
  const stages = await stagesOf(tx, 'maintenance')
  const of = (status: History['status']) => stageOf(stages, status, firstStage(stages))
  const final = requireStage(stages, input) ?? of(history.status)
  const items = await resolveItems(tx, input.affected_items, 'affected_items')
  const maintenance = newMaintenance(ctx, input)
  maintenance.external_id = input.external_id ?? null
  maintenance.create_hash = ctx.createHash
  const ofSchedule = scheduleProblems(maintenance)
  const problems = [...ofHistory.filter(({ path }) => !ofSchedule.some((one) => one.path === path)), ...ofSchedule]
  if (problems.length > 0) throw invalid(problems)
  const entries = timelineOf(history)
  const { started_at = null, ended_at = null } = history
  const last_at = entries.at(-1)?.created_at ?? now
  Object.assign(maintenance, {
    status: history.status,
    lifecycle_stage_id: final?.id ?? null,
    ...{ started_at, ended_at },
    created_at: entries[0]?.created_at ?? now,
    updated_at: last_at,
    listed_at: maintenance.scheduled_start_time ?? started_at ?? now,
  })
  await tx.flush()
  addItems(ctx, maintenance, items)
  for (const entry of entries) {
    const stage = entry === entries.at(-1) ? final : of(entry.status)
    const row = { page_id: page.id, maintenance_id: maintenance.id, due_at: null, late: false }
    tx.create(MaintenanceUpdate, {
      ...row,
      ...entry,
      lifecycle_stage_id: stage?.id ?? null,
      updated_at: entry.created_at,
    })
  }
  await tx.flush()
  if (started_at) {
    const cause = { kind: 'maintenance', id: maintenance.id }
    const to = ended_at?.getTime() ?? Number.POSITIVE_INFINITY
    const stretches = [{ from: started_at.getTime(), to, status: MAINTENANCE }].filter(({ from, to }) => from < to)
    await rewritePast(tx, {
      pageId: page.id,
      now,
      cause,
      itemIds: items.map(({ id }) => id),
      held: stretches,
      notify: false,
    })
    if (!ended_at) await recomputeStatuses(tx, { pageId: page.id, now, cause, notify: false })
  }
  await translateNew(ctx, ['maintenance', maintenance.id], input.translations)
  if (!ended_at)
    ctx.wake(
      { kind: 'maintenance', id: maintenance.id },
      `the creation of maintenance ${named(maintenance.title, maintenance.id)} with status "${maintenance.status}"`,
    )
  return maintenance
}

/** The field of the request that a problem of the history is about: the schedule, if it is also the start or the end. */
function pathIn(input: Input, path: string): string {
  if (path === 'started_at' && !input.started_at && input.scheduled_start_time) return 'scheduled_start_time'
  if (path === 'ended_at' && !input.ended_at && input.scheduled_end_time) return 'scheduled_end_time'
  return path
}

function historyOf({ status, scheduled_start_time, scheduled_end_time, updates, ...request }: Input): History {
  const started =
    request.started_at ?? (status === 'in_progress' || status === 'completed' ? scheduled_start_time : null)
  const ended = request.ended_at ?? (isOver(status) ? scheduled_end_time : null)
  return {
    status,
    ...(started ? { started_at: new Date(started) } : {}),
    ...(ended ? { ended_at: new Date(ended) } : {}),
    updates: updates.map((update) => ({ ...update, created_at: new Date(update.created_at) })),
  }
}
