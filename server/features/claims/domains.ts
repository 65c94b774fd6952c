import { parse } from 'tldts'

/**
 * A mailbox proves a claim only at the business's own domain. A free mailbox, or a page on a service that anyone can use, proves nothing.
 */

/** Compared by the label before the public suffix, which covers all countries: yahoo.com, yahoo.co.uk. */
const sharedNames = new Set([
  // Free mail providers.
  ...['gmail', 'googlemail', 'yahoo', 'ymail', 'rocketmail', 'hotmail', 'outlook', 'live', 'msn', 'aol', 'icloud', 'me', 'mac'],
  ...['proton', 'protonmail', 'pm', 'gmx', 'web', 'mail', 'zoho', 'yandex', 'fastmail', 'hey', 'tutanota', 'tuta', 'comcast', 'verizon'],
  ...['att', 'sbcglobal', 'bellsouth', 'cox', 'charter', 'earthlink', 'centurylink', 'mailinator', 'guerrillamail', 'duck'],
  // Social networks and link pages.
  ...[
    'facebook',
    'fb',
    'instagram',
    'twitter',
    'x',
    'tiktok',
    'youtube',
    'youtu',
    'linkedin',
    'pinterest',
    'snapchat',
    'threads',
    'reddit',
  ],
  ...['linktr', 'linktree', 'beacons', 'bit', 'tinyurl', 'goo', 'discord', 'telegram', 't', 'meetup', 'eventbrite', 'patreon', 'medium'],
  // Directories and menu sites, for cannabis and in general.
  ...[
    'weedmaps',
    'leafly',
    'dutchie',
    'iheartjane',
    'jane',
    'wheresweed',
    'allbud',
    'potguide',
    'cannasaver',
    'leafbuyer',
    'jointcommerce',
  ],
  ...[
    'leaflink',
    'meadow',
    'eaze',
    'blaze',
    'treez',
    'greenrush',
    'yelp',
    'tripadvisor',
    'foursquare',
    'google',
    'mapquest',
    'yellowpages',
  ],
  ...['bizapedia', 'manta', 'opencorporates', 'bbb', 'loopnet', 'apple', 'bing', 'amazon', 'ebay', 'etsy', 'doordash', 'ubereats'],
  // Site builders.
  ...['wix', 'wixsite', 'editorx', 'squarespace', 'weebly', 'weeblysite', 'godaddy', 'godaddysites', 'wordpress', 'wpengine', 'blogspot'],
  ...['blogger', 'tumblr', 'shopify', 'myshopify', 'square', 'squareup', 'webflow', 'strikingly', 'jimdo', 'jimdosite', 'carrd', 'webs'],
  ...['webador', 'site123', 'yolasite', 'ueniweb', 'negocio', 'business', 'github', 'gitlab', 'netlify', 'vercel', 'herokuapp', 'notion'],
  ...['bigcartel', 'ecwid', 'constantcontact', 'mailchimp', 'canva', 'glitch', 'replit', 'azurewebsites', 'amazonaws', 'cloudfront'],
])

/** Domains of authorities rather than businesses. */
const ofAuthorities = /(^|\.)(gov|mil|edu)(\.[a-z]{2})?$|^state\.[a-z]{2}\.us$/

/** The registrable domain: "example.co.uk" for "shop.example.co.uk". Null if the domain is shared or not registrable. */
export function ownDomain(host: string): string | null {
  // Includes private suffixes: in "shop.github.io", "shop" is a customer of GitHub and "github.io" is a public suffix.
  const { domain, domainWithoutSuffix, publicSuffix, isIcann, isPrivate, isIp } = parse(host, { allowPrivateDomains: true })
  if (!domain || !publicSuffix || isIp || isPrivate || !isIcann) return null
  if (sharedNames.has(domainWithoutSuffix ?? '') || ofAuthorities.test(publicSuffix) || ofAuthorities.test(domain)) return null
  return domain
}

export function emailDomainsOf(websites: readonly (string | null)[]): string[] {
  const domains = websites.flatMap((website) => {
    if (!website || !URL.canParse(website)) return []
    return ownDomain(new URL(website).hostname) ?? []
  })
  return [...new Set(domains)].sort()
}

/** Includes subdomains. */
export function isAtDomain(email: string, domains: readonly string[]): boolean {
  const domain = ownDomain(email.slice(email.lastIndexOf('@') + 1))
  return domain !== null && domains.includes(domain)
}
