import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/**
 * The part of an address that one customer of a provider holds: an IPv4 address, or an IPv6 /64,
 * within which a single machine may pick 2^64 addresses.
 */
export function addressGroup(ip: string): string {
  const known = groups.get(ip)
  if (known !== undefined) return known
  const group = groupOf(ip)
  groups.set(ip, group)
  return group
}

/** Every request asks, and few addresses ask most of the time. */
const groups = new LRUCache<string, string>({ max: 10_000 })

function groupOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
