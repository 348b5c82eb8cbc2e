import { z } from 'zod'
import { type NamedKind, namesOf } from '../../persistence/agent-names.ts'
import type { Context } from '../kernel/context.ts'
import { operation } from '../kernel/operation.ts'
import { type Area, mayDo } from '../kernel/permissions.ts'
import { settingsOf } from '../settings/stored.ts'
import { stagesOf } from '../vocabulary/lookup.ts'
import type { ThreadSituation } from './situation-types.ts'
import { memoryOf } from './turns/memory.ts'

const areaOf: Record<NamedKind, { area: Area; level: 'read' | 'admin' }> = {
  items: { area: 'hierarchy', level: 'read' },
  incidents: { area: 'incidents', level: 'read' },
  maintenances: { area: 'maintenance', level: 'read' },
  series: { area: 'maintenance', level: 'read' },
  beats: { area: 'beats', level: 'read' },
  beat_groups: { area: 'beats', level: 'read' },
  actions: { area: 'reviews', level: 'read' },
  endpoints: { area: 'endpoints', level: 'admin' },
  status_types: { area: 'vocabulary', level: 'read' },
}

/** The last stage is that of resolved incidents. */
async function openStages({ tx }: Context): Promise<string[]> {
  const stages = (await stagesOf(tx, 'incident')).filter(({ archived }) => !archived)
  return stages.slice(0, -1).map(({ name }) => name)
}

const readable = ({ actor }: Context, kind: NamedKind): boolean =>
  actor.kind !== 'anonymous' && mayDo(actor, areaOf[kind].area, areaOf[kind].level)

/** What a sentence of this token may refer to: the names of the records that the token may read, and the thread. */
export const getSituation = operation({
  name: 'agent.situation',
  area: 'agent',
  permission: 'read',
  summary: 'Read the names that a sentence may mean',
  input: z.strictObject({ turn_id: z.int().optional(), at: z.iso.datetime() }),
  output: z.custom<ThreadSituation>(),
  run: async (ctx, { turn_id, at }) => {
    const of = (kind: NamedKind) => (readable(ctx, kind) ? namesOf(ctx.tx, kind) : Promise.resolve([]))
    const settings = await settingsOf(ctx.tx)
    const statusTypes = (await of('status_types')).map(({ name: key, aliases }) => ({ key, name: aliases![0]! }))
    const situation: ThreadSituation = {
      now: new Date(at),
      zone: settings.reliability_policy_timezone as string,
      items: await of('items'),
      incidents: await of('incidents'),
      maintenances: await of('maintenances'),
      series: await of('series'),
      beats: await of('beats'),
      beat_groups: await of('beat_groups'),
      actions: await of('actions'),
      endpoints: await of('endpoints'),
      statusTypes,
      incidentStages: statusTypes.length > 0 ? await openStages(ctx) : [],
    }
    const memory = turn_id === undefined ? undefined : await memoryOf(ctx, turn_id)
    return memory ? { ...situation, memory } : situation
  },
})
