import { z } from 'zod'
import { ViewAliasBlock } from '../../persistence/entities/view-alias-block.ts'
import { assignDefined } from '../kernel/assign.ts'
import type { Context } from '../kernel/context.ts'
import { Problem } from '../kernel/errors.ts'
import { newestFirst } from '../kernel/newest-first.ts'
import { operation } from '../kernel/operation.ts'
import { listOf, pagingFields } from '../kernel/paging.ts'
import { trackRevision } from '../kernel/revise.ts'
import { message, versionToDelete } from '../kernel/schema.ts'
import { recordSubject } from '../kernel/subject.ts'
import { AliasBlockCreateRequest, AliasBlockResource, AliasBlockUpdateRequest } from './schema.ts'

const common = { area: 'audience', affectsPage: false } as const

const present = ({ id, value, version, created_at, updated_at }: ViewAliasBlock) => ({
  ...{ id, value, version },
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})

const subject = recordSubject('blocked alias', ViewAliasBlock, present)

export const listBlockedAliases = operation({
  ...common,
  name: 'views.alias_blocklist.list',
  permission: 'read',
  summary: 'List the words that no new alias of a view may be, newest first',
  input: z.strictObject({ ...pagingFields }),
  output: listOf('alias_blocklist', AliasBlockResource),
  run: async ({ tx }, asked) => {
    const { rows, ...found } = await newestFirst(tx, ViewAliasBlock, asked)
    return { alias_blocklist: rows.map(present), ...found }
  },
})

export const getBlockedAlias = operation({
  ...common,
  name: 'views.alias_blocklist.get',
  permission: 'read',
  summary: 'Get a word of the blocklist of aliases',
  subject,
  input: z.strictObject({}),
  output: AliasBlockResource,
  run: async (_ctx, _input, block) => present(block),
})

export const createBlockedAlias = operation({
  ...common,
  name: 'views.alias_blocklist.create',
  makes: 'blocked alias',
  permission: 'admin',
  summary: 'Add a word to the blocklist of aliases',
  description: 'Upper and lower case are the same. Views that have the alias already keep it.',
  input: AliasBlockCreateRequest,
  output: AliasBlockResource,
  run: async (ctx, { value }) => {
    const { tx, page, now } = ctx
    await requireNew(ctx, value)
    const block = tx.create(ViewAliasBlock, {
      ...{ page_id: page.id, value, version: 1, created_at: now, updated_at: now },
    })
    await tx.flush()
    return present(block)
  },
})

export const updateBlockedAlias = operation({
  ...common,
  name: 'views.alias_blocklist.update',
  permission: 'admin',
  summary: 'Change a word of the blocklist of aliases',
  subject,
  input: AliasBlockUpdateRequest,
  output: AliasBlockResource,
  run: async (ctx, { value }, block) => {
    const revise = trackRevision(ctx, subject, block)
    if (value !== undefined && value !== block.value) await requireNew(ctx, value)
    assignDefined(block, { value })
    revise()
    return present(block)
  },
})

export const deleteBlockedAlias = operation({
  ...common,
  name: 'views.alias_blocklist.delete',
  permission: 'admin',
  summary: 'Remove a word from the blocklist of aliases',
  subject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async ({ tx }, _input, block) => {
    tx.remove(block)
    return { message: `"${block.value}" may be an alias again.` }
  },
})

async function requireNew({ tx }: Context, value: string): Promise<void> {
  const known = await tx.findOne(ViewAliasBlock, { value })
  if (known) throw new Problem('conflict', `"${value}" is on the blocklist already (${known.id}).`)
}
