import { z } from 'zod'
import { endActing } from '../../../persistence/beats.ts'
import { operation } from '../../kernel/operation.ts'
import { message, versionToDelete } from '../../kernel/schema.ts'
import { forgetTranslations } from '../../translations/write.ts'
import { unmapComponents } from '../definition/components.ts'
import { groupProcess } from '../definition/subject.ts'
import { releaseMembers } from './members.ts'
import { groupSubject } from './subject.ts'

export const deleteBeatGroup = operation({
  name: 'beat_groups.delete',
  area: 'beats',
  permission: 'write',
  summary: 'Delete a group of beats',
  description:
    'Its members stay, and act by their own policies again. Its banners end, and its actions that wait for review are superseded; an incident by which it tells of members that are ill is told by the worst of them from now on; where that was deleted, it is for somebody to resolve.',
  subject: groupSubject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async (ctx, _input, group) => {
    const { tx, now } = ctx
    const { id, name } = group
    const reason = 'the deletion of the group'
    await releaseMembers(ctx, group)
    await endActing(tx, ['beat_group', id], { now, because: reason })
    await unmapComponents(ctx, ['beat_group', id])
    await forgetTranslations(ctx, ['beat_group', id])
    tx.remove(group)
    ctx.wake(groupProcess(id), reason)
    return { message: `The beat group "${name}" is deleted.` }
  },
})
