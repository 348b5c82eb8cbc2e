import { answerCheck } from '../src/domain/beats/checks/requests.ts'
import { markManyUnchecked } from '../src/domain/beats/stage/stage-unknown.ts'
import type { Services } from '../src/domain/kernel/services.ts'
import { inUnitOfWork } from '../src/domain/kernel/unit-of-work.ts'
import { beatsOfShard } from '../src/persistence/system/shards.ts'
import type { Chores } from '../workflows/contract.ts'

/** While no worker serves a region, its beats are examined again after this time, because new beats send no notice. */
const EXAMINE_AGAIN_MS = { least: 30_000, most: 60_000 }

/** The activities of workflows besides their steps, on the core queue. */
export function createChores(services: Services): Chores {
  return {
    async giveUpCheck({ page_id, id, because }) {
      await inUnitOfWork(services, page_id, ({ tx, now }) => answerCheck(tx, id, { problem: because }, now))
    },
    async regionUnserved(shard) {
      const beats = (await beatsOfShard(services.system, shard)).filter(({ unknown }) => !unknown)
      const { region } = shard
      const next = await markManyUnchecked(services, beats, { region, because: `no worker in region ${region}` })
      const again = next.map((moment) => moment.getTime() - services.clock().getTime())
      return Math.min(Math.max(Math.min(...again), EXAMINE_AGAIN_MS.least), EXAMINE_AGAIN_MS.most)
    },
  }
}
