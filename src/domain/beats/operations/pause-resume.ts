import { z } from 'zod'
import type { Beat } from '../../../persistence/entities/beat.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { trackRevision } from '../../kernel/revise.ts'
import { version } from '../../kernel/schema.ts'
import { beatConfigChanged } from '../changes/config-changed.ts'
import { MuteRequest, mutedUntil } from '../changes/mute.ts'
import { beatName } from '../definition/naming-rules.ts'
import { presentOne } from '../definition/presenter.ts'
import { BeatResource } from '../definition/schema.ts'
import { beatSubject } from '../definition/subject.ts'
import { beginHeartbeat } from '../heartbeats/token.ts'
import { resumeReportedStage } from '../stage/open-fingerprints.ts'

const common = { area: 'beats', permission: 'write', subject: beatSubject, output: BeatResource } as const
const input = z.strictObject({ version: version().optional() })

export const pauseBeat = operation({
  ...common,
  name: 'beats.pause',
  summary: 'Pause a beat: no more checks',
  description: 'The same as `enabled: false`. Pausing twice answers 200.',
  input,
  run: (ctx, _input, beat) => change(ctx, beat, { enabled: false }, 'the pause'),
})

export const resumeBeat = operation({
  ...common,
  name: 'beats.resume',
  summary: 'Resume a paused beat',
  description: 'The same as `enabled: true`. Resuming twice answers 200.',
  input,
  run: (ctx, _input, beat) => change(ctx, beat, { enabled: true }, 'the resumption'),
})

export const muteBeat = operation({
  ...common,
  name: 'beats.mute',
  summary: 'Mute a beat, or end its mute',
  description:
    'Until `muted_until`, or for `minutes`, the beat is checked without actions and notifications; after that it acts on its stage. `muted_until: null` ends a mute.',
  input: MuteRequest,
  run: (ctx, request, beat) => {
    const muted_until = mutedUntil(ctx, request)
    return change(ctx, beat, { muted_until }, muted_until ? 'the mute' : 'the end of the mute')
  },
})

async function change(ctx: Context, beat: Beat, to: Partial<Beat>, what: string) {
  const revise = trackRevision(ctx, beatSubject, beat)
  Object.assign(beat, to)
  if (revise()) {
    if (to.enabled) {
      await beginHeartbeat(ctx, beat)
      await resumeReportedStage(ctx, beat)
    }
    beatConfigChanged(ctx, beat, `${what} of the ${beatName(beat)}`)
  }
  return presentOne(ctx, beat)
}
