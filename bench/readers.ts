import { startReadApi } from './page.ts'
import { type BenchService, inBenchService, type Say } from './support/bench-service.ts'
import { databaseFacts } from './support/facts.ts'
import { compareReads } from './support/page-reads.ts'
import type { Report } from './support/report.ts'
import { seedIncidents, seedItems } from './support/seed.ts'

const READS = {
  paths: {
    'Atom feed': '/feed.atom',
    calendar: '/calendar.ics',
    'summary for Statuspage clients': '/api/v2/summary.json',
    badge: '/badge.svg',
    frame: '/embed/frame',
    'page of a view': '/v/bench',
  },
  ...{ whole: 0.8, unchanged: 0.8 },
}

/** What is left of the rate of a bare server when programs and other pages read a page. */
export default function readers(say: Say): Promise<Report> {
  return inBenchService(say, async (service) => {
    await seedItems(service.database)
    await seedIncidents(service.database, 200, 5)
    // Settings and views are changed by admins.
    await service.database.query("update api_token set role_key = 'page_admin', permission = 'admin'")
    const api = await startReadApi(service)
    const admin = adminOf(service, Number(api.ready.port))
    await admin('PATCH', 'settings', { embed_badge_enabled: true, embed_widget_enabled: true })
    await admin('POST', 'views', { name: 'Bench', alias: 'bench', items: [{ id: 1 }] })
    const { how, figures } = await compareReads(service, api, READS, say)
    return { how: [how], figures, facts: await databaseFacts(service.database) }
  })
}

const adminOf =
  ({ token }: BenchService, port: number) =>
  async (method: string, path: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/admin/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
