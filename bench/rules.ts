import { PASSED_AT_ONCE } from '../src/domain/series/generate.ts'
import { MOST_AHEAD, planned, startsAhead } from '../src/domain/series/plan.ts'
import { problemsOf } from '../src/domain/series/recurrence/problems.ts'
import type { Rule } from '../src/domain/series/recurrence/rule.ts'
import type { MaintenanceSeries } from '../src/persistence/entities/maintenance-series.ts'
import type { Say } from './support/bench-service.ts'
import { cpuMsOf } from './support/cpu.ts'
import type { Figure, Report } from './support/report.ts'

const EIGHT = 'BYHOUR=0,3,6,9,12,15,18,21'
const SEVEN = 'BYDAY=MO,TU,WE,TH,FR,SA,SU'

/** The dearest rules that are accepted, each in a zone that nothing has been read of yet. */
const rules: [what: string, timezone: string, rule: Partial<Rule>][] = [
  ['DAILY, 8 a day', 'Europe/Berlin', { recurrence_rule: `FREQ=DAILY;${EIGHT}` }],
  ['DAILY, 8 a day, since 2000', 'Europe/Paris', { recurrence_rule: `FREQ=DAILY;${EIGHT}`, start_date: '2000-01-01' }],
  ['DAILY, BYSETPOS=8 of 8', 'America/New_York', { recurrence_rule: `FREQ=DAILY;${EIGHT};BYSETPOS=8` }],
  ['WEEKLY, BYSETPOS=56 of 56', 'Europe/London', { recurrence_rule: `FREQ=WEEKLY;${SEVEN};${EIGHT};BYSETPOS=56` }],
  ['MONTHLY, BYSETPOS=-1 of 248', 'Europe/Rome', { recurrence_rule: `FREQ=MONTHLY;${SEVEN};${EIGHT};BYSETPOS=-1` }],
  ['YEARLY, BYSETPOS=366', 'Asia/Gaza', { recurrence_rule: `FREQ=YEARLY;${SEVEN};${EIGHT};BYSETPOS=366` }],
  ['DAILY, COUNT=20000', 'Africa/Casablanca', { recurrence_rule: `FREQ=DAILY;COUNT=20000` }],
  ['YEARLY, COUNT=150', 'Australia/Lord_Howe', { recurrence_rule: 'FREQ=YEARLY;COUNT=150' }],
  ['29 February on a Monday', 'America/Havana', { recurrence_rule: 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO' }],
  [
    'the weeks of a year, counted from both ends',
    'America/Santiago',
    { recurrence_rule: `FREQ=YEARLY;BYWEEKNO=1,53,-1,-53;${SEVEN};${EIGHT}` },
  ],
]
const TODAY = new Date('2026-11-22T12:00:00Z')
const FAR = new Date('2199-12-31T00:00:00Z')
const PAGE = 500

/** For how long a rule holds the loop: each of these is one synchronous piece of work. */
export default async function recurrence(say: Say): Promise<Report> {
  const warmUp = ruleOf('UTC', { recurrence_rule: 'FREQ=DAILY;BYHOUR=1,2' })
  for (let round = 0; round < 3; round++) holdsOf(warmUp)
  const figures = rules.flatMap(([what, timezone, rule]): Figure[] => {
    say(what)
    const holds = holdsOf(ruleOf(timezone, rule))
    return Object.entries(holds).map(([name, value]) => ({
      ...{ name: `${what}: ${name}`, value, unit: 'ms' },
      target: { under: 20 },
    }))
  })
  return {
    how: [
      `CPU time of the thread, during which the event loop does nothing else. The check is all that a create asks of a rule; passing over counts what was over before ${TODAY.toISOString().slice(0, 10)}, ${PASSED_AT_ONCE} at a time; the far list counts ${MOST_AHEAD} occurrences, the most that a list looks ahead, and shows the last ${PAGE} of them. Each rule is measured once, in a zone that was never read before; the code has been through one other rule.`,
    ],
    figures,
  }
}

const ruleOf = (timezone: string, rule: Partial<Rule>): Rule => ({
  ...{ recurrence_type: 'rrule', timezone, start_time: '00:00', start_date: '2026-11-24', duration_minutes: 60 },
  ...rule,
})

function holdsOf(rule: Rule) {
  const series = { ...rule, offset_ms: 0, settled_until: new Date(0), next_index: 1, taken: 0 } as MaintenanceSeries
  return {
    'create check': cpuMsOf(() => problemsOf(rule)),
    'passing over': longestPass(startsAhead(series, TODAY)),
    'far list': cpuMsOf(() => {
      const ahead = { ...series, settled_until: TODAY }
      return planned(ahead, { until: FAR, limit: MOST_AHEAD }).slice(-PAGE)
    }),
  }
}

/** Passing over lets others have the loop after so many. */
function longestPass(starts: Iterator<number>): number {
  let [longest, done]: [number, boolean | undefined] = [0, false]
  while (!done) {
    const held = cpuMsOf(() => {
      for (let count = 0; count < PASSED_AT_ONCE && !done; count++) done = starts.next().done
    })
    longest = Math.max(longest, held)
  }
  return longest
}
