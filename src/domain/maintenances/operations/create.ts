import type { z } from 'zod'
import { Maintenance } from '../../../persistence/entities/maintenance.ts'
import { resolveItems } from '../../hierarchy/references.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { type Defaults, findRepeated } from '../../kernel/repeated.ts'
import { notifyFrom } from '../../notifications/announce.ts'
import { createRecurring } from '../../series/from-maintenance.ts'
import { settingsOf } from '../../settings/stored.ts'
import { translateNew } from '../../translations/write.ts'
import { requireStage, stagesOf } from '../../vocabulary/lookup.ts'
import { firstStage } from '../../vocabulary/rules.ts'
import { writeUpdate } from '../add-update.ts'
import { addItems, checkWords, newMaintenance } from '../new-maintenance.ts'
import { presentFull } from '../presenter.ts'
import { pastProblems, scheduleProblems } from '../rules.ts'
import { MaintenanceCreateRequest, MaintenanceResource } from '../schema.ts'
import { maintenanceProcess } from '../subject.ts'

type Input = z.output<typeof MaintenanceCreateRequest>

export const createMaintenance = operation({
  name: 'maintenances.create',
  makes: 'maintenance',
  area: 'maintenance',
  permission: 'write',
  summary: 'Plan a maintenance',
  description:
    'At least one affected item is required. With `auto_transition_enabled` it starts and completes at its scheduled times, for which it needs both. With an `external_id` the call may be repeated: the same request answers 200 with the stored record and does nothing twice. With a `recurrence_rule` it makes a series, and answers its first window, which is exactly the one that the request names. The rule has to fit the scheduled start.',
  input: MaintenanceCreateRequest,
  output: MaintenanceResource,
  run: async (ctx, input) => {
    const stored = await findRepeated(ctx, Maintenance, 'maintenance', input, () => defaultsOf(ctx))
    return (await presentFull(ctx.tx, [stored ?? (await plan(ctx, input))]))[0]!
  },
})

/** What a plan means that leaves these fields out, on this page. */
async function defaultsOf({ tx }: Context): Promise<Defaults> {
  const stage = firstStage(await stagesOf(tx, 'maintenance'))
  const { reliability_policy_timezone: recurrence_timezone } = await settingsOf(tx)
  return {
    ...{ description: '', status: 'scheduled', auto_transition_enabled: false, recurrence_timezone },
    ...{ lifecycle_stage_id: stage?.id, lifecycle_stage_name: stage?.name },
  }
}

export async function plan(ctx: Context, input: Input): Promise<Maintenance> {
  const { tx, now } = ctx
  checkWords(input)
  const stages = await stagesOf(tx, 'maintenance')
  const named = requireStage(stages, input)
  const items = await resolveItems(tx, input.affected_items, 'affected_items')
  const maintenance = input.recurrence_rule
    ? await createRecurring(ctx, input, items, named?.id)
    : await planOne(ctx, input, items, named ?? firstStage(stages))
  maintenance.external_id = input.external_id ?? null
  maintenance.create_hash = ctx.createHash
  const { notify } = input
  if (input.status === 'in_progress') {
    await writeUpdate(ctx, maintenance, { status: 'in_progress', stageId: named?.id, notify })
    maintenance.version = 1
  } else if (notify) {
    notifyFrom(ctx, { key: 'maintenance.scheduled', kind: 'maintenance', id: maintenance.id, natural: 'scheduled' })
  }
  maintenance.updated_at = now
  ctx.wake(maintenanceProcess(maintenance), 'the planning of the maintenance')
  return maintenance
}

async function planOne(
  ctx: Context,
  input: Input,
  items: { id: number }[],
  stage: { id: number } | undefined,
): Promise<Maintenance> {
  const extra = (['recurrence_timezone', 'recurrence_end_time'] as const).filter((name) => input[name])
  if (extra.length > 0) throw invalid(extra.map((path) => ({ path, message: 'goes with a recurrence_rule' })))
  const maintenance = newMaintenance(ctx, input)
  maintenance.lifecycle_stage_id = stage?.id ?? null
  const problems = [...scheduleProblems(maintenance), ...pastProblems(maintenance, ctx.now)]
  if (problems.length > 0) throw invalid(problems)
  await ctx.tx.flush()
  addItems(ctx, maintenance, items)
  await ctx.tx.flush()
  await translateNew(ctx, ['maintenance', maintenance.id], input.translations)
  return maintenance
}
