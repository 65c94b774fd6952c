import ipaddr from 'ipaddr.js'

/**
 * Is this the address of a machine on the public internet? Everything else is refused: loopback, private and carrier
 * networks, link-local (where clouds keep their keys), multicast, and every IPv6 form that carries an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  // What is assigned in IPv6 begins with 001. Named ranges aside, nothing outside of it is a public machine.
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number])
}
