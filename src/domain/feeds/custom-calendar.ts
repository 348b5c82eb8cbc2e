import { z } from 'zod'
import { readCalendar } from '../calendar/read.ts'
import { CalendarView } from '../calendar/schema.ts'
import { notFound } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { itemsOfFeed } from './feed-items.ts'
import { feedSubject } from './subject.ts'

export const getCustomCalendar = operation({
  name: 'public.custom_calendar',
  area: 'maintenance',
  permission: 'public',
  summary: 'Get the maintenances of a calendar that administrators made',
  subject: feedSubject,
  input: z.strictObject({ asked_locale: z.string().optional() }),
  output: CalendarView,
  run: async (ctx, { asked_locale }, feed) => {
    if (!feed.enabled || feed.built_in || feed.format !== 'ics') throw notFound('feed')
    const items = await itemsOfFeed(ctx, feed)
    return readCalendar(ctx, { items, title: feed.name, locale: asked_locale ?? feed.locale ?? undefined })
  },
})
