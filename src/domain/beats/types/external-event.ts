import { z } from 'zod'

/** Events say its stage; there is nothing to check. */
export const ExternalEventTarget = z
  .strictObject({ kind: z.literal('external_event') })
  .meta({ id: 'ExternalEventBeatTarget' })
