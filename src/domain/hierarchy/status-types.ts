import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { StatusType } from '../../persistence/entities/status-type.ts'
import { usesOfStatus } from '../../persistence/vocabulary.ts'
import { assignDefined, cleared } from '../kernel/assign.ts'
import { invalid, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { listOf, pagingFields, partOf } from '../kernel/paging.ts'
import { trackRevision } from '../kernel/revise.ts'
import { message, versionToDelete } from '../kernel/schema.ts'
import { recordSubject } from '../kernel/subject.ts'
import { forgetTranslations, translate, translateNew } from '../translations/write.ts'
import { defaultStatusTypes } from '../vocabulary/defaults.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { number, placeOf, reorder, trackOrder } from '../vocabulary/order.ts'
import { presentStatusType, presentStatusTypes } from '../vocabulary/presenter.ts'
import { MAINTENANCE } from '../vocabulary/rules.ts'
import {
  ReorderRequest,
  StatusTypeCreateRequest,
  StatusTypeResource,
  StatusTypeUpdateRequest,
} from '../vocabulary/schema.ts'
import { recomputeStatuses } from './statuses.ts'

const subject = recordSubject('status type', StatusType, presentStatusType)
const StatusTypeList = z.strictObject({ status_types: z.array(StatusTypeResource), total: z.int() })
async function listed(tx: EntityManager, types: StatusType[]) {
  return { status_types: await presentStatusTypes(tx, types), total: types.length }
}
const shown = async (tx: EntityManager, type: StatusType) => (await presentStatusTypes(tx, [type]))[0]!

export const listStatusTypes = operation({
  name: 'status_types.list',
  area: 'vocabulary',
  permission: 'read',
  summary: 'List status types, mildest first, including archived types',
  input: z.strictObject({ ...pagingFields }),
  output: listOf('status_types', StatusTypeResource),
  run: async ({ tx }, asked) => {
    const { rows, ...found } = partOf(await statusTypes(tx), asked, ({ key }) => key)
    return { status_types: await presentStatusTypes(tx, rows), ...found }
  },
})

export const getStatusType = operation({
  name: 'status_types.get',
  area: 'vocabulary',
  permission: 'read',
  summary: 'Get a status type',
  subject,
  input: z.strictObject({}),
  output: StatusTypeResource,
  run: ({ tx }, _input, type) => shown(tx, type),
})

export const createStatusType = operation({
  name: 'status_types.create',
  makes: 'status type',
  area: 'vocabulary',
  permission: 'write',
  summary: 'Create a status type',
  description: 'The new type becomes the most severe; reordering moves it.',
  input: StatusTypeCreateRequest,
  output: StatusTypeResource,
  run: async (ctx, input) => {
    const { tx, page, now } = ctx
    const types = await statusTypes(tx)
    if (types.some((type) => type.key === input.key)) {
      throw new Problem('conflict', `A status type "${input.key}" already exists.`)
    }
    const { key, name, description, icon, color, uptime_weight } = input
    const type = tx.create(StatusType, {
      page_id: page.id,
      ...{ key, name, description, icon, color, uptime_weight },
      is_operational: false,
      weight_changed_at: null,
      archived: false,
      display_order: types.length + 1,
      version: 1,
      created_at: now,
      updated_at: now,
    })
    await tx.flush()
    await translateNew(ctx, ['status_type', type.id], input.translations)
    return shown(tx, type)
  },
})

export const updateStatusType = operation({
  name: 'status_types.update',
  area: 'vocabulary',
  permission: 'write',
  summary: 'Change a status type, or archive it',
  subject,
  input: StatusTypeUpdateRequest,
  output: StatusTypeResource,
  run: async (ctx, input, type) => {
    const revise = trackRevision(ctx, subject, type)
    const before = type.uptime_weight
    if (input.archived) requireDispensable(type)
    const { name, color, uptime_weight, archived } = input
    const texts = { description: cleared(input.description), icon: cleared(input.icon) }
    assignDefined(type, { name, ...texts, color, uptime_weight, archived })
    if (type.uptime_weight !== before) type.weight_changed_at = ctx.now
    await translate(ctx, ['status_type', type.id], input.translations)
    revise()
    return shown(ctx.tx, type)
  },
})

export const deleteStatusType = operation({
  name: 'status_types.delete',
  area: 'vocabulary',
  permission: 'write',
  summary: 'Delete a status type that no record uses',
  subject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async (ctx, _input, type) => {
    requireDispensable(type)
    const uses = await usesOfStatus(ctx.tx, type.key)
    if (uses.length > 0) {
      throw new Problem(
        'conflict',
        `The status type "${type.key}" is used by ${uses.join(', ')}: archive the type instead.`,
      )
    }
    await forgetTranslations(ctx, ['status_type', type.id])
    ctx.tx.remove(type)
    await ctx.tx.flush()
    number(await statusTypes(ctx.tx), ctx.now)
    return { message: `The status type "${type.key}" is deleted.` }
  },
})

export const reorderStatusTypes = operation({
  name: 'status_types.reorder',
  area: 'vocabulary',
  permission: 'write',
  summary: 'Order the status types, from mild to severe',
  description: 'The operational type stays the mildest. The statuses of items are recomputed at once.',
  input: ReorderRequest,
  output: StatusTypeList,
  run: async (ctx, { ids }) => {
    const { tx, page, now } = ctx
    const stored = await statusTypes(tx)
    const done = trackOrder(ctx, stored)
    const types = reorder(stored, ids, now)
    done()
    if (!types[0]?.is_operational) {
      throw invalid([{ path: 'ids', message: 'must begin with the operational type, which stays the mildest' }])
    }
    await recomputeStatuses(tx, { pageId: page.id, now, cause: { kind: 'vocabulary', id: null } })
    return listed(tx, types)
  },
})

export const restoreStatusTypes = operation({
  name: 'status_types.defaults',
  area: 'vocabulary',
  permission: 'write',
  summary: 'Restore the default status types that are missing or archived',
  input: z.strictObject({}),
  output: StatusTypeList,
  run: async (ctx) => {
    const { tx, page, now } = ctx
    const types = await statusTypes(tx)
    const done = trackOrder(ctx, types)
    const keys = defaultStatusTypes.map((type) => type.key)
    for (const missing of defaultStatusTypes) {
      const there = types.find((type) => type.key === missing.key)
      if (there) {
        if (there.archived) Object.assign(there, { archived: false, version: there.version + 1, updated_at: now })
        continue
      }
      const type = tx.create(StatusType, {
        page_id: page.id,
        ...missing,
        is_operational: false,
        archived: false,
        display_order: 0,
        version: 0,
        created_at: now,
        updated_at: now,
      })
      types.splice(
        placeOf(types, keys, missing.key, (one) => one.key),
        0,
        type,
      )
    }
    number(types, now)
    await tx.flush()
    done()
    return listed(tx, types)
  },
})

/** The service itself sets these two: for healthy items and for items under maintenance. */
function requireDispensable(type: StatusType): void {
  if (type.is_operational || type.key === MAINTENANCE) {
    throw new Problem(
      'conflict',
      `The service itself uses the status type "${type.key}": it can be neither archived nor deleted.`,
    )
  }
}
