import type { FieldError } from '../kernel/errors.ts'
import { isOver, type Status, type Turn, turnWords, verdictOn } from './rules.ts'

/** Whether the history of a maintenance that is told afterwards can have been, and what it comes to. */

interface Told {
  message: string
  /** Without one the update is a note. */
  status?: Status
  created_at: Date
}

export interface History {
  status: Status
  started_at?: Date
  ended_at?: Date
  updates: Told[]
}

interface PastEntry {
  message: string
  status: Status
  previous_status: Status
  created_at: Date
}

export function historyProblems({ status, started_at, ended_at, updates }: History, now: Date): FieldError[] {
  const problems: FieldError[] = []
  const say = (path: string, message: string) => problems.push({ path, message })
  if (status === 'in_progress' && !started_at) say('started_at', 'is needed: the maintenance is in progress')
  if (isOver(status) && !ended_at) say('ended_at', `is needed: the maintenance is ${status}`)
  if (status === 'completed' && !started_at) say('started_at', 'is needed: the maintenance is completed')
  if (!isOver(status) && ended_at) say('ended_at', `is not known yet: the maintenance is ${status}`)
  if (status === 'scheduled' && started_at) say('started_at', 'is not known yet: the maintenance is scheduled')
  if (started_at && ended_at && ended_at < started_at) say('ended_at', 'must not lie before the start')
  for (const [path, time] of Object.entries({ started_at, ended_at })) {
    if (time && time > now) say(path, 'must not lie in the future')
  }
  let reached: Status = 'scheduled'
  updates.forEach((update, index) => {
    const path = (field: string) => `updates.${index}.${field}`
    const before = updates[index - 1]
    const { created_at: at, status: to } = update
    if (before && at < before.created_at) say(path('created_at'), 'must not lie before the update before it')
    if (at > now) say(path('created_at'), 'must not lie in the future')
    if (!to) return
    if (verdictOn(reached, to) === 'refused') say(path('status'), `${reached} cannot become ${to}`)
    if (verdictOn(to, status) === 'refused') say(path('status'), `is more than the maintenance has become: ${status}`)
    reached = to
  })
  return problems
}

/** Every turn is an entry: those that no update tells are told in plain words, at the time of the turn. */
export function tellHistory({ status, started_at, ended_at, updates }: History): PastEntry[] {
  const told = (to: Status) => updates.some((update) => update.status === to)
  const turns = [
    ...(started_at && !told('in_progress') ? [{ status: 'in_progress' as const, created_at: started_at }] : []),
    ...(ended_at && !told(status) ? [{ status, created_at: ended_at }] : []),
  ].map((turn) => ({ ...turn, message: turnWords[turn.status as Turn] }))
  const rank = (entry: Told) => (entry.status === 'in_progress' ? 0 : entry.status ? 2 : 1)
  const all: Told[] = [...turns, ...updates].sort(
    (a, b) => a.created_at.getTime() - b.created_at.getTime() || rank(a) - rank(b),
  )
  let reached: Status = 'scheduled'
  return all.map(({ message, created_at, status: to }) => {
    const previous_status = reached
    if (to && verdictOn(reached, to) === 'allowed') reached = to
    return { message, created_at, status: reached, previous_status }
  })
}
