import type { z } from 'zod'
import { Maintenance } from '../../../persistence/entities/maintenance.ts'
import { resolveItems } from '../../hierarchy/references.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { type Defaults, findRepeated } from '../../kernel/repeated.ts'
import { named } from '../../kernel/text-rules.ts'
import { notifyFrom } from '../../notifications/announce.ts'
import { createRecurring } from '../../series/from-maintenance.ts'
import { settingsOf } from '../../settings/stored.ts'
import { translateNew } from '../../translations/write.ts'
import { requireStage, stagesOf } from '../../vocabulary/lookup.ts'
import { firstStage } from '../../vocabulary/rules.ts'
import { writeUpdate } from '../add-update.ts'
import { maintenanceDefaults } from '../fields.ts'
import { addItems, checkWords, newMaintenance } from '../new-maintenance.ts'
import { presentFull } from '../presenter.ts'
import { pastProblems, scheduleProblems } from '../rules.ts'
import { MaintenanceCreateRequest, MaintenanceResource } from '../schema.ts'

type Input = z.output<typeof MaintenanceCreateRequest>

export const createMaintenance = operation({
  name: 'maintenances.create',
  makes: 'maintenance',
  area: 'maintenance',
  permission: 'write',
  summary: 'Create a maintenance',
  description:
    'At least one affected item is required. With `auto_transition_enabled` the maintenance starts and completes at its scheduled times; both times are then required. With an `external_id` the request may be repeated: an equal request answers 200 with the stored record and changes nothing. With a `recurrence_rule` the request creates a series and answers its first window, which has exactly the requested times. The scheduled start must be an occurrence of the rule.',
  input: MaintenanceCreateRequest,
  output: MaintenanceResource,
  run: async (ctx, input) => {
    const stored = await findRepeated(ctx, Maintenance, 'maintenance', input, () => pageDefaults(ctx))
    return (await presentFull(ctx.tx, [stored ?? (await plan(ctx, input))]))[0]!
  },
})

/** The defaults of this page for what a request omits. */
export async function pageDefaults({ tx }: Context): Promise<Defaults> {
  const stage = firstStage(await stagesOf(tx, 'maintenance'))
  const { reliability_policy_timezone: recurrence_timezone } = await settingsOf(tx)
  return {
    ...maintenanceDefaults(),
    ...{ status: 'scheduled', recurrence_timezone },
    ...{ lifecycle_stage_id: stage?.id, lifecycle_stage_name: stage?.name },
  }
}

export async function plan(ctx: Context, input: Input): Promise<Maintenance> {
  const { tx, now } = ctx
  checkWords(input)
  const stages = await stagesOf(tx, 'maintenance')
  const stage = requireStage(stages, input)
  const items = await resolveItems(tx, input.affected_items, 'affected_items')
  const maintenance = input.recurrence_rule
    ? await createRecurring(ctx, input, items, stage?.id)
    : await planOne(ctx, input, items, stage ?? firstStage(stages))
  maintenance.external_id = input.external_id ?? null
  maintenance.create_hash = ctx.createHash
  const { notify } = input
  if (input.status === 'in_progress') {
    await writeUpdate(ctx, maintenance, { status: 'in_progress', stageId: stage?.id, notify })
    maintenance.version = 1
  } else {
    const { id } = maintenance
    notifyFrom(ctx, { key: 'maintenance.scheduled', kind: 'maintenance', id, natural: 'scheduled', notify })
  }
  maintenance.updated_at = now
  ctx.wake(
    { kind: 'maintenance', id: maintenance.id },
    `the creation of maintenance ${named(maintenance.title, maintenance.id)}`,
  )
  return maintenance
}

async function planOne(
  ctx: Context,
  input: Input,
  items: { id: number }[],
  stage: { id: number } | undefined,
): Promise<Maintenance> {
  const extra = (['recurrence_timezone', 'recurrence_end_time'] as const).filter((name) => input[name])
  if (extra.length > 0) throw invalid(extra.map((path) => ({ path, message: 'requires a recurrence_rule' })))
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
