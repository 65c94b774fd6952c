import type { CurrentUser } from '#contracts/accounts.ts'
import type { Boot } from '#contracts/boot.ts'
import type { Brand } from '#contracts/brand.ts'
import { businessTypeLabels } from '#contracts/business-types.ts'
import { publicLocation } from '#contracts/businesses.rules.ts'
import type { Business } from '#contracts/businesses.ts'
import { hasMenu } from '#contracts/visitor-pages.ts'
import type { Context } from '#server/kernel/context.ts'
import { escapeHtml } from '#server/kernel/escape-html.ts'
import { tileArchiveUrl } from './map-tiles.ts'

/** An unescaped `<` could end the script element. */
export const scriptJson = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c')

/** What link previews and search engines show. Null if the page may be personal. */
type PublicFace = { url: string; image: string; imageAlt: string; isIndexed: boolean }

export type PageHead = { title: string; description: string; face: PublicFace | null }

type PageText = { title: string; description: string }

/**
 * Heads that reveal nothing personal or private; some of these pages require an account. Apart from businesses' and visitors' pages, which
 * have heads of their own, all other pages show only the brand.
 */
const publicPages = ({ name, slug, tagline }: Brand): Record<string, PageText> => ({
  '/landing': {
    title: 'Your brand. Your culture. Your network',
    description: `${tagline}. Find licensed cannabis businesses near you, with public license records and a rank that can’t be bought.`,
  },
  '/discover': {
    title: 'Discover licensed cannabis businesses',
    description: `Licensed farms, dispensaries and related businesses on ${name}, by place and rating, with each one’s public license record.`,
  },
  '/products': {
    title: 'Find cannabis products near you',
    description: `On ${name}, search the menus of licensed shops near you by name, category, price and potency.`,
  },
  '/events': {
    title: 'Find events near you',
    description: `Tastings, tours and other events at licensed businesses near you, on ${name}.`,
  },
  [`/${slug}`]: {
    title: 'Plans for businesses',
    description: `What a business on ${name} gets for free, and what the Verified and Pro Partner plans add. No plan buys a higher rank.`,
  },
  '/help': { title: 'Help center', description: `How ${name} works: accounts, finding businesses, reviews, listings and grow logs.` },
  '/guidelines': {
    title: 'Community guidelines',
    description: `What’s allowed on ${name} and what isn’t: honest reviews, no health claims, no one’s private information.`,
  },
  '/rules': {
    title: 'Rules for advertising, by place',
    description: 'What each state’s law says about advertising cannabis, with its source, and how our filters apply it.',
  },
  '/resources': {
    title: 'Business resources',
    description: `How to list a business on ${name}, verify its license, import a menu and see its insights.`,
  },
  '/contact': { title: 'Contact us', description: `How to reach the people who run ${name}, and what to include so they can help.` },
  '/privacy': {
    title: 'Privacy policy',
    description: `What ${name} knows about you, why and for how long, who sees it and how to delete it.`,
  },
  '/terms': {
    title: 'Terms of service',
    description: `What you agree to when you use ${name}: age, legal trade only, what you publish, plans.`,
  },
  '/data': {
    title: 'Where the data comes from',
    description: 'Which public registers the listed licenses come from, when they were read and how to report an error.',
  },
  '/developers': {
    title: 'For developers',
    description: `Keep a menu on ${name} in sync with a point of sale: keys, calls with examples, webhooks and the OpenAPI document.`,
  },
  '/accessibility': {
    title: 'Accessibility',
    description: `${name} is built to meet WCAG 2.2 AA. How we test it, its known limits and where to report a barrier.`,
  },
  '/moderation-log': {
    title: 'Moderation log',
    description: `How many reports ${name} decided and how, and what was hidden or removed under which rule, without names.`,
  },
  '/auth': { title: 'Sign in', description: `Sign in to ${name}, or create an account. You must be 18 or older.` },
  '/signup': { title: 'Sign up', description: `Create a free account on ${name}. You must be 18 or older.` },
  '/business/register': {
    title: 'Register your business',
    description: `List a licensed business on ${name}. A profile, ratings and a directory listing are free.`,
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

const generic = ({ name, tagline }: Brand): PageText => ({
  title: `${name} · ${tagline}`,
  description: `${tagline}. Find licensed cannabis businesses, with public license records and a rank that can’t be bought.`,
})

function businessHead({ name: brandName }: Brand, publicUrl: string, business: Business): PageHead {
  const { name, slug, type, description, isDemo } = business
  const location = publicLocation(business)
  const where = location ? ` in ${location}` : ''
  const url = `${publicUrl}/business/${slug}`
  return {
    title: `${name}${where} · ${brandName}`,
    description: shortened(description ?? `${businessTypeLabels[type]}${where}: license, place and reviews on ${brandName}.`),
    face: { url, image: `${url}/preview.png`, imageAlt: `${name}, ${businessTypeLabels[type]}${where}`, isIndexed: !isDemo },
  }
}

/** For visitors' pages at `/menu/{slug}`. */
export function menuHead(brand: Brand, publicUrl: string, business: Business): PageHead {
  const { title, description, face } = businessHead(brand, publicUrl, business)
  return {
    title: hasMenu(business) ? `Menu for ${title}` : title,
    description,
    face: face && { ...face, url: `${publicUrl}/menu/${business.slug}` },
  }
}

/** Other services would cut a longer description in the middle of a word. */
function shortened(text: string, maxLength = 200): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength).replace(/\s+\S*$/, '')}…`
}

/**
 * `data` is structured data (schema.org) for search engines. The script policy allows it because it isn't executed. All pages that may be
 * personal get the same head, whether or not they exist.
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

/** From a browser's preferred language: "en-GB,en;q=0.9" → GB. */
function regionOf(languages: string): string {
  const [language = ''] = languages.split(/[,;]/)
  try {
    return new Intl.Locale(language.trim()).maximize().region ?? 'US'
  } catch {
    return 'US'
  }
}

/** What the web app needs before its first paint. `languages` is the Accept-Language header. */
export function makeBoot(ctx: Context, user: CurrentUser | null, answers: Boot['answers'], languages = ''): Boot {
  const { config } = ctx
  return {
    brand: ctx.brand,
    user,
    answers,
    askedFor: null,
    isProduction: config.isProduction,
    region: user?.preferences.region ?? regionOf(languages),
    openIdName: config.oidc?.name ?? null,
    map: {
      tileUrl: config.map.tileUrl ?? null,
      pmtilesUrl: tileArchiveUrl(config),
    },
  }
}
