import { ExampleRecord } from '../../persistence/entities/example-record.ts'
import { Page } from '../../persistence/entities/page.ts'
import { inPageTransaction } from '../../persistence/transactions.ts'
import { createItem } from '../hierarchy/items.ts'
import { createIncident } from '../incidents/create.ts'
import { resolveIncident } from '../incidents/resolve.ts'
import { addUpdate } from '../incidents/timeline.ts'
import type { Actor, PageRef } from '../kernel/context.ts'
import { execute } from '../kernel/execute.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import type { Services } from '../kernel/services.ts'
import { createSeries } from '../series/create.ts'
import { type Made, noteExample } from './example-records.ts'

const HOUR = 60 * 60 * 1000
const actor: Actor = { kind: 'system', name: 'example', permission: 'admin', role_key: 'page_admin' }

/** The example page of the first start: a small hierarchy and some days of history, created by the same operations. */
export async function fillExample(services: Services, page: PageRef): Promise<void> {
  const known = await inPageTransaction(services.app, page.id, async (tx) => ({
    isWhole: (await tx.count(ExampleRecord)) > 0,
    page: await tx.findOneOrFail(Page, { id: page.id }),
  }))
  if (known.isWhole) return
  const now = services.clock()
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR)
  let step = 0
  const at = (moment: Date) => async (operation: AnyOperation, input: object, id?: number) => {
    const past = { ...services, clock: () => moment }
    const ref = id === undefined ? undefined : { id }
    // A start that was killed can run all calls again: the idempotency keys replay the finished calls.
    step += 1
    const call = { page, actor, requestId: 'example', input, ref, idempotencyKey: `example ${step}` }
    const { output } = await execute(past, operation, call)
    return output as { id: number }
  }
  const made: Made = { item: [], incident: [], series: [] }
  const start = at(ago(24 * 14))
  const item = async (input: { name: string; parent_id?: number }) => {
    const external_id = input.name.toLowerCase().replaceAll(' ', '-')
    const { id } = await start(createItem, { ...input, external_id })
    made.item.push(id)
    return id
  }
  for (const [product, services_] of Object.entries(hierarchy)) {
    const top = await item({ name: product })
    for (const [service, components] of Object.entries(services_)) {
      const middle = await item({ name: service, parent_id: top })
      for (const component of components) await item({ name: component, parent_id: middle })
    }
  }
  for (const incident of incidents) {
    const { started, title, description, status, item: slug, updates, resolved } = incident
    const report = { title, description, status, affected_items: [{ slug }], notify: false }
    const { id } = await at(ago(started))(createIncident, report)
    made.incident.push(id)
    for (const [hours, message, stage] of updates) {
      await at(ago(hours))(addUpdate, { message, lifecycle_stage_name: stage, notify: false }, id)
    }
    await at(ago(resolved))(resolveIncident, { resolution_message: 'Everything works again.', notify: false }, id)
  }
  // A start that continues after a killed start must send the same request, so the date comes from the page.
  const start_date = known.page.created_at.toISOString()
  const { id } = await at(now)(createSeries, { ...maintenance, start_date, notify: false })
  made.series.push(id)
  await inPageTransaction(services.app, page.id, (tx) => noteExample(tx, page.id, made))
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
