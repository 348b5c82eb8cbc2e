import type { Incident } from '../../persistence/entities/incident.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, Problem } from '../kernel/errors.ts'
import { settingsOf } from '../settings/stored.ts'
import { type Action, refusals, verdictOn } from './state-rules.ts'

/** Applies the state rules: true if the action is to be done. `path` is the field that an error of the request names. */
export async function allows(ctx: Context, incident: Incident, action: Action, path = 'status'): Promise<boolean> {
  const policies = await settingsOf(ctx.tx)
  const state = { resolved: incident.resolved_at !== null, acknowledged: incident.acknowledged_at !== null }
  const verdict = verdictOn(action, { ...policies, ...state })
  if (verdict === 'allowed') return true
  if (verdict === 'existing') return false
  const { code, message } = refusals[verdict]
  throw code === 'invalid_request' ? invalid([{ path, message }]) : new Problem(code, message)
}
