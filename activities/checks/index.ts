import type { z } from 'zod'
import type { BeatType, types } from '../../src/domain/beats/types/index.ts'
import { api } from './api.ts'
import type { Check } from './contract.ts'
import { dns } from './dns.ts'
import { http } from './http.ts'
import { latency } from './latency.ts'
import { ping } from './ping.ts'
import { tcp } from './tcp.ts'
import { tls } from './tls.ts'

/** The domain handles the other types, which no worker checks. */
export type CheckedType = {
  [type in BeatType]: (typeof types)[type] extends { stageFrom: 'checks' } ? type : never
}[BeatType]

type Checks = { [type in CheckedType]: Check<z.output<(typeof types)[type]['target']>> }

export type { CheckOutcome } from './contract.ts'

export const checks: Checks = { http, api, latency, tcp, dns, tls, ping }

/** For a target whose type is known only at run time; the schema of that type has parsed the target. */
export function checkFor(type: CheckedType): Check<object> {
  return checks[type] as Check<object>
}
