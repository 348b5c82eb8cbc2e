import { z } from 'zod'
import type { ReportedDescription } from './description.ts'

const ExternalEventTarget = z
  .strictObject({ kind: z.literal('external_event') })
  .meta({ id: 'ExternalEventBeatTarget' })

/** External events set the stage; no worker checks the beat. */
export const externalEvent = { stageFrom: 'events', target: ExternalEventTarget } satisfies ReportedDescription<
  typeof ExternalEventTarget
>
