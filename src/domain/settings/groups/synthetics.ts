import { z } from 'zod'
import { text } from '../../kernel/schema.ts'
import { flag, hidden, words } from '../fields.ts'

export const synthetics = {
  working: {},
  later: {
    synthetics_enabled: flag(true),
    synthetics_region: words(50),
    iac_lockdown_enabled: hidden(flag(false)),
    iac_locked_features: hidden(z.array(text(50)).max(50).default([])),
  },
}
