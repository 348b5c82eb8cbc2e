import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { codePath } from '../support/processes.ts'

/** What workflows may be made of; blueprint, "The house". */
const ours = /^\.\/workflows\/[\w-]+\.ts$/
const theirs = /^\.\/node_modules\/(@temporalio\/(workflow|common)|nexus-rpc|ms|long)\//
/** Modules of Node, left empty. */
const empty = /^\?[0-9a-f]+$/
const LARGEST = 1_000_000

test('the workflows bring nothing but themselves and Temporal', async () => {
  const [code] = (await readFile(await codePath(), 'utf8')).split('//# sourceMappingURL=')
  const modules = [...code!.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map(([, path]) => path!)
  expect(modules).toContain('./workflows/reconcile.ts')
  expect(modules.filter((path) => ![ours, theirs, empty].some((known) => known.test(path)))).toEqual([])
  expect(code!.length).toBeLessThan(LARGEST)
})
