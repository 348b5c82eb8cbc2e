import { existsSync, writeFileSync } from 'node:fs'
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { join } from 'node:path'

/**
 * At the first start after an installation: loads the code of the API and of the worker, so that Node stores it compiled. If they
 * compiled it themselves, the API would keep 45 MB for that as long as it lives.
 */
export async function compileOnce(): Promise<void> {
  const dir = getCompileCacheDir()
  if (dir === undefined) return
  const mark = join(dir, 'complete')
  if (existsSync(mark)) return
  await import('../../worker/main.ts')
  await import('../main.ts')
  const [{ scripts }, { embedScript }] = await Promise.all([
    import('../page/browser/scripts.ts'),
    import('../embeds/script.ts'),
    import('../mcp/endpoint.ts'),
    import('../mcp/server.ts'),
  ])
  scripts()
  embedScript()
  flushCompileCache()
  try {
    writeFileSync(mark, '')
  } catch {}
}
