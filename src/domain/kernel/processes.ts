/** A process is named by its kind and its subject. The kinds are those of `workflows/contract.ts`. */
export const kinds = ['incident', 'item', 'maintenance', 'series', 'beat', 'beat-group', 'check'] as const
export type Kind = (typeof kinds)[number]

export function workflowIdOf(kind: Kind, id: number): string {
  return `${kind}:${id}`
}

/** How long the process that committed has to ring before a scan does it for it. */
const SCAN_GRACE_MS = 1000

export const firstScanAt = (now: Date) => new Date(now.getTime() + SCAN_GRACE_MS)
