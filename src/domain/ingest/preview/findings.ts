import type { Simulated, Simulation } from './simulate.ts'

/** What a preview reports about the matches of a trigger. Pure. */

const FLAPPING = { changes: 3, withinMs: 10 * 60_000 }
const BROAD = { share: 0.5, events: 20 }

export function pairing(results: Simulated[]) {
  const open = new Map<string, number>()
  const pairs: { fingerprint: string; firing_event_id: number; recovery_event_id: number }[] = []
  const unpaired: { fingerprint: string; event_id: number; label: 'firing' | 'recovery' }[] = []
  for (const { change, fingerprint, event_id } of results) {
    if (change === 'opened') open.set(fingerprint, event_id)
    if (change === 'unpaired') unpaired.push({ fingerprint, event_id, label: 'recovery' })
    if (change !== 'resolved') continue
    pairs.push({ fingerprint, firing_event_id: open.get(fingerprint)!, recovery_event_id: event_id })
    open.delete(fingerprint)
  }
  for (const [fingerprint, event_id] of open) unpaired.push({ fingerprint, event_id, label: 'firing' })
  return { pairs, unpaired }
}

/** The fingerprints whose stage changes too often, each with its worst ten minutes. */
export function flappingOf(results: Simulated[]) {
  const changes = results.filter(({ change }) => change === 'opened' || change === 'changed' || change === 'resolved')
  return [...Map.groupBy(changes, ({ fingerprint }) => fingerprint)].flatMap(([fingerprint, list]) => {
    const moments = list.map(({ receivedAt }) => receivedAt)
    let [first, worst] = [0, { start: 0, end: 0 }]
    for (const [last, at] of moments.entries()) {
      while (moments[first]! <= at - FLAPPING.withinMs) first += 1
      if (last + 1 - first > worst.end - worst.start) worst = { start: first, end: last + 1 }
    }
    const count = worst.end - worst.start
    if (count <= FLAPPING.changes) return []
    const [from, to] = [new Date(moments[worst.start]!), new Date(moments[worst.end - 1]!)]
    return [{ fingerprint, changes: count, from: from.toISOString(), to: to.toISOString() }]
  })
}

/** The warning about a trigger that matches too much; null for a trigger that distinguishes events. */
export function broadness({ evaluated, matchedEvents }: Simulation): string | null {
  if (evaluated > 0 && matchedEvents === evaluated) return `The trigger matches every one of the ${evaluated} events.`
  if (evaluated < BROAD.events || matchedEvents <= evaluated * BROAD.share) return null
  return `The trigger matches ${matchedEvents} of ${evaluated} events, which is more than half.`
}
