import type { z } from 'zod'

/** A place that a check connects to, with the field of the target that names the place. */
interface Place {
  field: string
  host: string
  /** Absent for a check that connects to no port. */
  port?: number | undefined
}

/** A type of beats that workers check. */
export interface CheckedDescription<Target extends z.ZodType = z.ZodType<object>> {
  stageFrom: 'checks'
  target: Target
  /** The places that a check connects to. */
  placesOf(target: z.output<Target>): Place[]
  /** Why a target is refused although each of its places is public, where only public addresses may be checked. */
  publicProblem?(target: z.output<Target>): { field: string; message: string } | null
  /** Whether a check sees a certificate: of each target, or only of an https:// URL. Absent if a check sees none. */
  certificate?: 'always' | 'over https'
  measuresPacketLoss?: true
  /** The program that the machine needs for a check, and the words for a machine without the program. */
  program?: { name: string; missing: string }
}

/** A type of beats whose stage is reported: by calls of the target, or by external events. */
export interface ReportedDescription<Target extends z.ZodType = z.ZodType<object>> {
  stageFrom: 'calls' | 'events'
  target: Target
  /** The schedule of the target, which the beat has instead of an interval. */
  schedule?: string
}
