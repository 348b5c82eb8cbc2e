import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../../src/api/app.ts'
import type { ApiDeps } from '../../src/api/deps.ts'
import type { Pulse } from '../../src/api/pulse.ts'
import type { PageRef } from '../../src/domain/kernel/context.ts'
import { makeKey } from '../../src/domain/kernel/keyring.ts'
import type { Level } from '../../src/domain/kernel/permissions.ts'
import type { ProcessOfPage } from '../../src/domain/kernel/processes.ts'
import type { Services } from '../../src/domain/kernel/services.ts'
import { type Directory, openDirectory } from '../../src/domain/pages/directory.ts'
import { createOrganization, createPage, issueToken } from '../../src/domain/pages/provision.ts'
import { type ImmediateSteps, startImmediateSteps, stepTaker } from '../../src/orchestration/immediate-steps.ts'
import { storePulse } from '../../src/persistence/system/api-pulses.ts'
import { pageById } from '../../src/persistence/system/directory.ts'
import { takesWrites } from '../../src/persistence/system/readiness.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { createFoundation } from '../../src/services.ts'
import { openSharedReads } from '../../src/web/answers/shared-reads.ts'
import { type FeedReaders, openFeedReaders } from '../../src/web/feed-readers.ts'
import { openPublicReads } from '../../src/web/public-reads.ts'
import type { StreamLimits } from '../../src/web/streams/limits.ts'
import { type ChangeStreams, openChangeStreams } from '../../src/web/streams/streams.ts'
import { type Caller, callerOf } from './caller.ts'
import { connectionsOf, freshDatabase } from './database.ts'

const LONGEST_CLOSE_MS = 2 * 60_000

/** The real service on a real database of its own, with two pages, listening on a free port. */
export interface TestService {
  url: string
  services: Services
  streams: ChangeStreams
  directory: Directory
  feedReaders: FeedReaders
  page: PageRef
  /** Belongs to another organization: changes of the first page must never show here. */
  otherPage: PageRef
  admin: Caller
  otherAdmin: Caller
  /** The processes that the relay would have woken, in order. */
  woken: ProcessOfPage[]
  now: Date
  /** The present moment of its processes, where it differs from `now`. */
  processTime?: () => Promise<Date>
  token(options?: Partial<{ permission: Level; roleKey: string; page: PageRef }>): Promise<string>
  as(token: string | undefined): Caller
  close(): Promise<void>
}

export interface TestServiceOptions {
  deps?: Partial<ApiDeps>
  baseDomain?: string
  /** Starts at this moment and stands still until a test sets `service.now`. */
  frozenAt?: Date
  wakeups?: Services['wakeups']
  /** Takes the step of each woken process right away, as the API does; without Temporal nothing happens later. */
  takesSteps?: boolean
  minuteMs?: number
  beatTargets?: 'any' | 'public'
  /** Another database than a fresh one on the shared server. */
  database?: Awaited<ReturnType<typeof freshDatabase>>
  statementMs?: { app: number; system: number }
  /** How long a request for a check waits for its answer. */
  checkPatienceMs?: () => number
  streamLimits?: Partial<StreamLimits>
  /** How long a request waits for the answer of a turn or the steps of a plan. */
  agentPatienceMs?: number
  /** Shares answers to the public with the other API processes. */
  sharesReads?: boolean
  /** Another API process of this service, with its database and its pages. */
  anotherOf?: TestService
}

export async function openTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { anotherOf } = options
  const database = anotherOf ? databaseOf(anotherOf) : (options.database ?? (await freshDatabase()))
  const logger = createLogger('silent', 'test')
  const reads = openPublicReads(logger, undefined, options.sharesReads ? (...all) => share(...all) : undefined)
  const woken: TestService['woken'] = []
  const time = { frozen: options.frozenAt }
  let steps: ImmediateSteps | undefined
  const foundation = await createFoundation({
    config: {
      DATABASE_URL: database.url,
      DATABASE_POOL: 8,
      ENCRYPTION_KEYS: makeKey(),
      BEAT_TARGETS: options.beatTargets ?? 'any',
      REGIONS: ['local'],
      BASE_URL: 'http://status.test/',
      BASE_DOMAIN: options.baseDomain,
      TEST_MINUTE_MS: options.minuteMs ?? 60_000,
    },
    logger,
    name: 'upbeat-test',
    clock: () => new Date(time.frozen ?? Date.now()),
    wakeups: (all) => {
      if (options.takesSteps) steps = startImmediateSteps({ services: all, takeStep: stepTaker(all), signal: ignored })
      return options.wakeups ?? steps ?? { wakeProcesses: (targets) => woken.push(...targets) }
    },
    pageChanged: reads.changed,
    directoryChanged: () => directory.forget(),
    checkOutputs: true,
    ...(options.statementMs ? { statementMs: options.statementMs } : {}),
  })
  const { services, metrics } = foundation
  const share = openSharedReads({ ...services, hasOthers: () => true })
  const directory = openDirectory(services.system, options.baseDomain)
  await storePulse(services.system, alwaysAble)
  const page = anotherOf?.page ?? (await makePage(services, 'First'))
  const otherPage = anotherOf?.otherPage ?? (await makePage(services, 'Other'))
  const limits = { perAddress: 250, inAll: 20_000, ...options.streamLimits }
  const streams = openChangeStreams({ logger, limits, watch: reads.watch })
  const feedReaders = openFeedReaders(services)
  const app = createApp({
    services,
    metrics,
    reads,
    streams,
    directory,
    rateLimits: 'off',
    trustProxy: false,
    ingestMaxBytes: 256 * 1024,
    patience: {
      get checkMs() {
        // Where no worker is, no check is answered.
        return options.checkPatienceMs?.() ?? 0
      },
      turnMs: options.agentPatienceMs ?? 0,
      planMs: options.agentPatienceMs ?? 0,
    },
    ask: async () => false,
    inspect: async () => ({ status: 'away' }),
    health: { database: () => takesWrites(services.system, async () => {}), temporal: async () => true },
    pulse: idlePulse,
    feedReaders,
    ...options.deps,
  })
  const server = createServer(app.callback()).listen(0, '127.0.0.1')
  // On a busy machine the server could end an idle connection at the moment at which a test uses it again.
  server.keepAliveTimeout = 0
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const as = (token: string | undefined) => callerOf(url, token)
  const token: TestService['token'] = ({ permission = 'admin', roleKey = 'page_admin', page: of = page } = {}) =>
    issueToken(services.system, {
      pageId: of.id,
      name: `${permission} ${roleKey}`,
      permission,
      roleKey,
      now: services.clock(),
    })
  return {
    url,
    services,
    streams,
    directory,
    feedReaders,
    page,
    otherPage,
    woken,
    token,
    as,
    admin: as(await token()),
    otherAdmin: as(await token({ page: otherPage })),
    get now() {
      return services.clock()
    },
    set now(moment: Date) {
      time.frozen = moment
    },
    async close() {
      const closed = closingOf(database.url)
      await closed('the streams', streams.close())
      server.closeAllConnections()
      server.close()
      await closed('the immediate steps', steps?.close())
      await closed('the services', foundation.close())
      await closed('the database', database.drop())
    },
  }
}

/** Nothing of a test service takes long to close: what does not end is named, long before the file runs out of time. */
function closingOf(databaseUrl: string): (what: string, closing: Promise<void> | undefined) => Promise<void> {
  return async (what, closing) => {
    const ended = new AbortController()
    const late = sleep(LONGEST_CLOSE_MS, undefined, ended).then(async () => {
      const open = `${process.getActiveResourcesInfo()}; ${await connectionsOf(databaseUrl)}`
      throw new Error(`${what} of a test service did not close within ${LONGEST_CLOSE_MS} ms: ${open}`)
    })
    late.catch(() => {})
    try {
      await Promise.race([closing, late])
    } finally {
      ended.abort()
    }
  }
}

/** Stores nothing: a test service counts as able to take calls at any time, unless a test deletes the row of `alwaysAble`. */
export const idlePulse: Pulse = {
  start() {},
  confirm: async () => {},
  callRefused() {},
  hasOthers: () => false,
  close: async () => {},
}

const always = new Date('2999-01-01')
const alwaysAble = { processId: 'always', ableSince: new Date('2000-01-01'), seenAt: always, othersSince: always }

const ignored = { wakeProcesses() {} }

const databaseOf = ({ services }: TestService) => ({
  url: services.app.config.get('clientUrl')!,
  drop: async () => {},
})

async function makePage({ system, clock }: Services, name: string): Promise<PageRef> {
  const organization = await createOrganization(system, `${name} organization`, clock())
  const page = await createPage(system, { organizationId: organization.id, name, now: clock() })
  return pageById(system, page.id)
}
