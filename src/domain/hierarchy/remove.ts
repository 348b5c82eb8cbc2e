import { z } from 'zod'
import { leaveScopes } from '../../persistence/forgotten-records.ts'
import { lockTree, usesOfItem } from '../../persistence/hierarchy.ts'
import { Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { flag, message, versionToDelete } from '../kernel/schema.ts'
import { inList, named } from '../kernel/text-rules.ts'
import { forgetTranslations } from '../translations/write.ts'
import { recomputeStatuses } from './statuses.ts'
import { itemSubject } from './subject.ts'

export const deleteItem = operation({
  name: 'items.delete',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Delete or archive an item',
  description:
    'An item with children, references or status events cannot be deleted: 409. With `archive` the item is archived: it is no longer shown, and stays in history. A deleted item leaves the scopes of subscriptions; a subscription without any item left is disabled.',
  subject: itemSubject,
  input: z.strictObject({
    archive: flag().default(false),
    ...versionToDelete(),
  }),
  output: message,
  run: async (ctx, { archive }, item) => {
    const { tx, now, page } = ctx
    await lockTree(tx, page.id)
    const uses = await usesOfItem(tx, item.id)
    if (archive) {
      if (uses.includes('items below it')) throw new Problem('conflict', 'Archive or move the items below it first.')
      if (item.archived_at) ctx.existing()
      else Object.assign(item, { archived_at: now, updated_at: now, version: item.version + 1 })
      await recomputeStatuses(tx, { pageId: page.id, now, cause: { kind: 'item', id: item.id } })
      return { message: `The item "${item.name}" is archived.` }
    }
    if (uses.length > 0) {
      throw new Problem(
        'conflict',
        `The item ${named(item.name, item.id)} is referred to by ${inList(uses)}: archive the item instead.`,
      )
    }
    await forgetTranslations(ctx, ['item', item.id])
    tx.remove(item)
    await tx.flush()
    await leaveScopes(tx, [item.id], now)
    await recomputeStatuses(tx, { pageId: page.id, now, cause: { kind: 'item', id: item.id } })
    return { message: `The item "${item.name}" is deleted.` }
  },
})
