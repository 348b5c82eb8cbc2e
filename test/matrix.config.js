import config from '../jest.config.js'

/** `npm run test:matrix`: the kills, starts, copies and the half year of a series that take minutes. `npm test` has one case of each. */
export default { ...config, rootDir: '..', testMatch: ['<rootDir>/test/**/*.matrix.ts'] }
