import { z } from 'zod'
import type { Keyring } from '../domain/kernel/keyring.ts'

/** What a client keeps between the two requests of one tool call, while a person fills in a form. */
export interface FormState {
  tool: string
  plan_id: number
  /** The form is about this version of the plan: an answer raises the version, so that the state confirms no other plan than the one that it showed. */
  version: number
  token_id: number
}

const CONTEXT = 'mcp request state'
const LIFE_MS = 60 * 60 * 1000

const Sealed = z.strictObject({
  tool: z.string(),
  plan_id: z.int(),
  version: z.int(),
  token_id: z.int(),
  until: z.number(),
})

/** Encrypts and authenticates the state with the keys that all processes of the service share. */
export function sealState(keyring: Keyring, state: FormState, now: Date): string {
  const { key_id, ciphertext } = keyring.encrypt(
    JSON.stringify({ ...state, until: now.getTime() + LIFE_MS } satisfies z.output<typeof Sealed>),
    CONTEXT,
  )
  return `${key_id}.${ciphertext}`
}

/** Throws for a state that the service did not write, that is too old, or that another token got. */
export function openState(keyring: Keyring, sealed: string, now: Date, tokenId: number): FormState {
  const [key_id = '', ciphertext = ''] = sealed.split('.')
  const { until, ...state } = Sealed.parse(JSON.parse(keyring.decrypt({ key_id, ciphertext }, CONTEXT)))
  if (until < now.getTime()) throw new Error('The request state is too old.')
  if (state.token_id !== tokenId) throw new Error('The request state belongs to another token.')
  return state
}
