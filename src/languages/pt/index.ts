import type { Texts } from '../texts.ts'
import { mail } from './mail.ts'
import { page } from './page.ts'
import { vocabulary } from './vocabulary.ts'

export const pt: Texts = { ...mail, ...page, ...vocabulary }
