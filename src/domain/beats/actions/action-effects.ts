import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'

/** One effect of an action, in words for notes and transitions. */
export interface Done {
  kind: 'banner' | 'action' | 'incident' | 'update'
  id: number
  message: string
}

/** The transition lists what was done, and keeps the reason why there was no action. */
export function recordDone(transition: BeatTransition, done: Done[], reason: string | null = null): void {
  transition.actions = [...transition.actions, ...done.map((one) => ({ ...one }))]
  transition.not_acted_because = reason
}

export const inWords = (done: Done[]): string => done.map(({ message }) => message).join(', ')
