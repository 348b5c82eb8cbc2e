import type { CalendarView, RecurringEvent, SingleEvent } from '../domain/calendar/schema.ts'
import { wallAt, zoneOf } from '../domain/series/recurrence/zone.ts'
import { documentOf, localValue, textValue, uriValue, utcValue } from './text-rules.ts'
import { timeZoneLines } from './time-zone.ts'

interface Place {
  /** The absolute address of the page. */
  url: string
  host: string
}

/** How often programs read a calendar that they follow. */
const REFRESH = 'PT1H'

/** The calendar as a file of RFC 5545. */
export function renderCalendar({ name, language, maintenances, series }: CalendarView, place: Place): string {
  const zones = Map.groupBy(series, ({ time_zone }) => time_zone)
  const zoneOfSeries = new Map(series.map(({ id, time_zone }) => [id, time_zone]))
  return documentOf([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Upbeat//Maintenances//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${textValue(name)}`,
    `NAME:${textValue(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...[...zones].flatMap(([zone, ofZone]) => zoneLines(zone, ofZone)),
    ...series.flatMap((event) => recurringLines(event, language, place)),
    ...maintenances.flatMap((event) =>
      singleLines(event, zoneOfSeries.get(event.occurrence?.series_id ?? 0), language, place),
    ),
    'END:VCALENDAR',
  ])
}

function zoneLines(zone: string, series: RecurringEvent[]): string[] {
  const times = (fields: string[]) => fields.map((iso) => Date.parse(iso))
  const begin = Math.min(...times(series.map(({ starts_at }) => starts_at)))
  return timeZoneLines(zone, begin, Math.max(...times(series.map(({ known_until }) => known_until))))
}

function recurringLines(event: RecurringEvent, language: string, { url, host }: Place): string[] {
  const { id, time_zone, rule, until, excluded, starts_at, ends_at } = event
  const minutes = (Date.parse(ends_at!) - Date.parse(starts_at)) / 60_000
  return [
    'BEGIN:VEVENT',
    `UID:series-${id}@${host}`,
    `DTSTART${inZone(time_zone, starts_at)}`,
    // A duration is elapsed time, whatever the clock does meanwhile.
    `DURATION:PT${minutes}M`,
    `RRULE:${rule}${until ? `;UNTIL=${utcValue(until)}` : ''}`,
    ...excluded.map((at) => `EXDATE${inZone(time_zone, at)}`),
    'STATUS:CONFIRMED',
    ...commonLines(event, language),
    `URL:${uriValue(url)}`,
    'END:VEVENT',
  ]
}

function singleLines(event: SingleEvent, zone: string | undefined, language: string, { url, host }: Place): string[] {
  const { id, occurrence, starts_at, ends_at, cancelled } = event
  return [
    'BEGIN:VEVENT',
    ...(occurrence
      ? [`UID:series-${occurrence.series_id}@${host}`, `RECURRENCE-ID${inZone(zone!, occurrence.at)}`]
      : [`UID:maintenance-${id}@${host}`]),
    `DTSTART:${utcValue(starts_at)}`,
    ...(ends_at ? [`DTEND:${utcValue(ends_at)}`] : []),
    `STATUS:${cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    ...commonLines(event, language),
    `URL:${uriValue(`${url}/maintenances/${id}`)}`,
    'END:VEVENT',
  ]
}

function commonLines(event: SingleEvent | RecurringEvent, language: string): string[] {
  const { version, title, description, items, created_at, updated_at } = event
  return [
    `DTSTAMP:${utcValue(updated_at)}`,
    `CREATED:${utcValue(created_at)}`,
    `LAST-MODIFIED:${utcValue(updated_at)}`,
    `SEQUENCE:${version}`,
    `SUMMARY;LANGUAGE=${language}:${textValue(title)}`,
    ...(description ? [`DESCRIPTION;LANGUAGE=${language}:${textValue(description)}`] : []),
    ...(items.length > 0 ? [`CATEGORIES;LANGUAGE=${language}:${items.map(textValue).join(',')}`] : []),
    // Maintenance does not occupy the time of the reader.
    'TRANSP:TRANSPARENT',
  ]
}

/** A time on the clock of a zone, as the end of a property line. */
const inZone = (zone: string, iso: string) => `;TZID=${zone}:${localValue(wallAt(Date.parse(iso), zoneOf(zone)))}`
