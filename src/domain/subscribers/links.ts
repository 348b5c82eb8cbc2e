import { createHash } from 'node:crypto'
import { Subscriber } from '../../persistence/entities/subscriber.ts'
import { inPageTransaction } from '../../persistence/transactions.ts'
import type { PageRef } from '../kernel/context.ts'
import type { Services } from '../kernel/services.ts'
import { addressesOf } from '../pages/rules.ts'
import { expiryOf, type Link, type Purpose, parseLink, writeLink } from './link-rules.ts'

type Needed = Pick<Services, 'keyring' | 'baseUrl' | 'baseDomain'>

const CONTEXT = 'links of subscribers'

/** The links of a subscriber, at the address of the page. Nothing is stored: a signature proves a link. */
export function linksFor(
  services: Needed,
  page: PageRef,
  subscriber: Pick<Subscriber, 'id' | 'address' | 'state' | 'confirmation_number'>,
  now: Date,
): { confirm?: string; manage: string; unsubscribe: string } {
  const { origin } = new URL(addressesOf(page, services).public_url)
  const url = (purpose: Purpose, number = 0) => {
    const { id: subscriberId, address } = subscriber
    const facts = { purpose, pageId: page.id, subscriberId, expiresAt: expiryOf(purpose, now), number }
    return `${origin}/api/v1/subscriptions/${purpose}?token=${signed(services, { ...facts, mark: markOf(address) })}`
  }
  const { state, confirmation_number } = subscriber
  const mayConfirm = state === 'pending' || state === 'unsubscribed'
  return {
    ...(mayConfirm ? { confirm: url('confirm', confirmation_number) } : {}),
    manage: url('manage'),
    unsubscribe: url('unsubscribe'),
  }
}

/** A few bytes of a hash: the signature protects them. */
export const markOf = (address: string): number => createHash('sha256').update(address).digest().readUInt32BE()

function signed({ keyring }: Needed, link: Link): string {
  const facts = writeLink(link)
  return facts + keyring.sign(facts, CONTEXT)
}

const FACTS_LENGTH = 28

/** The link of a token, and why the token is no link of this purpose, or none that still works. */
export function readLink(
  { keyring }: Pick<Needed, 'keyring'>,
  token: string,
  purpose: Purpose,
  now: Date,
): { link: Link; problem?: 'expired' } | { link?: undefined; problem: 'invalid' } {
  const [facts, signature] = [token.slice(0, FACTS_LENGTH), token.slice(FACTS_LENGTH)]
  if (!keyring.verify(facts, CONTEXT, signature)) return { problem: 'invalid' }
  const link = parseLink(facts)
  if (link?.purpose !== purpose) return { problem: 'invalid' }
  return link.expiresAt !== null && link.expiresAt <= now ? { link, problem: 'expired' } : { link }
}

/** The language that the subscriber of a link has chosen, also of a link that has ended. */
export async function localeOfLink({ app }: Pick<Services, 'app'>, { pageId, subscriberId }: Link) {
  const found = await inPageTransaction(app, pageId, (tx) => tx.findOne(Subscriber, { id: subscriberId }))
  return found?.locale
}
