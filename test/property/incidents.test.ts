import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps as processes } from '../../src/domain/steps.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { type Item, isResolved, remember, severity, statusOf, type World } from './model.ts'
import type { Step } from './operation.ts'
import { type Kind, operations, planOf } from './operations.ts'

const SEED = Number(process.env.PROPERTY_SEED ?? 20261121)
const RUNS = 12

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-03-01T10:00:00Z') })
})
afterAll(() => service.close())

async function newWorld(rewrites: boolean): Promise<World> {
  const items: Item[] = []
  for (const above of [null, null, 0, 0, 1, 2]) {
    const parent = above === null ? null : items[above]!
    const { body } = await service.admin.post('/admin/hierarchy/items', { name: 'Item', parent_id: parent?.id })
    items.push({ id: body.id, parent, past: ['operational'] })
  }
  return { items, incidents: [], now: service.now, rewrites }
}

/** What the process of an item does when its time has come. */
async function endOverrides(world: World): Promise<void> {
  for (const item of world.items) {
    if (!item.override?.until || item.override.until > world.now) continue
    const { services, page, now } = service
    await takeStep(services, processes.item, { kind: 'item', pageId: page.id, id: item.id, now })
    item.override = undefined
    remember(world)
  }
}

const read = async (path: string) => (await service.admin.get(path)).body

async function take(world: World, step: Step<Kind>): Promise<void> {
  world.now = new Date(world.now.getTime() + 1000)
  service.now = world.now
  await endOverrides(world)
  const plan = await planOf(world, step, read)
  if (!plan) return
  const { status, body } = await service.admin.request(plan.method, plan.path, plan.body)
  expect([step.kind, status, status === plan.expect ? '' : body]).toEqual([step.kind, plan.expect, ''])
  if (status < 300) plan.done?.(body)
  remember(world)
}

async function checkIncidents(world: World): Promise<void> {
  for (const incident of world.incidents) {
    const { body } = await service.as(undefined).get(`/incidents/${incident.id}`)
    const timeline = body.updates.map(
      ({ id, message, status, previous_status, is_resolution }: (typeof incident.entries)[0]) => ({
        ...{ id, message, status, previous_status, is_resolution },
      }),
    )
    const times = body.updates.map(({ created_at }: { created_at: string }) => created_at)
    expect(times).toEqual(times.toSorted().reverse())
    const standing = incident.impacts.filter((one) => one.state === (isResolved(incident) ? 'resolved' : 'open'))
    const affected = body.affected_items.map(({ id, status }: { id: number; status: string }) => [id, status])
    expect({ ...body, timeline, resolved: body.resolved_at !== null, affected: affected.sort() }).toMatchObject({
      status: incident.status,
      version: incident.version,
      resolved: isResolved(incident),
      timeline: incident.entries.map((entry) => ({ message: expect.any(String), ...entry })).reverse(),
      affected: [...new Set(standing.map((one) => one.item))].map((item) => [item.id, statusOf(world, item)]).sort(),
    })
    expect(incident.entries.map(({ id }) => id)).toEqual(incident.entries.map(({ id }) => id).sort((a, b) => a - b))
  }
}

async function checkItems(world: World): Promise<void> {
  const { components } = (await service.as(undefined).get(`/pages/public/${service.page.page_slug}/components`)).body
  const shown = new Map(components.map((one: { id: number; status: string }) => [one.id, one.status]))
  for (const item of world.items) {
    const status = statusOf(world, item)
    expect([item.id, shown.get(item.id)]).toEqual([item.id, item.archived ? undefined : status])
    const { body } = await service.admin.get(`/admin/hierarchy/items/${item.id}/status-events`)
    const events: { status: string; previous_status: string }[] = body.events.toReversed()
    const statuses = ['operational', ...events.map((event) => event.status)]
    expect(events.map((event) => event.previous_status)).toEqual(statuses.slice(0, -1))
    expect(statuses.at(-1)).toBe(status)
    if (!world.rewrites && !item.rewritten) expect(statuses).toEqual(item.past)
  }
}

const steps = fc.array(
  fc.record<Step<Kind>>({
    kind: fc.constantFrom(...(Object.keys(operations) as Kind[])),
    a: fc.nat(2),
    b: fc.nat(5),
    c: fc.nat(11),
    status: fc.constantFrom(...severity),
    flag: fc.boolean(),
  }),
  { minLength: 10, maxLength: 50, size: 'max' },
)

test(`whatever is done, what is shown is what was done (PROPERTY_SEED=${SEED})`, async () => {
  const holds = fc.asyncProperty(steps, fc.boolean(), async (list, rewrites) => {
    const world = await newWorld(rewrites)
    // Most have something to be done to.
    const first: Step<Kind> = { kind: 'create', a: 0, b: 5, c: 1, status: 'operational', flag: false }
    for (const step of [first, ...list]) await take(world, step)
    await checkIncidents(world)
    await checkItems(world)
  })
  const result = await fc.check(holds, { seed: SEED, numRuns: RUNS })
  expect(result.failed ? `${fc.defaultReportMessage(result)}\n${result.errorInstance}` : '').toBe('')
})
