import type { Actor, PageRef } from './context.ts'
import { noSuchPage, Problem } from './errors.ts'
import { isOpen } from './open-page.ts'
import type { AnyOperation } from './operation.ts'
import { mayDo } from './permissions.ts'

/** Refuses an actor who may not run the operation on the page. */
export function authorize(operation: AnyOperation, { actor, page }: { actor: Actor; page: PageRef }): void {
  if (operation.permission === 'public') {
    if (!isOpen(page) && actor.kind === 'anonymous' && actor.mayRead !== page.id) throw noSuchPage()
    return
  }
  if (operation.permission === 'link') {
    const link = actor.kind === 'anonymous' ? actor.link : undefined
    if (link?.purpose === operation.link && link?.pageId === page.id) return
    throw new Problem('forbidden', `This operation needs a link to ${operation.link} a subscription.`)
  }
  if (actor.kind === 'anonymous') {
    throw new Problem('unauthenticated', 'This operation needs a bearer token: Authorization: Bearer <API_TOKEN>.')
  }
  if (!mayDo(actor, operation.area, operation.permission)) {
    throw new Problem(
      'forbidden',
      `This operation needs ${operation.permission} permission in the area ${operation.area}; the token has ${actor.permission} permission and the role ${actor.role_key}.`,
    )
  }
}
