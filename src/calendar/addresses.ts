import { getCalendar, getItemCalendar } from '../domain/calendar/read.ts'
import type { CalendarView } from '../domain/calendar/schema.ts'
import { getViewCalendar } from '../domain/calendar/view-calendar.ts'
import { admitToView } from '../web/access/view-access.ts'
import type { ReadAddress, ReadPlace } from '../web/read-addresses.ts'
import { renderCalendar } from './calendar.ts'

const render = (view: CalendarView, place: ReadPlace) => ({
  body: renderCalendar(view, place),
  type: 'text/calendar; charset=utf-8',
})

/** The calendars of the page, of its items and of its views. */
export const calendarAddresses: ReadAddress[] = [
  { path: '/calendar.ics', operation: getCalendar, render, feed: () => 'ics' },
  { path: '/items/:id/calendar.ics', operation: getItemCalendar, render, feed: () => 'ics' },
  {
    path: '/v/:view_code/calendar.ics',
    operation: getViewCalendar,
    input: (_asked, { view_code }) => ({ view_code }),
    render,
    admit: admitToView,
  },
]
