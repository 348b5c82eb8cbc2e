import config from '../jest.config.js'

/** `npm run test:matrix`: the kills, starts and copies that take minutes. `npm test` has one case of each. */
export default { ...config, rootDir: '..', testMatch: ['<rootDir>/test/**/*.matrix.ts'] }
