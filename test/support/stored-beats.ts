import { beatFields } from '../../src/domain/beats/definition/fields.ts'
import { beginHeartbeat, heartbeatUrl } from '../../src/domain/beats/heartbeats/token.ts'
import { initialState } from '../../src/domain/beats/stage/transition.ts'
import type { Context } from '../../src/domain/kernel/context.ts'
import { defaultsOf } from '../../src/domain/kernel/fields.ts'
import { inUnitOfWork } from '../../src/domain/kernel/unit-of-work.ts'
import type { WorkContext } from '../../src/domain/kernel/work-context.ts'
import { Beat } from '../../src/persistence/entities/beat.ts'
import { BeatTransition } from '../../src/persistence/entities/beat-transition.ts'
import type { TestService } from './test-service.ts'

/** Beats that are simply there, made by no operation: what a test does not care about is the least there can be. */
const plainBeat = {
  ...defaultsOf(beatFields, { timeout_ms: 5000, regions: ['local'] }),
  ...{ name: 'Shop', type: 'http', target: { url: 'http://127.0.0.1/' }, muted_until: null },
  ...{ external_id: null, create_hash: null, config_version: 1, version: 1 },
  ...{ ...initialState(), counted_stage: null, unknown_since: null, unknown_because: null },
}

export type BeatFields = { [name in keyof typeof plainBeat]?: Beat[name] }

export const insertBeat = (service: TestService, fields: BeatFields = {}): Promise<number> =>
  inPage(service, async ({ tx, pageId, now }) => {
    const beat = tx.create(Beat, { ...plainBeat, ...fields, page_id: pageId, created_at: now, updated_at: now })
    await tx.flush()
    return beat.id
  })

export const inPage = <T>(service: TestService, work: (context: WorkContext) => Promise<T>): Promise<T> =>
  inUnitOfWork(service.services, service.page.id, work)

/** As an operation would have it, for what needs no more of one. */
export const contextOf = ({ page, services }: TestService, context: WorkContext) =>
  ({ ...context, page, services }) as unknown as Context

/** A heartbeat, and the path at which it is called. */
export async function insertHeartbeat(service: TestService, target: object, fields: BeatFields = {}) {
  const id = await insertBeat(service, { type: 'heartbeat', target: { ...target }, ...fields })
  const url = await inPage(service, async (context) => {
    const beat = await context.tx.findOneOrFail(Beat, { id })
    await beginHeartbeat(contextOf(service, context), beat)
    return heartbeatUrl(contextOf(service, context), beat)
  })
  return { id, path: new URL(url!).pathname.replace('/api/v1', '') }
}

export const storedBeat = (service: TestService, id: number): Promise<Beat> =>
  service.services.system.em.fork().findOneOrFail(Beat, { id })

export const transitionsOf = (service: TestService, id: number): Promise<BeatTransition[]> =>
  service.services.system.em
    .fork()
    .find(BeatTransition, { owner_kind: 'beat', owner_id: id }, { orderBy: { number: 'asc' } })

/** Its transitions in their order, as `healthy -> critical`. */
export const stagesOf = async (service: TestService, id: number): Promise<string[]> =>
  (await transitionsOf(service, id)).map(({ from_stage, to_stage }) => `${from_stage} -> ${to_stage}`)
