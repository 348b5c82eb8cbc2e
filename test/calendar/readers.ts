import ICAL from 'ical.js'
import nodeIcal, { type VEvent } from 'node-ical'

/** An event of a calendar as a calendar program shows it: a recurring event is expanded. */
export interface Shown {
  uid: string
  title: string
  description: string
  starts_at: string
  ends_at: string
  cancelled: boolean
  sequence: number
  items: string[]
}

interface Range {
  from: string
  to: string
}

const iso = (date: Date) => date.toISOString().replace('.000', '')

const byTime = (events: Shown[]) =>
  events.sort((a, b) => `${a.starts_at} ${a.uid} ${a.title}`.localeCompare(`${b.starts_at} ${b.uid} ${b.title}`))

/** By ical.js, which uses the time zones of the file. */
export function readByIcalJs(text: string, { from, to }: Range): Shown[] {
  const root = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.reset()
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  const events = root.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component))
  const main = events.filter((event) => !event.isRecurrenceException())
  for (const event of events.filter((one) => one.isRecurrenceException()))
    main.find(({ uid }) => uid === event.uid)?.relateException(event)
  return byTime(main.flatMap((event) => expanded(event, { from, to })))
}

function expanded(event: ICAL.Event, { from, to }: Range): Shown[] {
  const shown = (one: ICAL.Event, start: ICAL.Time, end: ICAL.Time): Shown => ({
    uid: one.uid,
    title: one.summary,
    description: one.description ?? '',
    starts_at: iso(start.toJSDate()),
    ends_at: iso(end.toJSDate()),
    cancelled: one.component.getFirstPropertyValue('status') === 'CANCELLED',
    sequence: one.sequence,
    items: (one.component.getFirstProperty('categories')?.getValues() ?? []) as string[],
  })
  const found: Shown[] = []
  if (!event.isRecurring()) found.push(shown(event, event.startDate, event.endDate))
  else {
    const all = event.iterator()
    for (let next = all.next(); next && next.toJSDate() < new Date(to); next = all.next()) {
      const { item, startDate, endDate } = event.getOccurrenceDetails(next)
      found.push(shown(item, startDate, endDate))
    }
  }
  return found.filter(({ starts_at }) => starts_at >= from && starts_at < to)
}

/** By node-ical, which uses the time zones of the runtime. */
export function readByNodeIcal(text: string, { from, to }: Range): Shown[] {
  const events = Object.values(nodeIcal.sync.parseICS(text)).filter((one): one is VEvent => one?.type === 'VEVENT')
  const range = { from: new Date(from), to: new Date(Date.parse(to) - 1) }
  return byTime(
    events
      .flatMap((event) => nodeIcal.expandRecurringEvent(event, range))
      .map(({ event, start, end }) => ({
        uid: event.uid,
        title: textOf(event.summary),
        description: textOf(event.description ?? ''),
        starts_at: iso(new Date(start)),
        ends_at: iso(new Date(end)),
        cancelled: event.status === 'CANCELLED',
        sequence: Number(event.sequence),
        items: event.categories ?? [],
      }))
      .filter(({ starts_at }) => starts_at >= from && starts_at < to),
  )
}

const textOf = (value: string | { val: string }) => (typeof value === 'string' ? value : value.val)
