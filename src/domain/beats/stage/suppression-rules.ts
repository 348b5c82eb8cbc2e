/** Why a beat or a group does not act although its stage has changed. Pure: no clock, no database. */

export interface Suppression {
  because: string
  /** When it ends by itself; nothing for what somebody has to end. */
  until?: Date
}

interface Switches {
  /** A group has no such switch. */
  enabled?: boolean
  automation_paused: boolean
  automation_pause_reason: string | null
  muted_until: Date | null
}

export const isMuted = ({ muted_until }: Pick<Switches, 'muted_until'>, now: Date): boolean =>
  muted_until !== null && muted_until > now

/** What somebody has switched off. */
export function suppressedBySwitch(owner: Switches, now: Date): Suppression | null {
  const { enabled = true, automation_paused, automation_pause_reason: reason, muted_until: muted } = owner
  if (!enabled) return { because: 'disabled' }
  if (automation_paused) return { because: `automation is paused${reason ? `: ${reason}` : ''}` }
  if (muted && isMuted(owner, now)) return { because: `muted until ${muted.toISOString()}`, until: muted }
  return null
}

export interface Window {
  id: number
  scheduled_end_time: Date | null
  items: number[]
}

type Tree = Map<number, { parent_id: number | null }>

/** The maintenance that holds all of these items, each itself or by what stands above it. */
export function suppressedByMaintenance(items: number[], tree: Tree, windows: Window[]): Suppression | null {
  if (items.length === 0) return null
  const isHeld = (id: number | null | undefined, held: number[]): boolean =>
    id != null && (held.includes(id) || isHeld(tree.get(id)?.parent_id, held))
  const window = windows.find(({ items: held }) => items.every((id) => isHeld(id, held)))
  if (!window) return null
  const end = window.scheduled_end_time
  return { because: `covered by the maintenance ${window.id}${end ? ` until ${end.toISOString()}` : ''}` }
}
