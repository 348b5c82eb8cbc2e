import { z } from 'zod'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { HierarchyLevel } from '../../persistence/entities/hierarchy-level.ts'
import { assignDefined } from '../kernel/assign.ts'
import { Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { listOf, pagingFields, partOf } from '../kernel/paging.ts'
import { trackRevision } from '../kernel/revise.ts'
import { inOneLine, line, message, readOnly, version, versionToDelete, withoutReadOnly } from '../kernel/schema.ts'
import { recordSubject } from '../kernel/subject.ts'

const MOST_LEVELS = 10

const HierarchyLevelResource = z
  .strictObject({ id: z.int(), depth: z.int(), singular: z.string(), plural: z.string(), version: z.int() })
  .meta({ id: 'HierarchyLevel' })

const present = ({ id, depth, singular, plural, version }: HierarchyLevel) => ({ id, depth, singular, plural, version })
const subject = recordSubject('level', HierarchyLevel, present)
const area = 'hierarchy' as const

export const listLevels = operation({
  name: 'levels.list',
  area,
  permission: 'read',
  summary: 'List the levels of the hierarchy, from the top',
  input: z.strictObject({ ...pagingFields }),
  output: listOf('levels', HierarchyLevelResource),
  run: async ({ tx }, asked) => {
    const levels = await tx.findAll(HierarchyLevel, { orderBy: { depth: 'asc' } })
    const { rows, ...found } = partOf(levels, asked, ({ id }) => id)
    return { levels: rows.map(present), ...found }
  },
})

export const getLevel = operation({
  name: 'levels.get',
  area,
  permission: 'read',
  summary: 'Get a level of the hierarchy',
  subject,
  input: z.strictObject({}),
  output: HierarchyLevelResource,
  run: async (_ctx, _input, level) => present(level),
})

export const createLevel = operation({
  name: 'levels.create',
  makes: 'level',
  area,
  permission: 'write',
  summary: 'Add a level below the deepest one',
  input: withoutReadOnly(
    z.strictObject({ singular: inOneLine(line(50)), plural: inOneLine(line(50)) }),
    'id',
    'depth',
    'version',
  ),
  output: HierarchyLevelResource,
  run: async ({ tx, page }, { singular, plural }) => {
    const depth = (await tx.count(HierarchyLevel)) + 1
    if (depth > MOST_LEVELS) throw new Problem('conflict', `A page has at most ${MOST_LEVELS} levels.`)
    const level = tx.create(HierarchyLevel, { page_id: page.id, depth, singular, plural, version: 1 })
    await tx.flush()
    return present(level)
  },
})

export const updateLevel = operation({
  name: 'levels.update',
  area,
  permission: 'write',
  summary: 'Rename a level',
  subject,
  input: z.strictObject({
    singular: inOneLine(line(50)).optional(),
    plural: inOneLine(line(50)).optional(),
    version: version().optional(),
    ...readOnly('id', 'depth'),
  }),
  output: HierarchyLevelResource,
  run: async (ctx, { singular, plural }, level) => {
    const revised = trackRevision(ctx, subject, level)
    assignDefined(level, { singular, plural })
    revised()
    return present(level)
  },
})

export const deleteLevel = operation({
  name: 'levels.delete',
  area,
  permission: 'write',
  summary: 'Delete the deepest level, if it has no items',
  subject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async ({ tx }, _input, level) => {
    const count = await tx.count(HierarchyLevel)
    if (level.depth !== count || count === 1) {
      throw new Problem('conflict', 'Only the deepest level can be deleted, and a page keeps at least one level.')
    }
    if ((await tx.count(HierarchyItem, { depth: level.depth })) > 0) {
      throw new Problem('conflict', `The level "${level.singular}" still has items: move or delete the items first.`)
    }
    tx.remove(level)
    return { message: `The level "${level.singular}" is deleted.` }
  },
})
