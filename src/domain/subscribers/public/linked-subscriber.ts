import { LockMode } from '@mikro-orm/postgresql'
import { Subscriber } from '../../../persistence/entities/subscriber.ts'
import type { Context } from '../../kernel/context.ts'
import type { Subject } from '../../kernel/operation.ts'
import { addressesOf } from '../../pages/rules.ts'
import { linkProblem } from '../link-problems.ts'
import { markOf } from '../links.ts'
import { subscriberSubject } from '../subject.ts'

const { kind, id, snapshot } = subscriberSubject

const linkOf = ({ actor }: Context) => (actor.kind === 'anonymous' ? actor.link : undefined)

/** The subscriber that the link of the caller names. */
export const linkedSubscriber: Subject<Subscriber> = {
  ...{ kind, id, snapshot, external: false, singleton: true },
  async find(ctx, _ref, { lock }) {
    const link = linkOf(ctx)
    const options = lock ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {}
    const found = link && (await ctx.tx.findOne(Subscriber, { id: link.subscriberId }, options))
    if (!found || link?.mark !== markOf(found.address)) throw linkProblem('subscription_deleted')
    return found
  },
}

/** Refuses a link to confirm that a newer mail or a later decision has replaced. */
export function requireNewestConfirmation(ctx: Context, subscriber: Subscriber): void {
  const { confirmation_number, confirmation_sent_at: sentAt, unsubscribed_at: leftAt, state } = subscriber
  if (linkOf(ctx)?.number !== confirmation_number) {
    throw linkProblem('newer_mail')
  }
  if (state === 'unsubscribed' && leftAt && sentAt && leftAt >= sentAt) {
    throw linkProblem('unsubscribed')
  }
}

export function presentLinked(
  { page, services }: Pick<Context, 'page' | 'services'>,
  { shown_address, state, locale, time_zone, frequency }: Subscriber,
) {
  const { id, name, public_slug } = page
  return {
    page: { id, name, public_slug, url: addressesOf(page, services).public_url },
    subscriber: { email: shown_address, state, locale, time_zone, frequency },
  }
}
