import type { EntityManager } from '@mikro-orm/postgresql'
import { componentRows } from '../../persistence/components.ts'
import type { CustomView } from '../../persistence/entities/custom-view.ts'
import { summariesIn } from '../hierarchy/presenter.ts'
import type { Context } from '../kernel/context.ts'
import { mayDo } from '../kernel/permissions.ts'
import { pageUrl } from '../pages/rules.ts'
import { inOriginal, type Reading } from '../translations/languages.ts'

export function viewUrl({ page, services }: Pick<Context, 'page' | 'services'>, view: CustomView): string {
  return `${pageUrl(page, services)}/v/${view.alias ?? view.short_code}`
}

/** Views for the API of administrators. Addresses of people are for administrators of the audience. */
export async function presentViews(ctx: Context, views: CustomView[]) {
  const { tx, actor } = ctx
  const itemsOf = await itemPresenter(tx, inOriginal)
  const mayReadAddresses = actor.kind !== 'anonymous' && mayDo(actor, 'audience', 'admin')
  return views.map((view) => ({
    id: view.id,
    ...publicFields(ctx, view),
    ...itemsOf(view),
    include_descendants: view.include_descendants,
    allowed_domains: view.allowed_domains,
    ...(mayReadAddresses ? { allowed_emails: view.allowed_emails, managers: view.managers } : {}),
    enabled: view.enabled,
    version: view.version,
    created_at: view.created_at.toISOString(),
    updated_at: view.updated_at.toISOString(),
  }))
}

/** A view for its readers. */
export async function presentPublicView(ctx: Context, view: CustomView, reading: Reading) {
  const itemsOf = await itemPresenter(ctx.tx, reading)
  const { items, missing_items } = itemsOf(view)
  return {
    ...publicFields(ctx, view),
    items: items.map(({ hierarchy_path: _path, ...item }) => item),
    missing_items,
  }
}

const publicFields = (ctx: Pick<Context, 'page' | 'services'>, view: CustomView) => ({
  short_code: view.short_code,
  alias: view.alias,
  name: view.name,
  description: view.description,
  access_mode: view.access_mode,
  expires_at: view.expires_at?.toISOString() ?? null,
  url: viewUrl(ctx, view),
})

async function itemPresenter(tx: EntityManager, reading: Reading) {
  const rows = new Map((await componentRows(tx)).map((row) => [row.id, row]))
  const { summaryOf } = await summariesIn(tx, [...rows.values()], reading)
  return ({ items }: CustomView) => ({
    items: items.flatMap(({ id }) => (rows.has(id) ? [summaryOf(rows.get(id)!)] : [])),
    missing_items: items.filter(({ id }) => !rows.has(id)).map(({ id, name }) => ({ id, name })),
  })
}
