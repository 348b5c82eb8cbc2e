import { embed } from './embed.ts'
import { feed } from './feed.ts'
import { mail } from './mail.ts'
import { notice } from './notice.ts'
import { page } from './page.ts'
import { subscription } from './subscription.ts'
import { timeline } from './timeline.ts'
import { vocabulary } from './vocabulary.ts'

/** The labels by subject, and their English texts. Names in braces are placeholders. */
export const subjects = { embed, feed, mail, notice, page, subscription, timeline, vocabulary }
export const en = { ...embed, ...feed, ...mail, ...notice, ...page, ...subscription, ...timeline, ...vocabulary }
