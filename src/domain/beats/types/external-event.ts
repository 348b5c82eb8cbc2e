import { z } from 'zod'

/** External events set the stage; no worker checks the beat. */
export const ExternalEventTarget = z
  .strictObject({ kind: z.literal('external_event') })
  .meta({ id: 'ExternalEventBeatTarget' })
