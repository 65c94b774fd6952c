import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** The part of an address assigned to one customer: an IPv4 address, or an IPv6 /64, in which one machine may use 2^64 addresses. */
export function addressGroup(ip: string): string {
  const known = groups.get(ip)
  if (known !== undefined) return known
  const group = groupOf(ip)
  groups.set(ip, group)
  return group
}

/** Cached, because every request needs it and most requests come from few addresses. */
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
