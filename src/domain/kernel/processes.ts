import type { ProcessRef } from '../../../workflows/processes.ts'

export interface ProcessOfPage extends ProcessRef {
  pageId: number
}

/** How long the API or worker process that committed has to send a wake-up before the scan of a relay sends the wake-up. */
const SCAN_GRACE_MS = 1000

export const firstScanAt = (now: Date) => new Date(now.getTime() + SCAN_GRACE_MS)
