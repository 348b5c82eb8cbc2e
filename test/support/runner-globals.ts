import { ModuleMocker } from 'jest-mock'

/** What '@jest/globals' is for test files: the functions with which the file that runs now says its tests. */
const { testGlobals } = globalThis as unknown as { testGlobals: typeof import('@jest/globals') }

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } = testGlobals
export const jest = new ModuleMocker(globalThis)
