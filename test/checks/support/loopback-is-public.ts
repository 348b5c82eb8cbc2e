import { notPublic as reallyNotPublic } from '../../../src/outbound/address-rules.ts'

export * from '../../../src/outbound/address-rules.ts'

/** So that a server on loopback can be the public one that redirects: 127.0.0.1 counts as public here, nothing else. */
export const notPublic: typeof reallyNotPublic = (address) =>
  address === '127.0.0.1' ? null : reallyNotPublic(address)
