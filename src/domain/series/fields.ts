import { z } from 'zod'
import { defaultsOf, field } from '../kernel/fields.ts'
import { maintenanceFields } from '../maintenances/fields.ts'

/** The fields that the windows of a series copy from it. */
export const windowFields = {
  ...maintenanceFields,
  auto_transition_enabled: field(z.boolean().describe('Whether the windows start and complete automatically'), {
    default: false,
  }),
}

/** The values of these fields that a create or a PUT leaves out. */
export const windowDefaults = () => defaultsOf(windowFields, {})
