import type { Subscriber } from '../../persistence/entities/subscriber.ts'
import { Subscription } from '../../persistence/entities/subscription.ts'
import { resolveItems } from '../hierarchy/references.ts'
import { canonical } from '../kernel/canonical.ts'
import { type FieldError, invalid } from '../kernel/errors.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { eventKeys, isPublicKey, isTransactional, publicKeys } from '../notifications/keys.ts'
import { requireView } from '../views/references.ts'
import type { PreferenceInput } from './schema.ts'

/** Every public event but the change of an item, which mostly comes with an incident or a maintenance. */
export const defaultKinds = publicKeys.filter((key) => key !== 'item.status_changed')

/** An admin that asks for internal events gets all of them, besides those of `defaultKinds`. */
const internalKinds = eventKeys.filter((key) => key !== 'item.status_changed' && !isTransactional(key))

type By = 'admin' | 'public'

/** Replaces the subscriptions of a subscriber. An input with an `id` keeps its record, and so does one that asks for the same. */
export async function replacePreferences(
  ctx: WorkContext,
  subscriber: Subscriber,
  inputs: PreferenceInput[],
  by: By,
): Promise<Subscription[]> {
  const { tx, now } = ctx
  const stored = await tx.find(Subscription, { subscriber_id: subscriber.id }, { orderBy: { id: 'asc' } })
  requireFine(inputs, stored, by)
  // A subscriber neither sees nor removes what an admin made for internal events.
  const replaced = by === 'admin' ? stored : stored.filter(({ internal }) => !internal)
  const named = new Set(inputs.flatMap(({ id }) => id ?? []))
  const left = new Set(replaced.filter(({ id }) => !named.has(id)))
  for (const [index, input] of inputs.entries()) {
    const before = stored.find(({ id }) => id === input.id)
    const values = await valuesOf(ctx, input, { index, before, by })
    const same = [...left].find((one) => isSame(one, values))
    if (before) Object.assign(before, values, { updated_at: now })
    else if (same) left.delete(same)
    else tx.create(Subscription, { ...values, ...owned(ctx, subscriber), created_at: now, updated_at: now })
  }
  for (const one of left) tx.remove(one)
  await tx.flush()
  return tx.find(Subscription, { subscriber_id: subscriber.id }, { orderBy: { id: 'asc' } })
}

type Values = Awaited<ReturnType<typeof valuesOf>>

const isSame = (stored: Subscription, values: Values): boolean =>
  (Object.keys(values) as (keyof Values)[]).every((name) => canonical(stored[name]) === canonical(values[name]))

const owned = ({ pageId }: WorkContext, { id }: Subscriber) => ({ page_id: pageId, subscriber_id: id })

interface Position {
  index: number
  before: Subscription | undefined
  by: By
}

async function valuesOf(
  { tx, now }: WorkContext,
  { scope, event_kinds, internal, enabled }: PreferenceInput,
  { index, before, by }: Position,
) {
  const path = `subscriptions.${index}.scope`
  const found = scope.kind === 'items' ? await resolveItems(tx, scope.items, `${path}.items`, before?.items) : []
  // A subscriber may send back a view that has expired since.
  const keeps = scope.kind === 'view' && scope.view_id !== undefined && scope.view_id === before?.view_id
  const onlyOffered = by === 'public' && !keeps ? now : undefined
  const view = scope.kind === 'view' ? await requireView(tx, scope, path, onlyOffered) : null
  return {
    scope_kind: scope.kind,
    items: found.map(({ id }) => id),
    view_id: view?.id ?? null,
    event_kinds: event_kinds ? [...new Set(event_kinds)] : internal ? internalKinds : defaultKinds,
    internal,
    enabled,
  }
}

function requireFine(inputs: PreferenceInput[], stored: Subscription[], by: By): void {
  const errors: FieldError[] = []
  for (const [index, { id, event_kinds = [], internal }] of inputs.entries()) {
    const path = `subscriptions.${index}`
    const before = stored.find((one) => one.id === id)
    if (id !== undefined && (!before || (by === 'public' && before.internal))) {
      errors.push({ path: `${path}.id`, message: 'names no subscription of this subscriber' })
    }
    if (inputs.findIndex((one) => one.id !== undefined && one.id === id) < index && id !== undefined) {
      errors.push({ path: `${path}.id`, message: 'is named twice' })
    }
    if (internal && by === 'public') errors.push({ path: `${path}.internal`, message: 'can only be set by an admin' })
    for (const key of event_kinds.filter(isTransactional)) {
      errors.push({ path: `${path}.event_kinds`, message: `has ${key}, which is sent to its subscriber alone` })
    }
    const hidden = internal ? [] : event_kinds.filter((key) => !isPublicKey(key) && !isTransactional(key))
    for (const key of hidden) {
      errors.push({
        path: `${path}.event_kinds`,
        message: `has ${key}, which the public does not see: it needs \`internal\``,
      })
    }
  }
  if (errors.length > 0) throw invalid(errors)
}
