import type { Subscriber } from '../../persistence/entities/subscriber.ts'

export const channels = ['email', 'webhook'] as const
export const states = ['pending', 'active', 'unsubscribed', 'suppressed', 'disabled'] as const
export const frequencies = ['immediate', 'daily'] as const
export const sources = ['public', 'admin', 'import'] as const

export type State = (typeof states)[number]

/** What happens to a subscriber, and the state that follows from each state. A missing state refuses the move. */
export const moves = {
  confirm: { pending: 'active', active: 'active', unsubscribed: 'active' },
  unsubscribe: {
    pending: 'unsubscribed',
    active: 'unsubscribed',
    unsubscribed: 'unsubscribed',
    suppressed: 'suppressed',
    disabled: 'unsubscribed',
  },
  suppress: {
    pending: 'suppressed',
    active: 'suppressed',
    unsubscribed: 'suppressed',
    suppressed: 'suppressed',
    disabled: 'suppressed',
  },
  disable: { pending: 'disabled', active: 'disabled', disabled: 'disabled' },
  enable: { disabled: 'active', active: 'active' },
} as const satisfies Record<string, Partial<Record<State, State>>>

export type Move = keyof typeof moves

export const stateAfter = (move: Move, state: State): State | undefined =>
  (moves[move] as Partial<Record<State, State>>)[state]

/** The state of a suppressed subscriber that is restored: what its own decisions say. */
export function restoredState({
  confirmed_at,
  unsubscribed_at,
}: Pick<Subscriber, 'confirmed_at' | 'unsubscribed_at'>): State {
  if (unsubscribed_at && (!confirmed_at || unsubscribed_at >= confirmed_at)) return 'unsubscribed'
  return confirmed_at ? 'active' : 'pending'
}

/** So many soft bounces in a row suppress an address. */
export const MOST_SOFT_BOUNCES = 5
/** A bounce after a longer time without one begins a new row. */
export const LONGEST_PAUSE_DAYS = 30
