import type { Context } from 'koa'
import type { PageRef } from '../domain/kernel/context.ts'
import { noSuchPage } from '../domain/kernel/errors.ts'
import type { Services } from '../domain/kernel/services.ts'
import { withDatabase } from '../domain/kernel/unavailable.ts'
import type { Directory } from '../domain/pages/directory.ts'
import { admitReader } from '../web/access/admit-reader.ts'
import { findPageOfReader, redirect } from '../web/page-lookup.ts'
import type { ApiState } from '../web/state.ts'

interface Deps {
  services: Services
  directory: Directory
}

/** The page of a document, unless the answer is a redirect to its present address. */
export async function pageFor(deps: Deps, ctx: Context & { state: ApiState }): Promise<PageRef | undefined> {
  const found = await withDatabase(() => findPageOfReader(deps, ctx))
  if (!found) throw noSuchPage()
  admitReader(ctx, found.page, deps.services, 'document')
  if (found.movedTo === undefined) return found.page
  redirect(ctx, found.movedTo)
  return undefined
}
