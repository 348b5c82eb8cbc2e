import { z } from 'zod'
import { listActions } from '../../beats/actions/operations.ts'
import { addressesOf } from '../../pages/rules.ts'
import { getHome } from '../../pages/views/home.ts'
import { worst } from '../../vocabulary/rules.ts'
import { call, ifPermitted, tool } from './tool.ts'

/** For a page on which very much is wrong. */
const MOST = 20

export const getStatus = tool({
  name: 'get_status',
  title: 'Get the status of the page',
  description:
    'The current state of the page: items that are not operational, open incidents, maintenance in progress and upcoming, and reviews that wait.',
  effect: 'read',
  input: z.strictObject({}),
  async run(ctx) {
    const home = await call(ctx, getHome)
    const reviews = await ifPermitted(() => call(ctx, listActions, { state: 'pending_review', limit: 1 }))
    const types = home.status_types.map((type) => ({ ...type, archived: false }))
    const affected = home.items.filter(({ status }) => status !== types.find((type) => type.is_operational)?.key)
    return {
      page: { name: home.name, url: addressesOf(ctx.page, ctx.services).public_url },
      at: home.generated_at,
      status: worst(
        types,
        home.items.map(({ status }) => status),
      ),
      items_total: home.items.length,
      items_not_operational: affected.slice(0, MOST).map(({ id, name, status }) => ({ id, name, status })),
      items_not_operational_total: affected.length,
      open_incidents: home.open_incidents.slice(0, MOST).map(incidentLine),
      open_incidents_total: home.open_total,
      maintenances_in_progress: home.active_maintenances.slice(0, MOST).map(maintenanceLine),
      maintenances_upcoming: home.upcoming_maintenances.slice(0, MOST).map(maintenanceLine),
      ...(reviews ? { reviews_waiting: reviews.total } : {}),
    }
  },
})

type Home = z.output<typeof getHome.output>

const namesOf = (items: { id: number; name: string }[] = []) => items.map(({ id, name }) => ({ id, name }))

const incidentLine = ({ id, title, status, started_at, affected_items, updates }: Home['open_incidents'][number]) => ({
  ...{ id, title, status, started_at },
  items: namesOf(affected_items),
  last_update: updates?.at(-1) && { at: updates.at(-1)!.created_at, message: updates.at(-1)!.message },
})

const maintenanceLine = (maintenance: Home['active_maintenances'][number]) => {
  const { id, title, status, scheduled_start_time, scheduled_end_time, affected_items } = maintenance
  return { id, title, status, scheduled_start_time, scheduled_end_time, items: namesOf(affected_items) }
}
