import { z } from 'zod'
import { regionName } from '../../beats/definition/regions.ts'
import { text } from '../../kernel/schema.ts'
import { flag, hidden } from '../fields.ts'

export const synthetics = {
  working: {
    synthetics_enabled: flag(true).describe('Whether the beats of the page are checked'),
    synthetics_region: z
      .union([z.literal(''), regionName()], { error: 'must be the name of a region, such as eu-west' })
      .default('')
      .describe('The region of new beats without a region; empty for the first region of the installation'),
  },
  later: {
    iac_lockdown_enabled: hidden(flag(false)),
    iac_locked_features: hidden(z.array(text(50)).max(50).default([])),
  },
}
