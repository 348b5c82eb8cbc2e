import { memoryPhrasings } from './memory-phrasings.ts'
import { questionPhrasings } from './question-phrasings.ts'
import { requestPhrasings } from './request-phrasings.ts'

/** Written before the planner. */
export const phrasings = [...questionPhrasings, ...requestPhrasings, ...memoryPhrasings]
