/** The kinds of processes, which are the kinds of `workflows/contract.ts`. */
export const kinds = [
  'incident',
  'item',
  'maintenance',
  'series',
  'beat',
  'beat-group',
  'check',
  'inbox',
  'ingest-token',
] as const
export type Kind = (typeof kinds)[number]

export function workflowIdOf(kind: Kind, id: number): string {
  return `${kind}:${id}`
}

/** How long the API or worker process that committed has to send a wake-up before the scan of a relay sends the wake-up. */
const SCAN_GRACE_MS = 1000

export const firstScanAt = (now: Date) => new Date(now.getTime() + SCAN_GRACE_MS)
