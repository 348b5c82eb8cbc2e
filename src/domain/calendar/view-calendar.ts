import { z } from 'zod'
import { operation } from '../kernel/operation.ts'
import { requireBuiltIn } from '../readers/built-in-feeds.ts'
import { readIn } from '../translations/schema.ts'
import { offeredView, viewCode } from '../views/access.ts'
import { itemsOfView } from '../views/items.ts'
import { readCalendar } from './read.ts'
import { CalendarView } from './schema.ts'

export const getViewCalendar = operation({
  name: 'public.view_calendar',
  area: 'audience',
  permission: 'public',
  summary: 'Get the maintenances of a custom view for a calendar',
  input: z.strictObject({ ...viewCode, ...readIn }),
  output: CalendarView,
  run: async (ctx, { view_code, locale }) => {
    await requireBuiltIn(ctx.tx, 'ics')
    const view = await offeredView(ctx, view_code)
    return readCalendar(ctx, { items: await itemsOfView(ctx.tx, view), title: view.name, locale })
  },
})
