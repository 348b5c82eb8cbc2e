import { mail } from './mail.ts'
import { page } from './page.ts'
import { vocabulary } from './vocabulary.ts'

/** The labels by subject, and their English texts. Names in braces are placeholders. */
export const subjects = { mail, page, vocabulary }

export const en = { ...mail, ...page, ...vocabulary }
