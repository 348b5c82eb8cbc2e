import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { codePath } from '../support/processes.ts'

/** The modules that workflows may use. */
const ours = /^\.\/workflows\/[\w-]+\.ts$/
const theirs = /^\.\/node_modules\/(@temporalio\/(workflow|common)|nexus-rpc|ms|long)\//
/** Modules of Node, which are empty in the bundle. */
const empty = /^\?[0-9a-f]+$/
const LARGEST = 1_000_000

test('the bundle contains only the workflows and Temporal', async () => {
  const [code] = (await readFile(await codePath(), 'utf8')).split('//# sourceMappingURL=')
  const modules = [...code!.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map(([, path]) => path!)
  expect(modules).toContain('./workflows/reconcile.ts')
  expect(modules.filter((path) => ![ours, theirs, empty].some((known) => known.test(path)))).toEqual([])
  expect(code!.length).toBeLessThan(LARGEST)
})
