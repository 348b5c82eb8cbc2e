import { operation } from '../../kernel/operation.ts'
import { trackRevision } from '../../kernel/revise.ts'
import { MuteRequest, mutedUntil } from '../changes/mute.ts'
import { presentFull } from './presenter.ts'
import { BeatGroupResource } from './schema.ts'
import { groupSubject } from './subject.ts'

export const muteBeatGroup = operation({
  name: 'beat_groups.mute',
  area: 'beats',
  permission: 'write',
  summary: 'Mute a group of beats, or end its mute',
  description:
    'The group takes no action until `muted_until`, or for so many `minutes`; its members go on showing their banners. When the mute ends, the group acts on its stage at that time. `muted_until: null` ends a mute.',
  subject: groupSubject,
  input: MuteRequest,
  output: BeatGroupResource,
  run: async (ctx, said, group) => {
    const revise = trackRevision(ctx, groupSubject, group)
    group.muted_until = mutedUntil(ctx, said)
    if (revise()) ctx.wake({ kind: 'beat-group', id: group.id }, 'a mute, or the end of one')
    return (await presentFull(ctx.tx, [group]))[0]!
  },
})
