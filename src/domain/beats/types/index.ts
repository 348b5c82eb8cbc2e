import { DnsTarget } from './dns.ts'
import { ExternalEventTarget } from './external-event.ts'
import { HeartbeatTarget } from './heartbeat.ts'
import { HttpTarget } from './http.ts'
import { PingTarget } from './ping.ts'
import { TcpTarget } from './tcp.ts'
import { TlsTarget } from './tls.ts'

/** Each type of beat and what its `target` holds. */
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
/** Of these the other side reports, and there is nothing to check. */
export const reportedTypes = ['heartbeat', 'external_event'] as const
export const isReported = (type: string): boolean => reportedTypes.some((one) => one === type)
export const beatTypes = Object.keys(targets) as [BeatType, ...BeatType[]]
