import { type BenchService, inBenchService, type Say } from './support/bench-service.ts'
import type { Child } from './support/child.ts'
import { databaseFacts } from './support/facts.ts'
import { measureChanges } from './support/page-changes.ts'
import { compareReads } from './support/page-reads.ts'
import type { Report } from './support/report.ts'
import { seedIncidents, seedItems } from './support/seed.ts'

const NO_TEMPORAL = '127.0.0.1:1'
/** So high that no request is refused, but each is counted. */
const LIMITS = ['public', 'admin', 'heartbeat', 'ingest', 'subscribe', 'magic_link', 'viewer_password']

const READS = {
  paths: { 'home page': '/', summary: '/api/v1/pages/public/bench/summary' },
  ...{ whole: 0.9, unchanged: 1 },
}

/** What is left of the rate of a bare server when readers read a page, and how soon they see its changes. */
export default function page(say: Say): Promise<Report> {
  return inBenchService(say, async (service) => {
    await seedItems(service.database)
    await seedIncidents(service.database, 200, 5)
    const api = await startReadApi(service)
    const reads = await compareReads(service, api, READS, say)
    const changes = await measureChanges(service, api, say)
    return {
      how: [reads.how, changes.how],
      figures: [...reads.figures, ...changes.figures],
      facts: await databaseFacts(service.database),
    }
  })
}

/** An API that refuses no request, but counts each one for its rate limit. */
export function startReadApi(service: BenchService): Promise<Child> {
  const env = {
    TEMPORAL_ADDRESS: NO_TEMPORAL,
    STREAMS_PER_ADDRESS: '20000',
    RATE_LIMITS: LIMITS.map((tier) => `${tier}=100000000`).join(','),
  }
  return service.startApi(env)
}
