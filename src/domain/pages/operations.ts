import { LockMode } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { FormerPageSlug } from '../../persistence/entities/former-page-slug.ts'
import { Organization } from '../../persistence/entities/organization.ts'
import { Page } from '../../persistence/entities/page.ts'
import { isUniqueViolation, violatedConstraint } from '../../persistence/failures.ts'
import { assignDefined } from '../kernel/assign.ts'
import type { Context } from '../kernel/context.ts'
import { Problem } from '../kernel/errors.ts'
import { operation, type Subject } from '../kernel/operation.ts'
import { listOf, pagingFields, partOf } from '../kernel/paging.ts'
import { requireStored } from '../kernel/read-only.ts'
import { trackRevision } from '../kernel/revise.ts'
import { changeViewerAccess } from './access/viewer-access.ts'
import { addressesOf } from './rules.ts'
import { PageUpdateRequest, StatusPageSummary } from './schema.ts'

function present(ctx: Context, page: Page) {
  const { organization_slug, custom_domains } = ctx.page
  return {
    ...summarize({ services: ctx.services, page: { ...ctx.page, public_slug: page.public_slug } }),
    name: page.name,
    page_slug: page.page_slug,
    visibility: page.visibility,
    viewer_auth_mode: page.viewer_auth_mode,
    viewer_password_configured: page.viewer_password_hash !== null,
    organization_slug,
    custom_domains,
    version: page.version,
  }
}

/** The page as everyone may know it. */
export function summarize({ page, services }: Pick<Context, 'page' | 'services'>) {
  return {
    id: page.id,
    organization_id: page.organization_id,
    page_id: page.id,
    name: page.name,
    organization_slug: page.organization_slug,
    page_slug: page.page_slug,
    public_slug: page.public_slug,
    ...addressesOf(page, services),
    custom_domains: page.custom_domains,
    viewer_auth_mode: page.viewer_auth_mode,
    viewer_password_configured: page.viewer_password_configured,
    visibility: page.visibility,
  }
}

const pageSubject: Subject<Page> = {
  kind: 'page',
  external: false,
  singleton: true,
  id: (page) => page.id,
  snapshot: ({ name, page_slug, public_slug, visibility, viewer_auth_mode, version }) => ({
    name,
    page_slug,
    public_slug,
    visibility,
    viewer_auth_mode,
    version,
  }),
  find: ({ tx, page }, _ref, { lock }) =>
    tx.findOne(Page, { id: page.id }, lock ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {}),
}

export const getPage = operation({
  name: 'page.get',
  area: 'settings',
  permission: 'read',
  summary: 'Get the page',
  subject: pageSubject,
  input: z.strictObject({}),
  output: StatusPageSummary,
  run: async (ctx, _input, page) => present(ctx, page),
})

export const updatePage = operation({
  name: 'page.update',
  area: 'settings',
  permission: 'admin',
  changesDirectory: true,
  summary: 'Change the name, the slugs or the readers of the page',
  subject: pageSubject,
  input: PageUpdateRequest,
  output: StatusPageSummary,
  run: async (ctx, input, page) => {
    requireStored(ctx, present(ctx, page))
    const { name, page_slug, public_slug, visibility } = input
    const former = page.public_slug
    const changed = trackRevision(ctx, pageSubject, page)
    assignDefined(page, { name, page_slug, public_slug, visibility })
    await changeViewerAccess(ctx, page, input)
    if (!changed()) return present(ctx, page)
    await flushSlugs(ctx, page)
    if (page.public_slug !== former) await keepFormerSlug(ctx, former)
    return present(ctx, page)
  },
})

/** The slugs by the constraints of the database. */
const slugFields: Record<string, 'page_slug' | 'public_slug'> = {
  page_slug_key: 'page_slug',
  page_public_slug_key: 'public_slug',
}

/** Isolation hides other pages: only the database finds out that another page has a slug. */
async function flushSlugs({ tx }: Context, page: Page): Promise<void> {
  try {
    await tx.flush()
  } catch (error) {
    const constraint = violatedConstraint(error)
    const field = slugFields[constraint ?? '']
    if (!isUniqueViolation(error) || !field) throw error
    throw new Problem('conflict', `Another page has the ${field} "${page[field]}" already.`, { constraint })
  }
}

/** Links with the former slug redirect to the page for as long as no other page has the slug. */
async function keepFormerSlug({ tx, page, now }: Context, slug: string): Promise<void> {
  await tx.upsert(FormerPageSlug, { page_id: page.id, slug, retired_at: now }, { onConflictAction: 'merge' })
}

export const getContext = operation({
  name: 'context.get',
  area: 'settings',
  permission: 'read',
  summary: 'Get the page and the organization of the host, and the caller',
  input: z.strictObject({}),
  output: z
    .strictObject({
      organization: z.strictObject({ id: z.int(), name: z.string(), slug: z.string() }),
      page: StatusPageSummary,
      actor: z.strictObject({
        kind: z.string(),
        id: z.int().optional(),
        name: z.string(),
        permission: z.string(),
        role_key: z.string(),
      }),
    })
    .meta({ id: 'Context' }),
  run: async (ctx) => {
    const organization = await ctx.tx.findOneOrFail(Organization, { id: ctx.page.organization_id })
    const { actor } = ctx
    if (actor.kind === 'anonymous') throw new Problem('unauthenticated', 'This request needs a bearer token.')
    return {
      organization: { id: organization.id, name: organization.name, slug: organization.slug },
      page: summarize(ctx),
      actor: {
        kind: actor.kind,
        id: actor.kind === 'token' ? actor.id : undefined,
        name: actor.name,
        permission: actor.permission,
        role_key: actor.role_key,
      },
    }
  },
})

export const listPages = operation({
  name: 'org.pages.list',
  area: 'settings',
  permission: 'read',
  summary: 'List the pages of the organization that the token can access',
  description: 'A token belongs to one page and lists this page.',
  input: z.strictObject({ ...pagingFields }),
  output: listOf('pages', StatusPageSummary),
  run: async (ctx, asked) => {
    const { rows, ...found } = partOf([summarize(ctx)], asked, ({ id }) => id)
    return { pages: rows, ...found }
  },
})

export const getPublicPage = operation({
  name: 'public.page.get',
  area: 'settings',
  permission: 'public',
  summary: 'Get the page of the host',
  input: z.strictObject({}),
  output: StatusPageSummary,
  run: async (ctx) => summarize(ctx),
})
