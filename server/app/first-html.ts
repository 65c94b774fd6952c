import { LRUCache } from 'lru-cache'
import type { Boot } from '#contracts/boot.ts'
import { textPages } from '#contracts/text-pages.ts'
import type { Prerender } from './prerender.ts'

const publicPages = new Set(['/landing', ...textPages])

/** Visitors' pages other than the sign-in screen that aren't prerendered, because they need more data or depend on the device. */
const notDrawn = /^\/($|auth|signup|onboarding|business\/register|moderation-log|taste\/|dev\/|sign-out|offline\/|api\/)/

/** Time limits in ms for pages rendered once for everyone, and for those rendered per request. */
const patience = { once: 3000, each: 250 }

/** A screen's HTML and the time it was rendered at, which hydration must use as well. */
type FirstHtml = { html: string; now: number | null }

const maxCachedChars = 8_000_000
const sizeCalculation = ({ html }: FirstHtml, key: string) => html.length + key.length

/** `/landing` and other public pages are cached for the life of the process, so their first visitor may wait a little longer. */
export function createFirstHtml(prerender: Prerender, brandSlug: string) {
  /** There are few public pages, but clients can invent any number of other paths and regions. */
  const ofVisitors = {
    public: new Map<string, FirstHtml>(),
    others: new LRUCache<string, FirstHtml>({ max: 200, maxSize: maxCachedChars, sizeCalculation }),
  }

  /** On all other pages visitors get the sign-in screen, which names the page. */
  async function forVisitors({ pathname, search }: URL, boot: Boot): Promise<FirstHtml> {
    const isPublic = publicPages.has(pathname) || pathname === `/${brandSlug}`
    if (!isPublic && notDrawn.test(pathname)) return { html: '', now: boot.now }
    const href = isPublic ? pathname : pathname + search
    const key = `${boot.region} ${href}`
    const drawn = isPublic && boot.region === 'US' ? ofVisitors.public : ofVisitors.others
    const known = drawn.get(key)
    if (known) return known
    const html = asFirstHtml(await prerender.render(href, { ...boot, answers: [] }, isPublic ? patience.once : patience.each))
    const first = { html, now: boot.now }
    if (html) drawn.set(key, first)
    return first
  }

  /** Prerenders for members only if the page's data came with it. */
  async function forMembers(url: URL, boot: Boot): Promise<FirstHtml> {
    const isFilled = boot.answers.length > 0 && (url.pathname === '/discover' || url.pathname.startsWith('/business/'))
    const isAt =
      boot.user?.hasCompletedOnboarding &&
      boot.user.suspendedUntil === null &&
      boot.user.leavesAt === null &&
      boot.user.secondFactor !== 'owed'
    if (!isFilled || !isAt) return { html: '', now: boot.now }
    return { html: asFirstHtml(await prerender.render(url.pathname + url.search, boot, patience.each)), now: boot.now }
  }

  return {
    at: (url: URL, boot: Boot): Promise<FirstHtml> => (boot.user ? forMembers(url, boot) : forVisitors(url, boot)),
    /** Loads the rendering code before the first request. */
    warmUp: (boot: Boot): Promise<FirstHtml> => forVisitors(new URL('/landing', 'http://localhost'), boot),
  }
}

/**
 * The content security policy refuses style attributes in HTML, so `web/start.ts` sets them. Until hydration, submit buttons are plain
 * buttons, because the browser would otherwise put form data, even a password, into the URL. `web/lib/take-over.ts` restores them.
 * Forms with their own action, like search, have no button and submit with Enter.
 */
const asFirstHtml = (html: string): string =>
  html.replaceAll(' style="', ' data-style="').replaceAll(' type="submit"', ' type="button" data-submit=""')
