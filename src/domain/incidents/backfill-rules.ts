import type { FieldError } from '../kernel/errors.ts'
import { isFuture } from '../kernel/lateness-rules.ts'
import { RESOLVED } from '../vocabulary/rules.ts'

/** Whether a history that is told afterwards can have been, and what it comes to. */

interface Told {
  message: string
  /** Without one the update is a note. */
  status?: string
  created_at: Date
}

export interface History {
  started_at: Date
  acknowledged_at?: Date
  resolved_at?: Date
  updates: Told[]
}

const BEFORE_START = 'must not lie before the start of the incident'
const IN_FUTURE = 'must not lie in the future'

export function historyProblems(history: History, now: Date): FieldError[] {
  const { started_at, acknowledged_at, resolved_at, updates } = history
  const end = endOf(history)
  const times = Object.entries({ started_at, acknowledged_at, resolved_at }).flatMap(([path, time]) => {
    if (!time) return []
    if (time < started_at) return [{ path, message: BEFORE_START }]
    return isFuture(time, now) ? [{ path, message: IN_FUTURE }] : []
  })
  const told = updates.flatMap((update, index) => {
    const say = (field: string, message: string) => [{ path: `updates.${index}.${field}`, message }]
    const { created_at: at, status } = update
    const before = updates[index - 1]
    const last = index === updates.length - 1
    if (status === RESOLVED && !last) return say('status', 'only the last update can resolve the incident')
    if (status === RESOLVED && resolved_at && at.getTime() !== resolved_at.getTime()) {
      return say('created_at', 'must be the `resolved_at` of the incident, because this update resolves it')
    }
    if (at < started_at) return say('created_at', BEFORE_START)
    if (before && at < before.created_at) return say('created_at', 'must not lie before the update before it')
    if (end && at > end) return say('created_at', 'must not lie behind the resolution')
    return isFuture(at, now) ? say('created_at', IN_FUTURE) : []
  })
  return [...times, ...told]
}

function endOf({ resolved_at, updates }: History): Date | undefined {
  const last = updates.at(-1)
  return resolved_at ?? (last?.status === RESOLVED ? last.created_at : undefined)
}

/** What a client whose clock is ahead tells of the next minutes happens now: the past of an item ends there. */
export function untilNow(history: History, now: Date): History {
  const at = <T extends Date | undefined>(time: T) => (time && time > now ? now : time) as T
  const { started_at, acknowledged_at, resolved_at, updates } = history
  return {
    started_at: at(started_at),
    acknowledged_at: at(acknowledged_at),
    resolved_at: at(resolved_at),
    updates: updates.map((update) => ({ ...update, created_at: at(update.created_at) })),
  }
}

interface PastEntry {
  message: string
  status: string
  previous_status: string
  is_resolution: boolean
  created_at: Date
}

export interface ToldHistory {
  status: string
  resolved_at: Date | null
  /** The last moment at which anything was told. */
  told_at: Date
  entries: PastEntry[]
}

export function tellHistory(history: History, initialStatus: string): ToldHistory {
  const { started_at, acknowledged_at } = history
  const end = endOf(history)
  const resolvedBy = history.updates.at(-1)?.status === RESOLVED
  const resolution = { message: 'This incident has been resolved.', status: RESOLVED, created_at: end! }
  let status = initialStatus
  const entries = [...history.updates, ...(end && !resolvedBy ? [resolution] : [])].map((update): PastEntry => {
    const previous_status = status
    status = update.status ?? status
    return { ...update, status, previous_status, is_resolution: status === RESOLVED }
  })
  const moments = [started_at, acknowledged_at, ...entries.map((entry) => entry.created_at)]
  const told_at = new Date(Math.max(...moments.map((moment) => moment?.getTime() ?? 0)))
  return { status, resolved_at: end ?? null, told_at, entries }
}
