import type { FieldError } from '../kernel/errors.ts'
import { defaultMessages, isOver, type Status, type Transition, verdictOn } from './rules.ts'

/** Validates the history of a maintenance of the past, and derives its timeline. */

interface BackfilledUpdate {
  message: string
  /** Without one the update is a note. */
  status?: Status
  created_at: Date
}

export interface History {
  status: Status
  started_at?: Date
  ended_at?: Date
  updates: BackfilledUpdate[]
}

interface PastEntry {
  message: string
  status: Status
  previous_status: Status
  created_at: Date
}

export function historyProblems({ status, started_at, ended_at, updates }: History, now: Date): FieldError[] {
  const problems: FieldError[] = []
  const add = (path: string, message: string) => problems.push({ path, message })
  if (status === 'in_progress' && !started_at) add('started_at', 'is required: the maintenance is in progress')
  if (isOver(status) && !ended_at) add('ended_at', `is required: the maintenance is ${status}`)
  if (status === 'completed' && !started_at) add('started_at', 'is required: the maintenance is completed')
  if (!isOver(status) && ended_at) add('ended_at', `must be absent: the maintenance is ${status}`)
  if (status === 'scheduled' && started_at) add('started_at', 'must be absent: the maintenance is scheduled')
  if (started_at && ended_at && ended_at < started_at) add('ended_at', 'must not lie before the start')
  for (const [path, time] of Object.entries({ started_at, ended_at })) {
    if (time && time > now) add(path, 'must not lie in the future')
  }
  let reached: Status = 'scheduled'
  updates.forEach((update, index) => {
    const path = (field: string) => `updates.${index}.${field}`
    const before = updates[index - 1]
    const { created_at: at, status: to } = update
    if (before && at < before.created_at) add(path('created_at'), 'must not lie before the previous update')
    if (at > now) add(path('created_at'), 'must not lie in the future')
    if (!to) return
    if (verdictOn(reached, to) === 'refused') add(path('status'), `${reached} cannot become ${to}`)
    if (verdictOn(to, status) === 'refused') add(path('status'), `lies beyond the status of the maintenance, ${status}`)
    reached = to
  })
  return problems
}

/** The timeline: the updates, and an entry with the default message for each transition without an update. */
export function timelineOf({ status, started_at, ended_at, updates }: History): PastEntry[] {
  const hasUpdate = (to: Status) => updates.some((update) => update.status === to)
  const transitions = [
    ...(started_at && !hasUpdate('in_progress') ? [{ status: 'in_progress' as const, created_at: started_at }] : []),
    ...(ended_at && !hasUpdate(status) ? [{ status, created_at: ended_at }] : []),
  ].map((transition) => ({ ...transition, message: defaultMessages[transition.status as Transition] }))
  const rank = (entry: BackfilledUpdate) => (entry.status === 'in_progress' ? 0 : entry.status ? 2 : 1)
  const all: BackfilledUpdate[] = [...transitions, ...updates].sort(
    (a, b) => a.created_at.getTime() - b.created_at.getTime() || rank(a) - rank(b),
  )
  let reached: Status = 'scheduled'
  return all.map(({ message, created_at, status: to }) => {
    const previous_status = reached
    if (to && verdictOn(reached, to) === 'allowed') reached = to
    return { message, created_at, status: reached, previous_status }
  })
}
