export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Tests wait for progress: a wait that sees none gives up by itself (test/support/wait.ts). This ends what hangs.
  testTimeout: 15 * 60_000,
  testSequencer: '<rootDir>/test/support/sequencer.ts',
  // One more than there are cores: some only wait.
  maxWorkers: 3,
}
