import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { LifecycleStage } from '../../persistence/entities/lifecycle-stage.ts'
import { usesOfStage } from '../../persistence/vocabulary.ts'
import { assignDefined, cleared } from '../kernel/assign.ts'
import type { Context } from '../kernel/context.ts'
import { Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { listOf, pagingFields, partOf } from '../kernel/paging.ts'
import { trackRevision } from '../kernel/revise.ts'
import { message, versionToDelete } from '../kernel/schema.ts'
import { recordSubject } from '../kernel/subject.ts'
import { forgetTranslations, translate, translateNew } from '../translations/write.ts'
import { defaultIncidentStages, defaultMaintenanceStages } from './defaults.ts'
import { stagesOf } from './lookup.ts'
import { number, placeOf, reorder, trackOrder } from './order.ts'
import { presentStage, presentStages } from './presenter.ts'
import {
  LifecycleStageCreateRequest,
  LifecycleStageResource,
  LifecycleStageUpdateRequest,
  ReorderRequest,
} from './schema.ts'
import { ending, requireDispensable, requireFreeName, requireOpenDefault, sameName } from './stage-checks.ts'

type Kind = LifecycleStage['kind']

const defaults = { incident: defaultIncidentStages, maintenance: defaultMaintenanceStages }

const StageList = z.strictObject({ lifecycle_stages: z.array(LifecycleStageResource), total: z.int() })
async function listed(tx: EntityManager, stages: LifecycleStage[]) {
  return { lifecycle_stages: await presentStages(tx, stages), total: stages.length }
}
const shown = async (tx: EntityManager, stage: LifecycleStage) => (await presentStages(tx, [stage]))[0]!

/** The operations on the lifecycle stages of incidents, and the same on those of maintenances. */
export function stageOperations(kind: Kind) {
  const subject = recordSubject('lifecycle stage', LifecycleStage, presentStage, { kind })
  const common = { area: 'vocabulary' as const, permission: 'write' as const }
  const name = (verb: string) => `${kind}_stages.${verb}`
  return {
    list: operation({
      name: name('list'),
      area: 'vocabulary',
      permission: 'read',
      summary: `List the lifecycle stages of ${kind}s in order, including archived stages`,
      input: z.strictObject({ ...pagingFields }),
      output: listOf('lifecycle_stages', LifecycleStageResource),
      run: async ({ tx }, asked) => {
        const { rows, ...found } = partOf(await stagesOf(tx, kind), asked, ({ id }) => id)
        return { lifecycle_stages: await presentStages(tx, rows), ...found }
      },
    }),
    get: operation({
      name: name('get'),
      area: 'vocabulary',
      permission: 'read',
      summary: `Get a lifecycle stage of ${kind}s`,
      subject,
      input: z.strictObject({}),
      output: LifecycleStageResource,
      run: ({ tx }, _input, stage) => shown(tx, stage),
    }),
    create: operation({
      ...common,
      name: name('create'),
      makes: 'lifecycle stage',
      summary: `Create a lifecycle stage of ${kind}s`,
      description: `The new stage is placed before the last ${ending[kind] === 1 ? 'stage' : 'two stages'}; reordering moves it.`,
      input: LifecycleStageCreateRequest,
      output: LifecycleStageResource,
      run: async (ctx, input) => {
        const stages = await stagesOf(ctx.tx, kind)
        requireFreeName(stages, input.name)
        const stage = newStage(ctx, kind, input)
        stages.splice(Math.max(0, stages.length - ending[kind]), 0, stage)
        number(stages, ctx.now)
        await ctx.tx.flush()
        await translateNew(ctx, ['lifecycle_stage', stage.id], input.translations)
        return shown(ctx.tx, stage)
      },
    }),
    update: operation({
      ...common,
      name: name('update'),
      summary: `Change a lifecycle stage of ${kind}s, set the default, or archive a stage`,
      description: `The default cannot be ${ending[kind] === 1 ? 'the last stage' : 'one of the last two stages'}, for ${kind}s that have ended (409).`,
      subject,
      input: LifecycleStageUpdateRequest,
      output: LifecycleStageResource,
      run: async (ctx, input, stage) => {
        const revise = trackRevision(ctx, subject, stage)
        const others = (await stagesOf(ctx.tx, kind)).filter((other) => other.id !== stage.id)
        if (input.name !== undefined) requireFreeName(others, input.name)
        if (input.archived && !stage.archived) requireDispensable(kind, stage, others)
        if (input.is_default && (input.archived ?? stage.archived)) {
          throw new Problem('conflict', 'An archived stage cannot be the default.')
        }
        if (input.is_default === false && stage.is_default) {
          throw new Problem('conflict', 'One stage is always the default: make another stage the default instead.')
        }
        if (input.is_default) {
          for (const other of others.filter((one) => one.is_default)) {
            Object.assign(other, { is_default: false, version: other.version + 1, updated_at: ctx.now })
          }
        }
        const { name: called, color, is_default, archived } = input
        assignDefined(stage, { name: called, description: cleared(input.description), color, is_default, archived })
        if (input.is_default) requireOpenDefault(kind, [...others, stage])
        await translate(ctx, ['lifecycle_stage', stage.id], input.translations)
        revise()
        return shown(ctx.tx, stage)
      },
    }),
    delete: operation({
      ...common,
      name: name('delete'),
      summary: `Delete a lifecycle stage of ${kind}s that no record uses`,
      subject,
      input: z.strictObject(versionToDelete()),
      output: message,
      run: async (ctx, _input, stage) => {
        const { tx, now } = ctx
        const others = (await stagesOf(tx, kind)).filter((other) => other.id !== stage.id)
        requireDispensable(kind, stage, others)
        const uses = await usesOfStage(tx, stage.id)
        if (uses.length > 0) {
          throw new Problem(
            'conflict',
            `The stage "${stage.name}" is used by ${uses.join(', ')}: archive the stage instead.`,
          )
        }
        await forgetTranslations(ctx, ['lifecycle_stage', stage.id])
        tx.remove(stage)
        number(others, now)
        return { message: `The lifecycle stage "${stage.name}" is deleted.` }
      },
    }),
    reorder: operation({
      ...common,
      name: name('reorder'),
      summary: `Order the lifecycle stages of ${kind}s`,
      input: ReorderRequest,
      output: StageList,
      run: async (ctx, { ids }) => {
        const stages = await stagesOf(ctx.tx, kind)
        const done = trackOrder(ctx, stages)
        const ordered = reorder(stages, ids, ctx.now)
        requireOpenDefault(kind, ordered)
        done()
        return listed(ctx.tx, ordered)
      },
    }),
    restore: operation({
      ...common,
      name: name('defaults'),
      summary: `Restore the default lifecycle stages of ${kind}s that are missing or archived`,
      input: z.strictObject({}),
      output: StageList,
      run: async (ctx) => {
        const stages = await stagesOf(ctx.tx, kind)
        const done = trackOrder(ctx, stages)
        const names = defaults[kind].map((stage) => stage.name)
        for (const missing of defaults[kind]) {
          const there = stages.find((stage) => sameName(stage.name, missing.name))
          if (there?.archived)
            Object.assign(there, { archived: false, version: there.version + 1, updated_at: ctx.now })
          if (there) continue
          const place = placeOf(stages, names, missing.name, (one) => one.name)
          stages.splice(place, 0, newStage(ctx, kind, missing))
        }
        number(stages, ctx.now)
        await ctx.tx.flush()
        done()
        return listed(ctx.tx, stages)
      },
    }),
  }
}

function newStage(
  ctx: Context,
  kind: Kind,
  { name, description, color }: Pick<LifecycleStage, 'name' | 'description' | 'color'>,
) {
  return ctx.tx.create(LifecycleStage, {
    page_id: ctx.page.id,
    kind,
    ...{ name, description, color },
    display_order: 0,
    is_default: false,
    archived: false,
    version: 0,
    created_at: ctx.now,
    updated_at: ctx.now,
  })
}
