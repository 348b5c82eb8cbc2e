import type { en } from './en.ts'

export type LabelKey = keyof typeof en

/** All labels in one language. */
export type Texts = Record<LabelKey, string>
