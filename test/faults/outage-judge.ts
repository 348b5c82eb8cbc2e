import { heartbeatProblems, reminderProblems, remindersOf, windowProblems } from './outage-due.ts'
import type { OutageRows } from './outage-rows.ts'
import type { Items, Outage, Plan } from './outage-setup.ts'
import { causeProblems, courseProblems, lagsOf, orderProblems, timeProblems } from './outage-times.ts'

const SECOND = 1000
const MOST_ALIKE = 6

interface Run {
  outage: Outage
  items: Items
  plans: Plan[]
  /** The incidents that remind at this interval. */
  ids: number[]
  intervalMs: number
  /** All incidents that a client reported. */
  reported: Set<number>
  /** When each heartbeat was called last. */
  since: Map<number, number>
  /** What fell due before this must be there. */
  horizon: number
}

/** What does not hold of the rows after the outage. */
export function judge(rows: OutageRows, run: Run): string[] {
  const { outage, items, plans, horizon } = run
  // The kill takes a moment, in which a commit may succeed.
  const away = { ...outage, from: outage.from + SECOND / 10 }
  const found = [
    timeProblems(rows.dated, away),
    orderProblems(rows.statuses),
    causeProblems(rows),
    courseProblems(rows, items, horizon),
    windowProblems(plans, rows),
    reminderProblems(rows, { ...run, outage: away }),
    heartbeatProblems(rows, run),
  ]
  return found.flatMap((problems) => some([...problems]))
}

/** One fault shows in many rows, and must not hide another. */
function some(problems: string[]): string[] {
  const [shown, more] = [problems.slice(0, MOST_ALIKE), problems.length - MOST_ALIKE]
  return more > 0 ? [...shown, `${more} more like these`] : shown
}

export function figuresOf({ dated, statuses, entries, notifications }: OutageRows, { ids, outage }: Run) {
  const late = entries.filter((entry) => entry.late)
  const reminders = ids.flatMap((id) => remindersOf(notifications, id))
  const last = Math.max(...late.map(({ at }) => at - outage.until))
  return {
    'window entries': `${entries.length}, ${late.length} of them late`,
    'last late entry': `${last / SECOND} s after the outage`,
    'status events': statuses.length,
    reminders: `${reminders.length}, one of which stands for ${Math.max(...reminders.map(({ missed }) => missed))}`,
    ...lagsOf(dated),
  }
}
