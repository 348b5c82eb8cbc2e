import { z } from 'zod'
import { endActing } from '../../../persistence/beats.ts'
import { operation } from '../../kernel/operation.ts'
import { message, versionToDelete } from '../../kernel/schema.ts'
import { keepSecret } from '../../kernel/secrets.ts'
import { forgetTranslations } from '../../translations/write.ts'
import { beatConfigChanged, membersChanged } from '../changes/config-changed.ts'
import { unmapComponents } from '../definition/components.ts'
import { beatName } from '../definition/naming-rules.ts'
import { beatSubject } from '../definition/subject.ts'
import { removeMemberById } from '../groups/incident-items.ts'
import { forgetHeartbeat } from '../heartbeats/token.ts'
import { leaveIncidentOpen } from '../incidents/orphaned-incident.ts'
import { secretNameOf } from '../targets/sealed-target.ts'
import { takesCalls } from '../types/index.ts'

export const deleteBeat = operation({
  name: 'beats.delete',
  area: 'beats',
  permission: 'write',
  summary: 'Delete a beat',
  description:
    'Ends the checks and the banners of the beat, and supersedes its actions that wait for review. An open incident of the beat stays open for a person to resolve. The items of the beat leave the open incident of its group, which stays with the group. The list of actions stays. The external id of the beat is free again.',
  subject: beatSubject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async (ctx, _input, beat) => {
    const { tx, now } = ctx
    const { id } = beat
    const deletion = `the deletion of the ${beatName(beat)}`
    beatConfigChanged(ctx, beat, deletion)
    await membersChanged(ctx, [beat.beat_group_id])
    if (beat.beat_group_id !== null) {
      await removeMemberById(ctx, beat.beat_group_id, beat, 'was deleted')
    }
    const open = await leaveIncidentOpen(ctx, beat)
    await endActing(tx, ['beat', id], { now, because: deletion })
    if (takesCalls(beat.type)) await forgetHeartbeat(ctx, beat)
    await unmapComponents(ctx, ['beat', id])
    await forgetTranslations(ctx, ['beat', id])
    await keepSecret(ctx, ctx.services.keyring, secretNameOf(beat), null)
    tx.remove(beat)
    return { message: `The ${beatName(beat)} was deleted.${open}` }
  },
})
