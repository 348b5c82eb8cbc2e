import { answerCheck } from '../src/domain/beats/checks/requests.ts'
import { markManyUnchecked } from '../src/domain/beats/stage/stage-unknown.ts'
import type { Services } from '../src/domain/kernel/services.ts'
import { inUnitOfWork } from '../src/domain/kernel/unit-of-work.ts'
import { beatsOfShard } from '../src/persistence/system/shards.ts'
import type { Chores } from '../workflows/contract.ts'

/** While nobody serves a region, its beats are looked at again after this: some may be new there, and nobody tells us. */
const AGAIN_MS = { least: 30_000, most: 60_000 }

/** What workflows have done besides their steps, on the core queue. */
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
      return Math.min(Math.max(Math.min(...again), AGAIN_MS.least), AGAIN_MS.most)
    },
  }
}
