import { z } from 'zod'
import { BeatFingerprint } from '../../../persistence/entities/beat-fingerprint.ts'
import { presentOne } from '../../beats/definition/presenter.ts'
import { BeatResource } from '../../beats/definition/schema.ts'
import { beatSubject } from '../../beats/definition/subject.ts'
import { Problem } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { line, version } from '../../kernel/schema.ts'
import { closeFingerprint } from '../inbox/silence.ts'
import { fingerprintFrom } from '../inbox/stored-fingerprints.ts'

export const closeOpenFingerprint = operation({
  name: 'beats.open_fingerprints.close',
  area: 'reviews',
  permission: 'write',
  summary: 'Close an open fingerprint of a beat',
  description:
    'For an alert whose recovery will not arrive: the beat gets the worst stage of its other open fingerprints, and is healthy without one. A fingerprint that is not open is a 409.',
  subject: beatSubject,
  input: z.strictObject({ fingerprint: line(500), version: version().optional() }),
  output: BeatResource,
  run: async (ctx, { fingerprint }, beat) => {
    const open = await ctx.tx.find(
      BeatFingerprint,
      { beat_id: beat.id, fingerprint, stage: { $ne: 'healthy' } },
      { orderBy: { id: 'asc' } },
    )
    if (open.length === 0) {
      throw new Problem('conflict', `The beat "${beat.name}" (${beat.id}) has no open fingerprint "${fingerprint}".`)
    }
    const cause = `"${ctx.actor.name}", who closed the fingerprint "${fingerprint}"`
    for (const row of open) await closeFingerprint(ctx, fingerprintFrom(row), cause)
    return presentOne(ctx, beat)
  },
})
