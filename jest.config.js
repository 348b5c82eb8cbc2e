export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  runner: '<rootDir>/test/support/runner.ts',
  // Node reads TypeScript by itself.
  transform: {},
  injectGlobals: false,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Tests wait for progress: a wait that sees none gives up by itself (test/support/wait.ts). This ends what hangs.
  testTimeout: 15 * 60_000,
  testSequencer: '<rootDir>/test/support/sequencer.ts',
  // More than there are cores: most of them begin with files that mostly wait.
  maxWorkers: 6,
}
