import { existingIds } from '../../../persistence/agent-names.ts'
import type { Context } from '../../kernel/context.ts'
import type { RecordSlot, Slots } from '../language/types.ts'

const isRecord = (value: unknown): value is RecordSlot =>
  typeof value === 'object' && value !== null && 'kind' in value && 'id' in value

interface Remembered {
  records: RecordSlot[]
  slots?: Slots
}

/** What is remembered, without the records that were deleted since. */
export async function withoutDeleted<M extends Remembered>({ tx }: Context, memory: M): Promise<M> {
  const all = [
    ...memory.records,
    ...Object.values(memory.slots ?? {})
      .flat()
      .filter(isRecord),
  ]
  const existing = new Set<string>()
  for (const [kind, records] of Map.groupBy(all, (one) => one.kind)) {
    const ids = [...new Set(records.map(({ id }) => id))]
    for (const id of await existingIds(tx, kind, ids)) existing.add(`${kind} ${id}`)
  }
  const exists = (value: unknown) => !isRecord(value) || existing.has(`${value.kind} ${value.id}`)
  const slots = Object.entries(memory.slots ?? {}).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.some(exists) ? [[name, value.filter(exists)]] : []
    return exists(value) ? [[name, value]] : []
  })
  return {
    ...memory,
    records: memory.records.filter(exists),
    ...(memory.slots ? { slots: Object.fromEntries(slots) as Slots } : {}),
  }
}
