import { rollUp } from '../../../persistence/system/rollups.ts'
import type { Services } from '../../kernel/services.ts'

/** Each minute, for all pages: counts results into minutes and hours, from which metrics are read. */
export const rollUpBeats = ({ system, clock }: Services): Promise<void> => rollUp(system, clock())
