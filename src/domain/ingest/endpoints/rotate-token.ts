import { IngestToken } from '../../../persistence/entities/ingest-token.ts'
import { operation } from '../../kernel/operation.ts'
import { presentEndpoints } from './presenter.ts'
import { IngestEndpointWithToken, RotateRequest } from './schema.ts'
import { endpointSubject, tokenProcess } from './subject.ts'
import { issueToken } from './token.ts'

const HOUR_MS = 60 * 60 * 1000
const graceMs = { immediately: 0, '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS } as const

export const rotateToken = operation({
  name: 'ingest_endpoints.rotate',
  area: 'endpoints',
  permission: 'admin',
  summary: 'Give an ingest endpoint a new token; only the answer shows the token',
  description:
    'The old token works until its grace period ends: `immediately`, after `1h`, `24h` or `7d`. Another rotation within the grace period ends the oldest token at once.',
  subject: endpointSubject,
  input: RotateRequest,
  output: IngestEndpointWithToken,
  run: async (ctx, { old_token_expiry }, endpoint) => {
    const { tx, now } = ctx
    const working = await tx.find(IngestToken, {
      endpoint_id: endpoint.id,
      $or: [{ expires_at: null }, { expires_at: { $gt: now } }],
    })
    for (const token of working) {
      const grace = token.expires_at === null ? graceMs[old_token_expiry] : 0
      token.expires_at = new Date(now.getTime() + grace)
    }
    await tx.flush()
    const secrets = await issueToken(ctx, endpoint)
    endpoint.version += 1
    endpoint.updated_at = now
    ctx.wake(tokenProcess(endpoint.id), `the rotation of the token: the old token ends ${inWords[old_token_expiry]}`)
    return { ...(await presentEndpoints(ctx, [endpoint]))[0]!, ...secrets }
  },
})

const inWords = {
  immediately: 'immediately',
  '1h': 'in an hour',
  '24h': 'in 24 hours',
  '7d': 'in 7 days',
} as const
