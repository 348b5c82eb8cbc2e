import { z } from 'zod'
import { invalid, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { trackRevision } from '../kernel/revise.ts'
import { line, moment, notify, notifyInQuery, version, versionToDelete } from '../kernel/schema.ts'
import { named } from '../kernel/text-rules.ts'
import { requireStatus, statusTypes } from '../vocabulary/lookup.ts'
import { presentItems } from './presenter.ts'
import { HierarchyItemResource } from './schema.ts'
import { recomputeStatuses } from './statuses.ts'
import { itemSubject } from './subject.ts'

export const overrideStatus = operation({
  name: 'items.status.put',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Override the status of an item',
  description:
    'The override replaces the status from incidents, maintenances and children until it is deleted or `until` has passed.',
  subject: itemSubject,
  input: z.strictObject({
    status: z.string().min(1).max(50),
    reason: line(500),
    until: moment().nullable().optional(),
    version: version().optional(),
    notify: notify(),
  }),
  output: HierarchyItemResource,
  run: async (ctx, { status, reason, until, notify }, item) => {
    const { tx, now, page } = ctx
    if (item.archived_at)
      throw new Problem(
        'conflict',
        `The item ${named(item.name, item.id)} is archived: the status of an archived item cannot change.`,
      )
    requireStatus(await statusTypes(tx), status)
    const end = until ? new Date(until) : null
    if (end && end <= now) throw invalid([{ path: 'until', message: 'must lie in the future' }])
    const isActive = item.override_status !== null && !(item.override_until && item.override_until <= now)
    const since = isActive ? item.override_since : now
    const changed = trackRevision(ctx, itemSubject, item)
    Object.assign(item, {
      override_status: status,
      override_reason: reason,
      override_until: end,
      override_since: since,
    })
    if (changed()) {
      await recomputeStatuses(tx, { pageId: page.id, now, cause: { kind: 'override', id: item.id }, notify })
      ctx.wake(
        { kind: 'item', id: item.id },
        `the override "${status}" of item ${named(item.name, item.id)} by "${ctx.actor.name}"`,
      )
    }
    return (await presentItems(tx, [item]))[0]!
  },
})

export const takeBackOverride = operation({
  name: 'items.status.delete',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Delete the override of the status of an item',
  subject: itemSubject,
  input: z.strictObject({ ...versionToDelete(), notify: notifyInQuery() }),
  output: HierarchyItemResource,
  run: async (ctx, { notify }, item) => {
    const { tx, now, page } = ctx
    if (item.override_status === null) {
      ctx.existing()
    } else {
      Object.assign(item, { override_status: null, override_reason: null, override_until: null, override_since: null })
      Object.assign(item, { version: item.version + 1, updated_at: now })
      await recomputeStatuses(tx, { pageId: page.id, now, cause: { kind: 'override', id: item.id }, notify })
      ctx.wake(
        { kind: 'item', id: item.id },
        `the deletion of the override of item ${named(item.name, item.id)} by "${ctx.actor.name}"`,
      )
    }
    return (await presentItems(tx, [item]))[0]!
  },
})
