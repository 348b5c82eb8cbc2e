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
import { translateNew } from '../translations/write.ts'
import { requireStage, stagesOf } from '../vocabulary/lookup.ts'
import { firstStage, MAINTENANCE } from '../vocabulary/rules.ts'
import { type History, historyProblems, tellHistory } from './backfill-rules.ts'
import { addItems, checkWords, newMaintenance } from './new-maintenance.ts'
import { presentFull } from './presenter.ts'
import { isOver, scheduleProblems, stageOf } from './rules.ts'
import { MaintenanceCreateRequest, MaintenanceResource, MaintenanceStatus } from './schema.ts'
import { maintenanceProcess } from './subject.ts'

const recurrence = { recurrence_rule: true, recurrence_timezone: true, recurrence_end_time: true } as const

const MaintenanceBackfillRequest = MaintenanceCreateRequest.omit(recurrence).extend({
  status: MaintenanceStatus.default('completed').describe('What it has become'),
  started_at: moment().nullable().optional().describe('The scheduled start when absent, if it has started'),
  ended_at: moment().nullable().optional().describe('The scheduled end when absent, if it is over'),
  updates: z
    .array(
      z.strictObject({
        message: line(20_000),
        status: MaintenanceStatus.optional().describe('A note when absent'),
        created_at: moment(),
      }),
    )
    .max(500)
    .default([])
    .describe('The timeline, oldest first; its start and its end are entries even if none says so'),
  notify: z.boolean().optional().describe('Nobody is told, whatever it says'),
})
type Input = z.output<typeof MaintenanceBackfillRequest>

export const backfillMaintenance = operation({
  name: 'maintenances.backfill',
  makes: 'maintenance',
  area: 'maintenance',
  permission: 'write',
  summary: 'Tell a maintenance of the past, with its whole history',
  description:
    'Everything keeps the time at which it happened; nobody is notified or reminded. The history of the affected items and of all above them says that they were under maintenance. `external_id` works as in a create.',
  input: MaintenanceBackfillRequest,
  output: MaintenanceResource,
  run: async (ctx, input) => {
    const stored = await findRepeated(ctx, Maintenance, 'maintenance', { ...input, backfilled: true }, () => ({
      ...{ description: '', status: 'completed', auto_transition_enabled: false },
    }))
    return (await presentFull(ctx.tx, [stored ?? (await backfill(ctx, input))]))[0]!
  },
})

async function backfill(ctx: Context, input: Input): Promise<Maintenance> {
  const { tx, now, page } = ctx
  checkWords(input)
  const history = historyOf(input)
  const problems = historyProblems(history, now)
  const stages = await stagesOf(tx, 'maintenance')
  const of = (status: History['status']) => stageOf(stages, status, firstStage(stages))
  const final = requireStage(stages, input) ?? of(history.status)
  const items = await resolveItems(tx, input.affected_items, 'affected_items')
  const maintenance = newMaintenance(ctx, input)
  maintenance.external_id = input.external_id ?? null
  maintenance.create_hash = ctx.createHash
  problems.push(...scheduleProblems(maintenance))
  if (problems.length > 0) throw invalid(problems)
  const entries = tellHistory(history)
  const { started_at = null, ended_at = null } = history
  const told_at = entries.at(-1)?.created_at ?? now
  Object.assign(maintenance, {
    status: history.status,
    lifecycle_stage_id: final?.id ?? null,
    ...{ started_at, ended_at },
    created_at: entries[0]?.created_at ?? now,
    updated_at: told_at,
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
    const held = [{ from: started_at.getTime(), to, status: MAINTENANCE }].filter(({ from, to }) => from < to)
    await rewritePast(tx, { pageId: page.id, now, cause, itemIds: items.map(({ id }) => id), held, notify: false })
    if (!ended_at) await recomputeStatuses(tx, { pageId: page.id, now, cause, notify: false })
  }
  await translateNew(ctx, ['maintenance', maintenance.id], input.translations)
  if (!ended_at) ctx.wake(maintenanceProcess(maintenance), 'the planning of a maintenance that began before')
  return maintenance
}

function historyOf({ status, scheduled_start_time, scheduled_end_time, updates, ...said }: Input): History {
  const started = said.started_at ?? (status === 'in_progress' || status === 'completed' ? scheduled_start_time : null)
  const ended = said.ended_at ?? (isOver(status) ? scheduled_end_time : null)
  return {
    status,
    ...(started ? { started_at: new Date(started) } : {}),
    ...(ended ? { ended_at: new Date(ended) } : {}),
    updates: updates.map((update) => ({ ...update, created_at: new Date(update.created_at) })),
  }
}
