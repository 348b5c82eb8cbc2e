import type { Texts } from '../texts.ts'
import { embed } from './embed.ts'
import { feed } from './feed.ts'
import { mail } from './mail.ts'
import { notice } from './notice.ts'
import { page } from './page.ts'
import { subscription } from './subscription.ts'
import { timeline } from './timeline.ts'
import { vocabulary } from './vocabulary.ts'

export const de: Texts = { ...embed, ...feed, ...mail, ...notice, ...page, ...subscription, ...timeline, ...vocabulary }
