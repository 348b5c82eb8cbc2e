import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import bundled from '@sparticuz/chromium'
import { readConfig } from '../../src/config.ts'

type FindPath = () => string | Promise<string>

/** Where a Chromium can be: at CHROMIUM_PATH and nowhere else, or in the development dependencies, or as installed by Debian. */
export function chromiumPaths(env: NodeJS.ProcessEnv): FindPath[] {
  const { CHROMIUM_PATH } = env
  return CHROMIUM_PATH ? [() => CHROMIUM_PATH] : [unpacked, () => '/usr/bin/chromium']
}

/**
 * The browser of the development dependencies, which is unpacked once for a version. The folder appears as a whole, because
 * test files in several processes may unpack at the same time.
 */
async function unpacked(): Promise<string> {
  const { resolve } = createRequire(import.meta.url)
  const manifest = await readFile(join(resolve('@sparticuz/chromium'), '../../package.json'), 'utf8')
  const { version } = JSON.parse(manifest)
  const { CACHE_DIR } = readConfig(process.env)
  const folder = join(CACHE_DIR, `chromium-${version}`)
  if (existsSync(folder)) return join(folder, 'chromium')
  await mkdir(CACHE_DIR, { recursive: true })
  const draft = await mkdtemp(`${folder}-`)
  await inTemporaryFolder(draft, () => bundled.executablePath())
  await rename(draft, folder).catch(async (thrown) => {
    await rm(draft, { recursive: true })
    if (!existsSync(folder)) throw thrown
  })
  return join(folder, 'chromium')
}

/** The package unpacks into the folder for temporary files. */
async function inTemporaryFolder(folder: string, work: () => Promise<unknown>): Promise<void> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    await work()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}
