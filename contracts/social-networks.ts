// Separate from the calls, so the form and the page don't load them.

const profile = (pattern: string) => new RegExp(`^${pattern}$`)

type Network = {
  name: string
  /** Hosts of the network's pages. Subdomains such as `www.` and `m.` also count. */
  hosts: readonly string[]
  base: string
  /** A page's path without leading or trailing slashes. */
  path: RegExp
  handle: RegExp
  toPath: (handle: string) => string
  example: string
}

const itself = (handle: string) => handle

/** The networks that a page can link to, in display order. */
export const socialNetworks = {
  instagram: {
    name: 'Instagram',
    hosts: ['instagram.com'],
    base: 'https://www.instagram.com/',
    path: profile('\\w[\\w.]{0,29}'),
    handle: profile('\\w[\\w.]{0,29}'),
    toPath: itself,
    example: 'instagram.com/yourshop',
  },
  facebook: {
    name: 'Facebook',
    hosts: ['facebook.com', 'fb.com'],
    base: 'https://www.facebook.com/',
    path: profile('(?!.*\\.php$)(people/[^/]{1,80}/\\d{1,20}|p/[\\w%-]{1,100}|\\w[\\w.-]{1,79})'),
    handle: profile('\\w[\\w.-]{1,79}'),
    toPath: itself,
    example: 'facebook.com/yourshop',
  },
  x: {
    name: 'X',
    hosts: ['x.com', 'twitter.com'],
    base: 'https://x.com/',
    path: profile('\\w{1,15}'),
    handle: profile('\\w{1,15}'),
    toPath: itself,
    example: 'x.com/yourshop',
  },
  youtube: {
    name: 'YouTube',
    hosts: ['youtube.com'],
    base: 'https://www.youtube.com/',
    path: profile('(@\\w[\\w.-]{2,29}|(channel|c|user)/\\w[\\w.-]{0,99})'),
    handle: profile('\\w[\\w.-]{2,29}'),
    toPath: (handle) => `@${handle}`,
    example: 'youtube.com/@yourshop',
  },
  tiktok: {
    name: 'TikTok',
    hosts: ['tiktok.com'],
    base: 'https://www.tiktok.com/',
    path: profile('@\\w[\\w.]{1,23}'),
    handle: profile('\\w[\\w.]{1,23}'),
    toPath: (handle) => `@${handle}`,
    example: 'tiktok.com/@yourshop',
  },
  linkedin: {
    name: 'LinkedIn',
    hosts: ['linkedin.com'],
    base: 'https://www.linkedin.com/',
    path: profile('(company|in|showcase)/[\\w%-]{1,100}'),
    handle: profile('[\\w-]{2,100}'),
    toPath: (handle) => `company/${handle}`,
    example: 'linkedin.com/company/yourshop',
  },
} as const satisfies Record<string, Network>

export type SocialNetwork = keyof typeof socialNetworks
export const socialNetworkIds = Object.keys(socialNetworks) as SocialNetwork[]

export const maxSocialText = 200

/**
 * The URL to store for a page on this network: https, on the network's own host, with nothing after the path. Accepts a URL with or
 * without `https://`, or a name with or without its @. Null for anything else.
 */
export function socialUrl(id: SocialNetwork, text: string): string | null {
  const network: Network = socialNetworks[id]
  const given = text.trim()
  const handle = given.replace(/^@/, '')
  const url = parseAddress(given)
  // "shop.co" is a valid Instagram name, so only the network's own host makes the text a URL.
  if (url && network.hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))) {
    const path = url.pathname.replace(/^\/+|\/+$/g, '')
    return network.path.test(path) ? network.base + path : null
  }
  return network.handle.test(handle) && !/^www\.|\.com$/i.test(handle) ? network.base + network.toPath(handle) : null
}

function parseAddress(text: string): URL | null {
  const whole = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`
  if (!URL.canParse(whole)) return null
  const url = new URL(whole)
  const isPlain = (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.port === ''
  return isPlain ? url : null
}
