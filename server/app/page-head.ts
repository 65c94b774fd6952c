import type { Brand } from '../../contracts/brand.ts'
import { businessTypeLabels } from '../../contracts/business-types.ts'
import type { Business } from '../../contracts/businesses.ts'
import { escapeHtml } from '../kernel/escape-html.ts'

/** JSON inside a script element: `<` would otherwise be able to end it. */
export const scriptJson = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c')

export type PageHead = { title: string; description: string; url: string; image: string | null; isIndexed: boolean }

/** Titles of the pages that everybody may read. All others carry the brand alone, so that a preview says nothing of a person. */
const publicTitles: Record<string, string> = {
  '/landing': 'Your brand. Your culture. Your network',
  '/help': 'Help center',
  '/guidelines': 'Community guidelines',
  '/rules': 'Rules for advertising, by place',
  '/resources': 'Business resources',
  '/contact': 'Contact us',
  '/privacy': 'Privacy policy',
  '/terms': 'Terms of service',
  '/data': 'Where the data comes from',
  '/moderation-log': 'Moderation log',
  '/auth': 'Sign in',
  '/signup': 'Sign up',
  '/business/register': 'Register your business',
}

export function pageHead(brand: Brand, publicUrl: string, path: string, business: Business | null): PageHead {
  const url = `${publicUrl}${path}`
  if (business) {
    const where = business.location ? ` in ${business.location}` : ''
    return {
      title: `${business.name}${where} · ${brand.name}`,
      description: business.description ?? `${businessTypeLabels[business.type]}${where}: license, place and reviews on ${brand.name}.`,
      url: `${publicUrl}/business/${business.slug}`,
      image: business.imageUrl && `${publicUrl}${business.imageUrl}`,
      isIndexed: !business.isDemo,
    }
  }
  const title = publicTitles[path]
  return {
    title: title ? `${title} · ${brand.name}` : `${brand.name} · ${brand.tagline}`,
    description: `${brand.tagline}. Find licensed cannabis businesses, with licenses checked in the open and a rank that cannot be bought.`,
    url,
    image: null,
    isIndexed: title !== undefined || path === '/',
  }
}

/** `data` is what search engines are told of it, in the words of schema.org. The block is not run, so the policy for scripts lets it be. */
export function renderHead(head: PageHead, data: object | null = null): string {
  const tags = [
    `<title>${escapeHtml(head.title)}</title>`,
    meta('name', 'description', head.description),
    `<link rel="canonical" href="${escapeHtml(head.url)}">`,
    meta('property', 'og:title', head.title),
    meta('property', 'og:description', head.description),
    meta('property', 'og:url', head.url),
    meta('property', 'og:type', 'website'),
    head.image ? meta('property', 'og:image', head.image) : '',
    head.isIndexed ? '' : meta('name', 'robots', 'noindex'),
    data ? `<script type="application/ld+json">${scriptJson(data)}</script>` : '',
  ]
  return tags.filter(Boolean).join('')
}

const meta = (kind: 'name' | 'property', name: string, content: string) => `<meta ${kind}="${name}" content="${escapeHtml(content)}">`
