import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** The networks of IPv4 that are not public: the IANA registry of special purposes, and an address that clouds use inside. */
const notPublic4: Network[] = [
  ['0.0.0.0', 8, 'an address of this host'],
  ['10.0.0.0', 8, 'a private address'],
  ['100.64.0.0', 10, "an address of a carrier's own network"],
  ['127.0.0.0', 8, 'a loopback address'],
  ['169.254.0.0', 16, 'a link-local address'],
  ['172.16.0.0', 12, 'a private address'],
  ['192.0.0.0', 24, 'a reserved address'],
  ['192.0.2.0', 24, 'a reserved address'],
  ['192.31.196.0', 24, 'a reserved address'],
  ['192.52.193.0', 24, 'a reserved address'],
  ['192.88.99.0', 24, 'a reserved address'],
  ['192.168.0.0', 16, 'a private address'],
  ['192.175.48.0', 24, 'a reserved address'],
  ['198.18.0.0', 15, 'a reserved address'],
  ['198.51.100.0', 24, 'a reserved address'],
  ['203.0.113.0', 24, 'a reserved address'],
  ['224.0.0.0', 4, 'a multicast address'],
  ['240.0.0.0', 4, 'a reserved address'],
  ['168.63.129.16', 32, "a cloud's own address"],
]

/** Networks within 2000::/3 that are not public: reserved, or with an IPv4 address inside. No other IPv6 address is public. */
const notPublic6: Network[] = [
  ['2001::', 23, 'a reserved address'],
  ['2001:db8::', 32, 'a reserved address'],
  ['2002::', 16, 'a 6to4 address'],
  ['2620:4f:8000::', 48, 'a reserved address'],
  ['3fff::', 20, 'a reserved address'],
]

const otherwise6: Network[] = [
  ['::', 128, 'an address of this host'],
  ['::1', 128, 'a loopback address'],
  ['fc00::', 7, 'a private address'],
  ['fe80::', 10, 'a link-local address'],
  ['ff00::', 8, 'a multicast address'],
]

const lists4 = notPublic4.map(list('ipv4'))
const lists6 = notPublic6.map(list('ipv6'))
const listsOther6 = otherwise6.map(list('ipv6'))
const global6 = list('ipv6')(['2000::', 3, ''])
const carriers = ['::ffff:0:0', '64:ff9b::'].map((network) => list('ipv6')([network, 96, '']))

/** The reason why an address, in its canonical spelling, is not public; null for a public address. */
export function notPublic(address: string): string | null {
  if (isIPv4(address)) return named(lists4, address, 'ipv4')
  const inside = ipv4Inside(address)
  if (inside) return notPublic(inside)
  if (!global6.addresses.check(address, 'ipv6')) return named(listsOther6, address, 'ipv6') ?? 'a reserved address'
  return named(lists6, address, 'ipv6')
}

/** An IPv4 address that is written inside an IPv6 address becomes that IPv4 address: both lead to the same machine. */
export function plainAddress(address: string): string {
  if (!isIPv6(address)) return address
  return ipv4Inside(address) ?? new URL(`http://[${address}]/`).hostname.slice(1, -1)
}

/** The address, or the network of 64 bits of an IPv6 address: a client that has one of its addresses has all of them. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address.slice(0, LONGEST_ADDRESS)
  const plain = plainAddress(address)
  if (!isIPv6(plain)) return plain.slice(0, LONGEST_ADDRESS)
  const groups = groupsOf(plain).slice(0, 4)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}
const LONGEST_ADDRESS = 45

const self4 = ['0.0.0.0', '127.0.0.0'].map((network) => list('ipv4')([network, 8, '']))

/** Whether a plain address means this machine on every machine: a loopback address or the unspecified address. */
export function isSelf(address: string): boolean {
  if (isIPv4(address)) return self4.some(({ addresses }) => addresses.check(address, 'ipv4'))
  return address === '::' || address === '::1'
}

/** The IPv4 address inside an IPv4-mapped address or a NAT64 address. */
function ipv4Inside(address: string): string | null {
  if (!carriers.some(({ addresses }) => addresses.check(address, 'ipv6'))) return null
  const [high = 0, low = 0] = groupsOf(address).slice(-2)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [left = [], right] = canonical.split('::').map((side) => side.split(':').filter(Boolean))
  const swallowed = right ? 8 - left.length - right.length : 0
  return [...left, ...Array(swallowed).fill('0'), ...(right ?? [])].map((group) => Number.parseInt(group, 16))
}

type Network = [network: string, prefix: number, what: string]

function list(type: 'ipv4' | 'ipv6') {
  return ([network, prefix, what]: Network) => {
    const addresses = new BlockList()
    addresses.addSubnet(network, prefix, type)
    return { addresses, what }
  }
}

function named(lists: { addresses: BlockList; what: string }[], address: string, type: 'ipv4' | 'ipv6') {
  return lists.find(({ addresses }) => addresses.check(address, type))?.what ?? null
}

/** The name of the PTR record of an address. */
export function arpaOf(address: string): string {
  if (isIPv4(address)) return `${address.split('.').reverse().join('.')}.in-addr.arpa`
  const digits = groupsOf(address).map((group) => group.toString(16).padStart(4, '0'))
  return `${[...digits.join('')].reverse().join('.')}.ip6.arpa`
}
