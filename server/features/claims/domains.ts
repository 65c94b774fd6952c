import { parse } from 'tldts'

/**
 * Whose mailbox proves something: one at a domain that is the business's own. A page at a service that anybody can join, and mail that
 * anybody can have, prove nothing.
 */

/** By the label before the public suffix, so that all their countries are meant: yahoo.com, yahoo.co.uk. */
const sharedNames = new Set([
  // Mail for everybody.
  ...['gmail', 'googlemail', 'yahoo', 'ymail', 'rocketmail', 'hotmail', 'outlook', 'live', 'msn', 'aol', 'icloud', 'me', 'mac'],
  ...['proton', 'protonmail', 'pm', 'gmx', 'web', 'mail', 'zoho', 'yandex', 'fastmail', 'hey', 'tutanota', 'tuta', 'comcast', 'verizon'],
  ...['att', 'sbcglobal', 'bellsouth', 'cox', 'charter', 'earthlink', 'centurylink', 'mailinator', 'guerrillamail', 'duck'],
  // Social networks and pages of links.
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
  // Directories and menus of the trade, and of any.
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
  // Builders of sites.
  ...['wix', 'wixsite', 'editorx', 'squarespace', 'weebly', 'weeblysite', 'godaddy', 'godaddysites', 'wordpress', 'wpengine', 'blogspot'],
  ...['blogger', 'tumblr', 'shopify', 'myshopify', 'square', 'squareup', 'webflow', 'strikingly', 'jimdo', 'jimdosite', 'carrd', 'webs'],
  ...['webador', 'site123', 'yolasite', 'ueniweb', 'negocio', 'business', 'github', 'gitlab', 'netlify', 'vercel', 'herokuapp', 'notion'],
  ...['bigcartel', 'ecwid', 'constantcontact', 'mailchimp', 'canva', 'glitch', 'replit', 'azurewebsites', 'amazonaws', 'cloudfront'],
])

/** Where somebody of the authority sits, not of the business. */
const ofAuthorities = /(^|\.)(gov|mil|edu)(\.[a-z]{2})?$|^state\.[a-z]{2}\.us$/

/** The domain that somebody registered: "example.co.uk" of "shop.example.co.uk". Null where it belongs to nobody or to everybody. */
export function ownDomain(host: string): string | null {
  // With the private suffixes too: of "shop.github.io", "shop" is one of GitHub's customers and "github.io" a public suffix.
  const { domain, domainWithoutSuffix, publicSuffix, isIcann, isPrivate, isIp } = parse(host, { allowPrivateDomains: true })
  if (!domain || !publicSuffix || isIp || isPrivate || !isIcann) return null
  if (sharedNames.has(domainWithoutSuffix ?? '') || ofAuthorities.test(publicSuffix) || ofAuthorities.test(domain)) return null
  return domain
}

/** The businesses' own domains among the websites that the register lists. */
export function emailDomainsOf(websites: readonly (string | null)[]): string[] {
  const domains = websites.flatMap((website) => {
    if (!website || !URL.canParse(website)) return []
    return ownDomain(new URL(website).hostname) ?? []
  })
  return [...new Set(domains)].sort()
}

/** Whether an address is at one of these domains, or below it. */
export function isAtDomain(email: string, domains: readonly string[]): boolean {
  const domain = ownDomain(email.slice(email.lastIndexOf('@') + 1))
  return domain !== null && domains.includes(domain)
}
