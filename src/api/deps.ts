import type { ProcessOfPage } from '../domain/kernel/processes.ts'
import type { Services } from '../domain/kernel/services.ts'
import type { Directory } from '../domain/pages/directory.ts'
import type { Inspection } from '../orchestration/inspect.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { FeedReaders } from '../web/feed-readers.ts'
import type { PublicReads } from '../web/public-reads.ts'
import type { RateLimits } from '../web/rate-limits.ts'
import type { ChangeStreams } from '../web/streams/streams.ts'
import type { Health } from './health.ts'
import type { Pulse } from './pulse.ts'

/** What the HTTP application is given: the services of the domain, and what waits, counts and limits around them. */
export interface ApiDeps {
  services: Services
  directory: Directory
  reads: PublicReads
  streams: ChangeStreams
  metrics: Metrics
  rateLimits: RateLimits
  health: Health
  pulse: Pulse
  feedReaders: FeedReaders
  /** Wakes a process with a stored request and waits; true if the process has answered. */
  ask: (process: ProcessOfPage, requestId: number) => Promise<boolean>
  /** The state of the workflow in Temporal. */
  inspect: (workflowId: string) => Promise<Inspection>
  trustProxy: boolean
  /** The largest body of an event, after decompression. */
  ingestMaxBytes: number
  /** How long a request waits for what it started: a check, the answer to a message, the steps of a plan. */
  patience: { checkMs: number; turnMs: number; planMs: number }
}
