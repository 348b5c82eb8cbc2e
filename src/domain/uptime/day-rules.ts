/** The calendar days of a time zone. Pure: times are milliseconds. */

const DAY_MS = 86_400_000

export interface Calendar {
  /** The calendar day of an instant, as YYYY-MM-DD. */
  dateOf(instant: number): string
  /** The start of a calendar day, which is not midnight where a clock change skips midnight. */
  startOf(date: string): number
}

export function calendarOf(zone: string): Calendar {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })

  function offsetAt(instant: number): number {
    const parts = format.formatToParts(instant)
    const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
    const wall = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'))
    return wall - Math.floor(instant / 1000) * 1000
  }

  const dateOf = (instant: number) => new Date(instant + offsetAt(instant)).toISOString().slice(0, 10)

  return {
    dateOf,
    startOf(date) {
      const midnight = Date.parse(`${date}T00:00:00Z`)
      let guess = midnight - offsetAt(midnight)
      guess = midnight - offsetAt(guess)
      // In a gap the guess falls on the previous day; the day starts at the end of the gap.
      while (dateOf(guess) < date) guess += 15 * 60 * 1000
      return guess
    },
  }
}

export interface Days {
  dates: string[]
  /** The start of each day, and at last the end of the window: one more than the dates. */
  bounds: number[]
}

/** The last days up to an instant, whose day is the last one. */
export function daysUntil(instant: number, days: number, zone: string): Days {
  const { dateOf, startOf } = calendarOf(zone)
  const dates = daysBack(dateOf(instant), days)
  return { dates, bounds: [...dates.map(startOf), instant] }
}

export function daysBack(date: string, days: number): string[] {
  const last = Date.parse(`${date}T00:00:00Z`)
  return Array.from({ length: days }, (_one, index) =>
    new Date(last - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )
}
