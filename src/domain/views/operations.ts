import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { CustomView } from '../../persistence/entities/custom-view.ts'
import { ViewAliasBlock } from '../../persistence/entities/view-alias-block.ts'
import { loseView } from '../../persistence/forgotten-records.ts'
import { resolveItems } from '../hierarchy/references.ts'
import type { ItemRef } from '../hierarchy/schema.ts'
import { assignDefined } from '../kernel/assign.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { newestFirst } from '../kernel/newest-first.ts'
import { operation } from '../kernel/operation.ts'
import { listOf, pagingFields } from '../kernel/paging.ts'
import { trackRevision } from '../kernel/revise.ts'
import { message, versionToDelete } from '../kernel/schema.ts'
import { presentViews, viewUrl } from './presenter.ts'
import { SHORT_CODE_LENGTH, shortCodeOf } from './rules.ts'
import { CreatedView, CustomViewResource, ViewCreateRequest, ViewUpdateRequest } from './schema.ts'
import { viewSubject as subject } from './subject.ts'

const area = 'audience' as const

export const listViews = operation({
  name: 'views.list',
  area,
  permission: 'read',
  summary: 'List custom views, newest first',
  input: z.strictObject({ ...pagingFields }),
  output: listOf('views', CustomViewResource),
  run: async (ctx, asked) => {
    const { rows, ...found } = await newestFirst(ctx.tx, CustomView, asked)
    return { views: await presentViews(ctx, rows), ...found }
  },
})

export const getView = operation({
  name: 'views.get',
  area,
  permission: 'read',
  summary: 'Get a custom view',
  subject,
  input: z.strictObject({}),
  output: CustomViewResource,
  run: async (ctx, _input, view) => (await presentViews(ctx, [view]))[0]!,
})

export const createView = operation({
  name: 'views.create',
  makes: 'view',
  area,
  permission: 'admin',
  summary: 'Create a custom view: some items of the page at an address of its own',
  description:
    'The view is at `/v/{code}`, where the code is the given `short_code` or the `alias`. Readers see only the items of the view, and incidents and maintenances that affect them.',
  input: ViewCreateRequest,
  output: CreatedView,
  run: async (ctx, input) => {
    const { tx, page, now } = ctx
    await requireFreeAlias(ctx, input.alias)
    requireNamedReaders(input)
    const { items, expires_at, ...fields } = input
    const view = tx.create(CustomView, {
      ...fields,
      description: fields.description ?? '',
      page_id: page.id,
      short_code: shortCodeOf(randomBytes(SHORT_CODE_LENGTH)),
      items: await chosen(ctx, items),
      expires_at: expires_at === null ? null : new Date(expires_at),
      ...{ version: 1, created_at: now, updated_at: now },
    })
    await tx.flush()
    const [full] = await presentViews(ctx, [view])
    return { id: view.id, short_code: view.short_code, url: viewUrl(ctx, view), view: full! }
  },
})

export const updateView = operation({
  name: 'views.update',
  area,
  permission: 'admin',
  summary: 'Change a custom view',
  description: 'Readers whose address the view no longer allows have no access from then on.',
  subject,
  input: ViewUpdateRequest,
  output: CustomViewResource,
  run: async (ctx, input, view) => {
    const revise = trackRevision(ctx, subject, view)
    const { items, expires_at, alias, name, description, include_descendants, access_mode } = input
    const { allowed_domains, allowed_emails, managers, enabled } = input
    if (alias !== undefined && alias !== view.alias) await requireFreeAlias(ctx, alias, view.id)
    const simple = { alias, name, include_descendants, access_mode, enabled }
    const cleared = description === null ? '' : description
    assignDefined(view, { ...simple, description: cleared, allowed_domains, allowed_emails, managers })
    if (items) view.items = await chosen(ctx, items, view)
    if (expires_at !== undefined) view.expires_at = expires_at === null ? null : new Date(expires_at)
    requireNamedReaders(view)
    revise()
    return (await presentViews(ctx, [view]))[0]!
  },
})

export const deleteView = operation({
  name: 'views.delete',
  area,
  permission: 'admin',
  summary: 'Delete a custom view, and the subscriptions to it',
  subject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async ({ tx, now }, _input, view) => {
    await loseView(tx, view.id, now)
    tx.remove(view)
    return { message: `The view "${view.name}" is deleted.` }
  },
})

/** An alias is free unless the blocklist has it, or it is a code of another view. */
async function requireFreeAlias({ tx }: Context, alias: string | null, own?: number): Promise<void> {
  if (alias === null) return
  const refuse = (message: string) => invalid([{ path: 'alias', message }])
  if (await tx.findOne(ViewAliasBlock, { value: alias })) throw refuse('is on the blocklist of aliases')
  const taken = await tx.findOne(CustomView, { $or: [{ alias }, { short_code: alias }] })
  if (taken && taken.id !== own) throw refuse(`is a code of the view "${taken.name}" (${taken.id})`)
}

/** The items with their present names. A deleted item of the view may be sent back. */
async function chosen({ tx }: Context, refs: ItemRef[], view?: CustomView): Promise<CustomView['items']> {
  const gone = new Map(view?.items.map((item) => [item.id, item]))
  const found = await resolveItems(tx, refs, 'items', [...gone.keys()])
  const names = new Map(found.map(({ id, name }) => [id, { id, name }]))
  return [...names.values()]
}

function requireNamedReaders({ access_mode, allowed_domains, allowed_emails }: Readers): void {
  const field = access_mode === 'allowed_domains' || access_mode === 'allowed_emails' ? access_mode : undefined
  if (field === undefined || { allowed_domains, allowed_emails }[field].length > 0) return
  throw invalid([{ path: field, message: `must not be empty with the access mode ${access_mode}` }])
}

type Readers = Pick<CustomView, 'access_mode' | 'allowed_domains' | 'allowed_emails'>
