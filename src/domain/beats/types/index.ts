import { DnsTarget } from './dns.ts'
import { ExternalEventTarget } from './external-event.ts'
import { HeartbeatTarget } from './heartbeat.ts'
import { HttpTarget } from './http.ts'
import { PingTarget } from './ping.ts'
import { TcpTarget } from './tcp.ts'
import { TlsTarget } from './tls.ts'

/** The types of beats, each with the schema of its `target`. */
export const targets = {
  http: HttpTarget,
  api: HttpTarget,
  latency: HttpTarget,
  tcp: TcpTarget,
  dns: DnsTarget,
  tls: TlsTarget,
  ping: PingTarget,
  heartbeat: HeartbeatTarget,
  external_event: ExternalEventTarget,
}

export type BeatType = keyof typeof targets
/** The types that no worker checks: calls or events set their stage. */
export const reportedTypes = ['heartbeat', 'external_event'] as const
export const isReported = (type: string): boolean => reportedTypes.some((one) => one === type)
export const beatTypes = Object.keys(targets) as [BeatType, ...BeatType[]]
