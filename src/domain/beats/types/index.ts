import type { CheckedDescription, ReportedDescription } from './description.ts'
import { dns } from './dns.ts'
import { externalEvent } from './external-event.ts'
import { heartbeat } from './heartbeat.ts'
import { http } from './http.ts'
import { ping } from './ping.ts'
import { tcp } from './tcp.ts'
import { tls } from './tls.ts'

/** The types of beats. Everything that differs between types is in their descriptions. */
export const types = {
  http,
  api: http,
  latency: http,
  tcp,
  dns,
  tls,
  ping,
  heartbeat,
  external_event: externalEvent,
} satisfies Record<string, CheckedDescription | ReportedDescription>

export type BeatType = keyof typeof types
export const beatTypes = Object.keys(types) as [BeatType, ...BeatType[]]

/** The description of a type whose name is known only at run time. */
export const descriptionOf = (type: string): CheckedDescription | ReportedDescription => types[type as BeatType]

/** The same for a type that workers check; undefined for the other types. */
export function checkedDescriptionOf(type: string): CheckedDescription | undefined {
  const description = descriptionOf(type)
  return description.stageFrom === 'checks' ? description : undefined
}

/** Whether no worker checks a beat of the type: calls or events set its stage. */
export const isReported = (type: string): boolean => descriptionOf(type).stageFrom !== 'checks'
/** Whether the target of a beat of the type calls the service. */
export const takesCalls = (type: string): boolean => descriptionOf(type).stageFrom === 'calls'

export const reportedTypes: readonly string[] = beatTypes.filter(isReported)
export const callingTypes: readonly string[] = beatTypes.filter(takesCalls)

/** The types that workers check and whose descriptions meet a condition. */
export function checkedTypes(meets: (description: CheckedDescription) => boolean): string[] {
  return beatTypes.filter((type) => {
    const description = checkedDescriptionOf(type)
    return description !== undefined && meets(description)
  })
}
