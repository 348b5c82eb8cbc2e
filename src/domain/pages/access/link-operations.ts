import { z } from 'zod'
import { AccessLink } from '../../../persistence/entities/access-link.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, Problem } from '../../kernel/errors.ts'
import { newestFirst } from '../../kernel/newest-first.ts'
import { operation } from '../../kernel/operation.ts'
import { listOf, pagingFields } from '../../kernel/paging.ts'
import { message } from '../../kernel/schema.ts'
import { recordSubject } from '../../kernel/subject.ts'
import { tokenFormat } from '../../kernel/token-format.ts'
import { addressesOf } from '../rules.ts'
import { AccessLinkCreateRequest, AccessLinkResource, CreatedAccessLink } from './schema.ts'

/** Every process keeps the links of all pages in memory. */
const MOST_LINKS = 100
const YEAR_MS = 366 * 24 * 60 * 60 * 1000

const { make } = tokenFormat('upl')

const present = (link: AccessLink, now: Date) => ({
  id: link.id,
  name: link.name,
  prefix: link.prefix,
  state: link.expires_at <= now ? ('expired' as const) : ('active' as const),
  created_at: link.created_at.toISOString(),
  created_by: link.created_by,
  expires_at: link.expires_at.toISOString(),
})

const linkSubject = recordSubject('access link', AccessLink, (link) => ({
  name: link.name,
  prefix: link.prefix,
  expires_at: link.expires_at.toISOString(),
}))

export const createAccessLink = operation({
  name: 'access_links.create',
  makes: 'access link',
  area: 'settings',
  permission: 'admin',
  affectsPage: false,
  changesDirectory: true,
  summary: 'Create a link that lets everyone who has it read the page; only the answer shows the link',
  description: `The parameter \`access\` with the token of the link works at every public address of the page: at the HTML pages and at the reads of the API. A page has at most ${MOST_LINKS} links that have not expired.`,
  input: AccessLinkCreateRequest,
  output: CreatedAccessLink,
  run: async (ctx, { name, expires_at }) => {
    const { tx, page, now, actor, services } = ctx
    const until = expiryOf(ctx, expires_at)
    await forgetExpired(ctx)
    if ((await tx.count(AccessLink, { expires_at: { $gt: now } })) >= MOST_LINKS) {
      throw new Problem('conflict', `The page has ${MOST_LINKS} access links already: delete one first.`)
    }
    const { token, prefix, hash } = make()
    const made = { page_id: page.id, name, prefix, hash, created_at: now, created_by: actor.name, expires_at: until }
    const link = tx.create(AccessLink, made)
    await tx.flush()
    const url = new URL(addressesOf(page, services).public_url)
    url.searchParams.set('access', token)
    return { ...present(link, now), token, url: url.href }
  },
})

export const listAccessLinks = operation({
  name: 'access_links.list',
  area: 'settings',
  permission: 'read',
  summary: 'List the access links of the page, newest first',
  input: z.strictObject({ ...pagingFields }),
  output: listOf('access_links', AccessLinkResource),
  run: async ({ tx, now }, asked) => {
    const { rows, ...found } = await newestFirst(tx, AccessLink, asked)
    return { access_links: rows.map((link) => present(link, now)), ...found }
  },
})

export const getAccessLink = operation({
  name: 'access_links.get',
  area: 'settings',
  permission: 'read',
  summary: 'Get an access link',
  subject: linkSubject,
  input: z.strictObject({}),
  output: AccessLinkResource,
  run: async ({ now }, _input, link) => present(link, now),
})

export const deleteAccessLink = operation({
  name: 'access_links.delete',
  area: 'settings',
  permission: 'admin',
  changesDirectory: true,
  summary: 'Delete an access link; the link stops to work at once',
  subject: linkSubject,
  input: z.strictObject({}),
  output: message,
  run: async ({ tx }, _input, link) => {
    tx.remove(link)
    return { message: `The access link "${link.name}" is deleted.` }
  },
})

function expiryOf({ now }: Context, value: string): Date {
  const until = new Date(value)
  const refuse = (why: string) => invalid([{ path: 'expires_at', message: why }])
  if (until <= now) throw refuse('must lie in the future')
  if (until.getTime() > now.getTime() + YEAR_MS) throw refuse('must lie within one year')
  return until
}

const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Links that expired a month ago leave the list. */
const forgetExpired = ({ tx, now }: Context) =>
  tx.nativeDelete(AccessLink, { expires_at: { $lt: new Date(now.getTime() - KEPT_MS) } })
