import { z } from 'zod'
import { endActing } from '../../../persistence/beats.ts'
import { operation } from '../../kernel/operation.ts'
import { message, versionToDelete } from '../../kernel/schema.ts'
import { keepSecret } from '../../kernel/secrets.ts'
import { forgetTranslations } from '../../translations/write.ts'
import { unmapComponents } from '../definition/components.ts'
import { beatName } from '../definition/naming-rules.ts'
import { beatSubject } from '../definition/subject.ts'
import { forgetHeartbeat } from '../heartbeats/token.ts'
import { secretNameOf } from '../targets/sealed-target.ts'
import { beatConfigChanged, membersChanged } from './config-changed.ts'

export const deleteBeat = operation({
  name: 'beats.delete',
  area: 'beats',
  permission: 'write',
  summary: 'Delete a beat',
  description:
    'Ends its checks and its banners, and supersedes its actions that wait for review. An incident that the beat opened stays unchanged, and its executed actions stay in their list. It leaves the incident by which its group tells of others as well; one that tells of it alone stays open, as nobody knows more. Its external id can be used again.',
  subject: beatSubject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async (ctx, _input, beat) => {
    const { tx, now } = ctx
    const { id } = beat
    const deletion = `the deletion of the ${beatName(beat)}`
    beatConfigChanged(ctx, beat, deletion)
    await membersChanged(ctx, [beat.beat_group_id])
    await endActing(tx, ['beat', id], { now, because: deletion })
    if (beat.type === 'heartbeat') await forgetHeartbeat(ctx, beat)
    await unmapComponents(ctx, ['beat', id])
    await forgetTranslations(ctx, ['beat', id])
    await keepSecret(ctx, ctx.services.keyring, secretNameOf(beat), null)
    tx.remove(beat)
    return { message: `The ${beatName(beat)} was deleted.` }
  },
})
