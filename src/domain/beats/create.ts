import { Beat } from '../../persistence/entities/beat.ts'
import { operation } from '../kernel/operation.ts'
import { repeated } from '../kernel/repeated.ts'
import { makeBeat } from './make.ts'
import { presentOne } from './presenter.ts'
import { BeatCreateRequest, BeatResource } from './schema.ts'

export const rulesInWords =
  'It needs a target of its type and, except for heartbeat and external_event, a warning_rule or a critical_rule; a rule that its checks can never meet is refused. With a `public_post` in any stage it needs mapped items or `affected_items_freetext`; public metrics need a mapped item.'

export const createBeat = operation({
  name: 'beats.create',
  makes: 'beat',
  area: 'beats',
  permission: 'write',
  summary: 'Make a beat',
  description: `${rulesInWords} With an \`external_id\` the call may be repeated: the same request answers 200 with the stored record and does nothing twice.`,
  input: BeatCreateRequest,
  output: BeatResource,
  run: async (ctx, input) => {
    const stored = await repeated(ctx, Beat, 'beat', input.external_id)
    return presentOne(ctx, stored ?? (await makeBeat(ctx, input)))
  },
})
