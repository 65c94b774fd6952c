import type { Brand } from '../../contracts/brand.ts'
import { businessTypeLabels } from '../../contracts/business-types.ts'
import type { Business } from '../../contracts/businesses.ts'
import { escapeHtml } from '../kernel/escape-html.ts'

/** JSON inside a script element: `<` would otherwise be able to end it. */
export const scriptJson = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c')

/** What services that show links and search engines are told. Null: nothing, because the page may be somebody's own. */
type PublicFace = { url: string; image: string; imageAlt: string; isIndexed: boolean }

export type PageHead = { title: string; description: string; face: PublicFace | null }

type Words = { title: string; description: string }

/** The pages that everybody may read. All others carry the brand alone, so that a preview says nothing of a person, or of what is private. */
const publicPages = ({ name, slug, tagline }: Brand): Record<string, Words> => ({
  '/landing': {
    title: 'Your brand. Your culture. Your network',
    description: `${tagline}. Find licensed cannabis businesses near you, with licenses checked in the open and a rank that cannot be bought.`,
  },
  '/discover': {
    title: 'Discover licensed cannabis businesses',
    description: `Licensed farms, dispensaries and the trades around them on ${name}: by place and by rating, with what the public register says of each.`,
  },
  [`/${slug}`]: {
    title: 'Plans for businesses',
    description: `What a business on ${name} gets free, and what the Verified and Pro Partner plans add. No plan buys a higher rank.`,
  },
  '/help': { title: 'Help center', description: `How ${name} works: accounts, finding businesses, reviews, listings and growing logs.` },
  '/guidelines': {
    title: 'Community guidelines',
    description: `What belongs on ${name} and what does not: honest reviews, no claims about health, nobody’s private matters.`,
  },
  '/rules': {
    title: 'Rules for advertising, by place',
    description: 'What the law of each state says about advertising cannabis, with its source, and what our filters make of it.',
  },
  '/resources': {
    title: 'Business resources',
    description: `How to list a business on ${name}, have its license verified, bring in a menu and read its figures.`,
  },
  '/contact': { title: 'Contact us', description: `How to reach the people who run ${name}, and what to say so that they can help.` },
  '/privacy': {
    title: 'Privacy policy',
    description: `What ${name} knows about you, why, for how long, who sees it and how to have it deleted.`,
  },
  '/terms': {
    title: 'Terms of service',
    description: `What you agree to when you use ${name}: age, legal trade only, what you publish, plans.`,
  },
  '/data': {
    title: 'Where the data comes from',
    description: 'Which public registers the listed licenses come from, when they were read, and how a mistake is put right.',
  },
  '/accessibility': {
    title: 'Accessibility',
    description: `${name} is made to meet WCAG 2.2 AA. How it is tested, which limits are known, and whom to tell what stops you.`,
  },
  '/moderation-log': {
    title: 'Moderation log',
    description: `How many reports ${name} decided and how, and what was hidden or removed by which rule. Without names.`,
  },
  '/auth': { title: 'Sign in', description: `Sign in to ${name}, or create an account. You must be 18 or older.` },
  '/signup': { title: 'Sign up', description: `Create a free account on ${name}. You must be 18 or older.` },
  '/business/register': {
    title: 'Register your business',
    description: `List a licensed business on ${name}: a profile, ratings and a place in the directory cost nothing.`,
  },
})

export function pageHead(brand: Brand, publicUrl: string, path: string, business: Business | null): PageHead {
  if (business) return businessHead(brand, publicUrl, business)
  const page = publicPages(brand)[path] ?? (path === '/' ? generic(brand) : undefined)
  if (!page) return { ...generic(brand), face: null }
  const isHome = path === '/'
  return {
    title: isHome ? page.title : `${page.title} · ${brand.name}`,
    description: page.description,
    face: { url: `${publicUrl}${path}`, image: `${publicUrl}/preview.png`, imageAlt: `${brand.name}: ${brand.tagline}`, isIndexed: true },
  }
}

const generic = ({ name, tagline }: Brand): Words => ({
  title: `${name} · ${tagline}`,
  description: `${tagline}. Find licensed cannabis businesses, with licenses checked in the open and a rank that cannot be bought.`,
})

function businessHead({ name: brandName }: Brand, publicUrl: string, business: Business): PageHead {
  const { name, slug, type, description, isDemo, city, state } = business
  // A farm is placed by its city, whatever its owner wrote.
  const location = type === 'farm' ? [city, state].filter(Boolean).join(', ') : business.location
  const where = location ? ` in ${location}` : ''
  const url = `${publicUrl}/business/${slug}`
  return {
    title: `${name}${where} · ${brandName}`,
    description: shortened(description ?? `${businessTypeLabels[type]}${where}: license, place and reviews on ${brandName}.`),
    face: { url, image: `${url}/preview.png`, imageAlt: `${name}, ${businessTypeLabels[type]}${where}`, isIndexed: !isDemo },
  }
}

/** Longer ones are cut by whoever shows them, in the middle of a word. */
function shortened(text: string, most = 200): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most).replace(/\s+\S*$/, '')}…`
}

/**
 * `data` is what search engines are told of it, in the words of schema.org. The block is not run, so the policy for scripts lets it be.
 * The head of a page that may be somebody's own is the same for all of them, whether there is such a thing or not.
 */
export function renderHead({ title, description, face }: PageHead, brand: Brand, data: object | null = null): string {
  const words = [`<title>${escapeHtml(title)}</title>`, meta('name', 'description', description)]
  if (!face) return [...words, meta('name', 'robots', 'noindex')].join('')
  return [
    ...words,
    `<link rel="canonical" href="${escapeHtml(face.url)}">`,
    meta('property', 'og:site_name', brand.name),
    meta('property', 'og:locale', 'en_US'),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', face.url),
    meta('property', 'og:image', face.image),
    meta('property', 'og:image:type', 'image/png'),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', face.imageAlt),
    meta('name', 'twitter:card', 'summary_large_image'),
    face.isIndexed ? '' : meta('name', 'robots', 'noindex'),
    data ? `<script type="application/ld+json">${scriptJson(data)}</script>` : '',
  ].join('')
}

const meta = (kind: 'name' | 'property', name: string, content: string) => `<meta ${kind}="${name}" content="${escapeHtml(content)}">`
