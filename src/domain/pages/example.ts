import { createItem } from '../hierarchy/items.ts'
import { createIncident } from '../incidents/create.ts'
import { resolveIncident } from '../incidents/resolve.ts'
import { addUpdate } from '../incidents/timeline.ts'
import type { Actor, PageRef } from '../kernel/context.ts'
import { execute } from '../kernel/execute.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import type { Services } from '../kernel/services.ts'
import { createSeries } from '../series/create.ts'

const HOUR = 60 * 60 * 1000
const actor: Actor = { kind: 'system', name: 'example', permission: 'admin', role_key: 'page_admin' }

/** A page to look at on the first start: a small hierarchy, and a few days of history made by the same operations. */
export async function fillExample(services: Services, page: PageRef): Promise<void> {
  const now = services.clock()
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR)
  let step = 0
  const at = (moment: Date) => async (operation: AnyOperation, input: object, id?: number) => {
    const past = { ...services, clock: () => moment }
    const ref = id === undefined ? undefined : { id }
    // Whoever was killed on the way may run all of it again: what was done is answered from memory.
    step += 1
    const call = { page, actor, requestId: 'example', input, ref, idempotencyKey: `example ${step}` }
    const { output } = await execute(past, operation, call)
    return output as { id: number }
  }
  const start = at(ago(24 * 14))
  for (const [product, services_] of Object.entries(hierarchy)) {
    const { id: top } = await start(createItem, { name: product })
    for (const [service, components] of Object.entries(services_)) {
      const { id: middle } = await start(createItem, { name: service, parent_id: top })
      for (const component of components) await start(createItem, { name: component, parent_id: middle })
    }
  }
  for (const incident of incidents) {
    const { started, title, description, status, item, updates, resolved } = incident
    const report = { title, description, status, affected_items: [{ slug: item }], notify: false }
    const { id } = await at(ago(started))(createIncident, report)
    for (const [hours, message, stage] of updates) {
      await at(ago(hours))(addUpdate, { message, lifecycle_stage_name: stage, notify: false }, id)
    }
    await at(ago(resolved))(resolveIncident, { resolution_message: 'Everything works again.', notify: false }, id)
  }
  await at(now)(createSeries, { ...maintenance, start_date: now.toISOString(), notify: false })
}

const hierarchy = {
  Shop: { Storefront: ['Web', 'Mobile app'], Checkout: ['Payments', 'Invoices'] },
  Platform: { API: ['REST API', 'Webhooks'], Accounts: ['Sign-in'] },
}

const incidents = [
  {
    started: 24 * 6,
    title: 'Card payments fail for some customers',
    description: 'About one in ten card payments is declined although the card is fine.',
    status: 'partial_outage',
    item: 'payments',
    updates: [
      [24 * 6 - 0.4, 'Our payment provider has an outage in one region. We route around it.', 'Identified'],
      [24 * 6 - 1.1, 'Payments go through again. We keep watching.', 'Monitoring'],
    ] as const,
    resolved: 24 * 6 - 2,
  },
  {
    started: 24 * 2,
    title: 'Webhooks arrive late',
    description: 'Webhooks are delivered up to ten minutes late. None are lost.',
    status: 'degraded',
    item: 'webhooks',
    updates: [[24 * 2 - 0.3, 'A queue was too small for the evening. It is growing now.', 'Identified']] as const,
    resolved: 24 * 2 - 1.5,
  },
]

const maintenance = {
  title: 'Weekly database maintenance',
  description: 'Signing in may take a few seconds longer.',
  affected_items: [{ slug: 'sign-in' }],
  recurrence_type: 'weekly',
  weekday: 7,
  timezone: 'UTC',
  start_time: '02:00',
  duration_minutes: 45,
  generate_months: 1,
  auto_transition_enabled: true,
}
