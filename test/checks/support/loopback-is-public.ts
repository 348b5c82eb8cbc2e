import { notPublic as reallyNotPublic } from '../../../src/outbound/address-rules.ts'

export * from '../../../src/outbound/address-rules.ts'

/** Only 127.0.0.1 counts as public here, so that a server on loopback can redirect. */
export const notPublic: typeof reallyNotPublic = (address) =>
  address === '127.0.0.1' ? null : reallyNotPublic(address)
