import { fillExample } from '../../src/domain/pages/example.ts'
import { openTestService, type TestService } from './test-service.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export interface ExampleSite {
  service: TestService
  /** The path of each kind of page. */
  paths: Record<SitePath, string>
  /** The id of an item, by its slug. */
  items: Map<string, number>
}
type SitePath = 'home' | 'incident' | 'maintenance' | 'item' | 'month' | 'search' | 'subscribe' | 'notice'

/** The page of the example with an outage, a report, maintenances of each kind, and a past of two months, in three languages. */
export async function openExampleSite(): Promise<ExampleSite> {
  const service = await openTestService()
  const { admin } = service
  await fillExample(service.services, service.page)
  const listed = (await admin.get('/admin/hierarchy/items?limit=100')).body.items as { id: number; slug: string }[]
  const items = new Map(listed.map(({ id, slug }) => [slug, id]))
  for (const id of items.values()) await admin.patch(`/admin/hierarchy/items/${id}`, { start_date: at(-60 * DAY) })
  const incident = await made(admin.post('/admin/incidents/backfill', pastOutage))
  await made(admin.request('PUT', `/admin/incidents/${incident}/report`, report))
  await admin.post(`/admin/incidents/${incident}/report/publish`)
  await made(admin.post('/admin/maintenances/backfill', pastWork))
  const maintenance = await made(admin.post('/admin/maintenances', { ...work, ...windowIn(3 * DAY) }))
  await made(admin.post('/admin/maintenances', { ...work, title: 'Certificates are renewed', ...windowIn(9 * DAY) }))
  const { status, body } = await admin.patch('/admin/settings', {
    ...{ multilingual_enabled: true, multilingual_public_ready: true, supported_locales: ['en', 'de', 'ar'] },
  })
  if (status !== 200) throw new Error(`The answer is ${status}: ${JSON.stringify(body)}`)
  const paths = {
    ...{ home: '/', incident: `/incidents/${incident}`, maintenance: `/maintenances/${maintenance}` },
    item: `/items/${items.get('payments')}`,
    month: `/history?month=${pastOutage.started_at.slice(0, 7)}`,
    ...{ search: '/search?q=payments', subscribe: '/subscribe', notice: '/nothing-is-here' },
  }
  return { service, paths, items }
}

/** A major outage of the payments, which began now. Its id is the answer. */
export const breakPayments = ({ admin }: TestService): Promise<number> =>
  made(
    admin.post('/admin/incidents', {
      ...{ title: 'Payments fail', description: 'Cards are **refused**.', status: 'major_outage' },
      ...{ affected_items: [{ slug: 'payments' }], impact: 'No card payment works.' },
    }),
  )

async function made(answer: ReturnType<TestService['admin']['post']>): Promise<number> {
  const { status, body } = await answer
  if (status !== 201) throw new Error(`The answer is ${status}: ${JSON.stringify(body)}`)
  return body.id
}

const at = (ms: number) => new Date(Date.now() + ms).toISOString()
const windowIn = (ms: number) => ({ scheduled_start_time: at(ms), scheduled_end_time: at(ms + HOUR) })

const pastOutage = {
  title: 'Payments and invoices were slow',
  description: 'A database was **overloaded**. See [the guide](https://example.com/guide).',
  status: 'partial_outage',
  impact: 'One payment in five took more than a minute.',
  affected_items: [{ slug: 'payments' }, { slug: 'invoices' }],
  started_at: at(-40 * DAY),
  resolved_at: at(-40 * DAY + 5 * HOUR),
  updates: [
    { message: 'We look into slow queries:\n\n- orders\n- refunds', created_at: at(-40 * DAY + HOUR) },
    { message: 'The database has a new index.', created_at: at(-40 * DAY + 3 * HOUR) },
  ],
}

const report = {
  title: 'Why payments were slow',
  body: '## Cause\n\nA query read a whole table.\n\n| Time | Event |\n|---|---|\n| 10:00 | The load rose |\n\n```\nselect * from orders\n```',
}

const work = {
  title: 'Payment provider is upgraded',
  description: 'Short breaks.',
  affected_items: [{ slug: 'payments' }],
}

const pastWork = {
  ...{ ...work, title: 'Invoices are moved', affected_items: [{ slug: 'invoices' }] },
  started_at: at(-20 * DAY),
  ended_at: at(-20 * DAY + 2 * HOUR),
}
