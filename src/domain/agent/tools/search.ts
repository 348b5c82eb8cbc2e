import { z } from 'zod'
import { listTriggers } from '../../ingest/triggers/operations.ts'
import { getSituation } from '../situation.ts'
import { LEAST_LIKENESS, likeness } from './name-rules.ts'
import { call, ifPermitted, type ToolContext, tool } from './tool.ts'

/** The kinds that a search finds, and the operation that reads a record of each kind. */
const operations = {
  item: 'items.get',
  incident: 'incidents.get',
  maintenance: 'maintenances.get',
  series: 'series.get',
  beat: 'beats.get',
  beat_group: 'beat_groups.get',
  action: 'beat_actions.get',
  endpoint: 'ingest_endpoints.get',
  trigger: 'triggers.get',
} as const
type Kind = keyof typeof operations
const kinds = Object.keys(operations) as [Kind, ...Kind[]]

interface Named {
  id: number
  name: string
  aliases?: string[]
  state?: string | undefined
}

export const search = tool({
  name: 'search',
  title: 'Find records by name',
  description:
    'Finds records by approximate name, slug, external id or id, the best first: open and recent incidents and maintenances, items, series, beats, groups, waiting reviews (action), endpoints, triggers. `read_with` is the operation that reads the record.',
  effect: 'read',
  input: z.strictObject({
    query: z.string().min(1).max(200),
    kinds: z.array(z.enum(kinds)).max(kinds.length).optional(),
    limit: z.int().min(1).max(50).default(10),
  }),
  async run(ctx, { query, kinds: asked = kinds, limit }) {
    const named = await namedRecords(ctx)
    const found = asked.flatMap((kind) =>
      named[kind].map(({ id, name, aliases = [], state }) => ({
        ...{ kind, id, name, state: state ?? undefined },
        read_with: operations[kind],
        likeness: likeness(query, [name, ...aliases], id),
      })),
    )
    const close = found.filter((one) => one.likeness >= LEAST_LIKENESS).sort((a, b) => b.likeness - a.likeness)
    const records = close.slice(0, limit).map(({ likeness: _likeness, ...record }) => record)
    return { records, total: close.length }
  },
})

/** The records that the token may read. */
async function namedRecords(ctx: ToolContext): Promise<Record<Kind, Named[]>> {
  const situation = await call(ctx, getSituation, { at: ctx.services.clock().toISOString() })
  const triggers = await ifPermitted(() => call(ctx, listTriggers, { limit: 100 }))
  return {
    item: situation.items,
    incident: situation.incidents,
    maintenance: situation.maintenances,
    series: situation.series,
    beat: situation.beats,
    beat_group: situation.beat_groups,
    action: situation.actions,
    endpoint: situation.endpoints,
    trigger: (triggers?.external_triggers ?? []).map(({ id, name, external_id, enabled }) => ({
      ...{ id, name, aliases: external_id ? [external_id] : [] },
      state: enabled ? 'enabled' : 'disabled',
    })),
  }
}
