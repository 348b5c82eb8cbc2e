/** Why a beat or a group takes no action now. Pure: no clock, no database. */

export interface Suppression {
  /** A clause with its subject: `the beat "Search" (5) is muted until …`. */
  because: string
  /** The end of a mute; absent where a person ends the suppression. */
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

/** `name` is the subject of the reason: `the beat "Search" (5)`. */
export function suppressedBySwitch(name: string, owner: Switches, now: Date): Suppression | null {
  const { enabled = true, automation_paused, automation_pause_reason: reason, muted_until: muted } = owner
  if (!enabled) return { because: `${name} is disabled` }
  if (automation_paused) return { because: `the automation of ${name} is paused${reason ? `: ${reason}` : ''}` }
  if (muted && isMuted(owner, now)) return { because: `${name} is muted until ${muted.toISOString()}`, until: muted }
  return null
}

export interface Window {
  id: number
  title: string
  scheduled_end_time: Date | null
  items: number[]
}

type Tree = Map<number, { parent_id: number | null }>

/** A maintenance that affects all of these items, each directly or by an item above. */
export function suppressedByMaintenance(
  name: string,
  items: number[],
  tree: Tree,
  windows: Window[],
  now: Date,
): Suppression | null {
  if (items.length === 0) return null
  const isCovered = (id: number | null | undefined, covered: number[]): boolean =>
    id != null && (covered.includes(id) || isCovered(tree.get(id)?.parent_id, covered))
  const window = windows.find(({ items: covered }) => items.every((id) => isCovered(id, covered)))
  if (!window) return null
  const end = window.scheduled_end_time
  const covers = `the maintenance "${window.title}" (${window.id}) covers all items of ${name}`
  return { because: `${covers}, until the maintenance is completed${end ? scheduledEnd(end, now) : ''}` }
}

const scheduledEnd = (end: Date, now: Date) =>
  end > now ? `; its scheduled end is ${end.toISOString()}` : `; its scheduled end, ${end.toISOString()}, has passed`
