import { Console } from 'node:console'
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Answer } from './runner.ts'

/** Runs the test files that the runner names, one after the other. The files share the modules of the service, as requests do. */
interface Task {
  settings: object
  config: object
  path: string
}
interface Result {
  perfStats: object
  testResults: { failureDetails: unknown[] }[]
}
type RunFile = (settings: object, config: object, environment: object, runtime: object, path: string) => Promise<Result>

// Jest's output may be a report.
globalThis.console = new Console(process.stderr)
// A stack of ten says too little where a test fails.
Error.stackTraceLimit = 100

const require = createRequire(import.meta.url)
const { default: runFile } = require('jest-circus/runner') as { default: RunFile }
const TESTS = new URL('../', import.meta.url).href
const GLOBALS = new URL('./runner-globals.ts', import.meta.url).href

/** Test code is loaded again for each file, because its modules declare the hooks of the file. */
let count = 0
registerHooks({
  resolve(specifier, context, next) {
    const found = specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context)
    return found.url.startsWith(TESTS) ? { ...found, url: `${found.url}?${count}` } : found
  },
})

/** What jest's own test runner needs to know of the world in which a file runs: it is this process. */
const runtime = {
  requireInternalModule(path: string) {
    // It keeps the tests of a file in its modules.
    delete require.cache[path]
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'))
    return require(path)
  },
  requireModule: require,
  setGlobalsForRuntime(globals: object) {
    Object.assign(globalThis, { testGlobals: globals })
  },
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path: string) => import(pathToFileURL(path).href),
  enterTestCode() {},
  leaveTestCode() {},
}

/** What one file has left on the process would be held in memory for all others. */
function forgetTests(): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description === 'JEST_STATE_SYMBOL') Reflect.deleteProperty(globalThis, symbol)
  }
}

async function run({ settings, config, path }: Task): Promise<Answer> {
  count += 1
  const start = Date.now()
  try {
    const result = await runFile(settings, config, { global: globalThis }, runtime, path)
    const end = Date.now()
    Object.assign(result.perfStats, { start, end, runtime: end - start })
    // Anything may be in there, also what cannot be sent. The messages say the same.
    for (const test of result.testResults) test.failureDetails = []
    return { result }
  } catch (thrown) {
    const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
    return { error: { message, stack } }
  } finally {
    forgetTests()
  }
}

let busy = false
process.on('message', async (task: Task) => {
  busy = true
  const answer = await run(task)
  busy = false
  process.send!(answer)
})
// The runner is gone. Otherwise this process ends by itself, or shows that something is still open.
process.on('disconnect', () => {
  if (busy) process.exit(1)
})
