import type { en, subjects } from './en/index.ts'

export type LabelKey = keyof typeof en

/** The labels in one language. A label that is still to be translated is shown in English. */
export type Texts = Partial<Record<LabelKey, string>>

/** The labels of one subject in one language. */
export type TextsOf<Subject extends keyof typeof subjects> = Partial<Record<keyof (typeof subjects)[Subject], string>>
