/**
 * What reminders an incident must have, worked out from its facts alone and without any of the service's own code:
 * from the report, and again from each update, one at every interval until the incident is resolved.
 */
export interface IncidentFacts {
  id: number
  reportedAt: number
  /** Milliseconds, or nothing for an incident that does not remind. */
  interval: number | undefined
  /** In the order in which they were committed. */
  updates: UpdateFacts[]
  reminders: ReminderFacts[]
}

interface UpdateFacts {
  at: number
  /** The interval from here on. */
  interval: number | undefined
  resolves: boolean
}

export interface ReminderFacts {
  due: number
  /** How many due moments it stands for. */
  count: number
  createdAt: number
}

export interface Verdict {
  problems: string[]
  /** Due moments that are covered. */
  covered: number
  /** Reminders that stand for more than one. */
  gathered: number
}

/** Everything that fell due before `horizon` must be there, once, alone or counted in a late one. */
export function checkReminders(incident: IncidentFacts, horizon: number): Verdict {
  const problems: string[] = []
  const left = incident.reminders.toSorted((a, b) => a.due - b.due || a.createdAt - b.createdAt)
  const say = (text: string) => problems.push(`incident ${incident.id}: ${text}`)
  let covered = 0
  let gathered = 0

  /** Takes the next reminder for this due moment, and answers the last moment that it covers. */
  function take(due: number, interval: number, end: number, last: boolean): number {
    const { count, createdAt } = left.shift()!
    const reminded = due + (count - 1) * interval
    covered += count
    if (count > 1) gathered += 1
    if (!last && reminded > end) say(`the reminder of ${iso(due)} counts moments after ${iso(end)}`)
    if (createdAt < reminded) say(`the reminder of ${iso(due)} counts moments that had not come`)
    return reminded
  }

  function follow({ at, interval, resolves }: UpdateFacts, end: number, last: boolean): void {
    if (resolves || interval === undefined) return
    for (let due = at + interval; ; ) {
      const next = left[0]
      if (next?.due === due && (last || due <= end)) {
        due = take(due, interval, end, last) + interval
      } else if (due >= end) {
        return
      } else if (next && next.due < due) {
        say(`a reminder for ${iso(next.due)}, which was covered or never due`)
        left.shift()
      } else {
        say(`no reminder for ${iso(due)} (the segment ends at ${iso(end)}, the next is ${dueOf(next)})`)
        due += interval
      }
    }
  }

  const report: UpdateFacts = { at: incident.reportedAt, interval: incident.interval, resolves: false }
  const segments = [report, ...incident.updates]
  segments.forEach((segment, index) => {
    const next = segments[index + 1]
    follow(segment, next?.at ?? horizon, next === undefined)
  })
  for (const reminder of left) say(`a reminder for ${iso(reminder.due)}, which was never due`)
  return { problems, covered, gathered }
}

const dueOf = (reminder: ReminderFacts | undefined) => (reminder ? iso(reminder.due) : 'none')
const iso = (moment: number) => new Date(moment).toISOString()
