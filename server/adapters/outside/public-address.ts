import ipaddr from 'ipaddr.js'

/**
 * Is this address on the public internet? Refuses everything else: loopback, private and carrier networks, link-local (cloud
 * metadata services), multicast, and every IPv6 form that embeds an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  // Assigned IPv6 space starts with 001 (2000::/3). Nothing outside it is a public machine.
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number])
}
