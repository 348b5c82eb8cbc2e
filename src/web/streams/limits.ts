import { Problem } from '../../domain/kernel/errors.ts'

export interface StreamLimits {
  /** Open streams of an address, or of an IPv6 network of 64 bits. */
  perAddress: number
  inAll: number
}

/** Counts the open streams. */
export function countStreams({ perAddress, inAll }: StreamLimits) {
  const counts = new Map<string, number>()
  let all = 0
  return {
    /** Counts a stream, or refuses it. */
    add(address: string): void {
      const count = counts.get(address) ?? 0
      if (all >= inAll) throw new Problem('unavailable', `${inAll} streams are open already: try again later.`)
      if (count >= perAddress) {
        throw new Problem('rate_limited', `${perAddress} streams of this address are open already: close one of them.`)
      }
      counts.set(address, count + 1)
      all += 1
    },
    remove(address: string): void {
      const count = counts.get(address) ?? 0
      if (count <= 1) counts.delete(address)
      else counts.set(address, count - 1)
      all -= 1
    },
    get all() {
      return all
    },
  }
}
