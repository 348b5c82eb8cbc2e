import { branding } from './branding.ts'
import { chat } from './chat.ts'
import { embeds } from './embeds.ts'
import { homepage } from './homepage.ts'
import { incidentPolicy } from './incident-policy.ts'
import { layout } from './layout.ts'
import { locales } from './locale.ts'
import { longRunning } from './long-running.ts'
import { reliability } from './reliability.ts'
import { signIn } from './sign-in.ts'
import { synthetics } from './synthetics.ts'

/** The accepted fields of the page settings. */
export const pageFields = {
  ...signIn.working,
  ...incidentPolicy.working,
  ...branding.working,
  ...locales.working,
  ...layout.working,
  ...homepage.working,
  ...embeds.working,
  ...longRunning.working,
  ...reliability.working,
  ...synthetics.working,
}

/** The fields of the interface that are not implemented yet. */
export const laterFields = {
  ...signIn.later,
  ...incidentPolicy.later,
  ...branding.later,
  ...locales.later,
  ...layout.later,
  ...homepage.later,
  ...embeds.later,
  ...longRunning.later,
  ...reliability.later,
  ...synthetics.later,
}

export const chatFields = chat.working
