import type { FieldError } from '../kernel/errors.ts'
import { isFuture } from '../kernel/lateness-rules.ts'
import { automaticText } from '../vocabulary/automatic-text-rules.ts'
import { RESOLVED } from '../vocabulary/rules.ts'

/** Validates the history of an incident of the past, and derives its timeline. */

interface BackfilledUpdate {
  message: string
  /** Without one the update is a note. */
  status?: string
  created_at: Date
}

export interface History {
  started_at: Date
  acknowledged_at?: Date
  resolved_at?: Date
  updates: BackfilledUpdate[]
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
  const problemsOfUpdates = updates.flatMap((update, index) => {
    const problem = (field: string, message: string) => [{ path: `updates.${index}.${field}`, message }]
    const { created_at: at, status } = update
    const before = updates[index - 1]
    const last = index === updates.length - 1
    if (status === RESOLVED && !last) return problem('status', 'only the last update can resolve the incident')
    if (status === RESOLVED && resolved_at && at.getTime() !== resolved_at.getTime()) {
      return problem('created_at', 'must be the `resolved_at` of the incident, because this update resolves it')
    }
    if (at < started_at) return problem('created_at', BEFORE_START)
    if (before && at < before.created_at) return problem('created_at', 'must not lie before the previous update')
    if (end && at > end) return problem('created_at', 'must not lie after the resolution')
    return isFuture(at, now) ? problem('created_at', IN_FUTURE) : []
  })
  return [...times, ...problemsOfUpdates]
}

function endOf({ resolved_at, updates }: History): Date | undefined {
  const last = updates.at(-1)
  return resolved_at ?? (last?.status === RESOLVED ? last.created_at : undefined)
}

/** Replaces times after now by now: the clock of a client can be ahead, and the past of an item ends now. */
export function clampToNow(history: History, now: Date): History {
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

export interface Timeline {
  status: string
  resolved_at: Date | null
  /** The latest time of the history. */
  last_at: Date
  entries: PastEntry[]
}

export function timelineOf(history: History, initialStatus: string): Timeline {
  const { started_at, acknowledged_at } = history
  const end = endOf(history)
  const lastResolves = history.updates.at(-1)?.status === RESOLVED
  const resolution = { message: automaticText('resolved'), status: RESOLVED, created_at: end! }
  let status = initialStatus
  const entries = [...history.updates, ...(end && !lastResolves ? [resolution] : [])].map((update): PastEntry => {
    const previous_status = status
    status = update.status ?? status
    return { ...update, status, previous_status, is_resolution: status === RESOLVED }
  })
  const moments = [started_at, acknowledged_at, ...entries.map((entry) => entry.created_at)]
  const last_at = new Date(Math.max(...moments.map((moment) => moment?.getTime() ?? 0)))
  return { status, resolved_at: end ?? null, last_at, entries }
}
