import { LRUCache } from 'lru-cache'
import type { Boot } from '../../contracts/boot.ts'
import { textPages } from '../../contracts/text-pages.ts'
import type { Prerender } from './prerender.ts'

/** Pages that say the same to every visitor. */
const publicPages = new Set(['/landing', ...textPages])

/** Where a visitor meets something else than the screen to sign in, which is not drawn ahead: it asks for more, or depends on the device. */
const notDrawn = /^\/($|auth|signup|onboarding|business\/register|moderation-log|taste\/|dev\/|sign-out|offline\/|api\/)/

/** For what is drawn once for everybody, and for what is drawn each time. In milliseconds. */
const patience = { once: 3000, each: 250 }

/** The HTML of a screen, and the moment that it was drawn for: the app must take that for now, too. */
type FirstHtml = { html: string; now: number | null }

const maxKeptChars = 8_000_000
const sizeCalculation = ({ html }: FirstHtml, key: string) => html.length + key.length

/** What `/landing` and the others look like does not change while the process lives; the first visitor waits for it a moment longer. */
export function createFirstHtml(prerender: Prerender, brandSlug: string) {
  /** Public pages are few; of other addresses, and of regions, there are as many as a client makes up. */
  const ofVisitors = {
    public: new Map<string, FirstHtml>(),
    others: new LRUCache<string, FirstHtml>({ max: 200, maxSize: maxKeptChars, sizeCalculation }),
  }

  /** At all other addresses than the public ones a visitor meets the screen to sign in, which says for what. */
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

  /** Members: where the page came with the answers that fill it. */
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
    /** The screen at an address as HTML, or ''. */
    at: (url: URL, boot: Boot): Promise<FirstHtml> => (boot.user ? forMembers(url, boot) : forVisitors(url, boot)),
    /** So that not even the first one waits for the code that draws. */
    warmUp: (boot: Boot): Promise<FirstHtml> => forVisitors(new URL('/landing', 'http://localhost'), boot),
  }
}

/**
 * The content security policy refuses styles on elements that come as text: `web/start.ts` sets them. And until the app is there no button
 * sends a form, since the browser would put what was typed, a password even, into the address; `web/lib/take-over.ts` makes them what they
 * are. Forms that say where they go, as those of the search do, have no button and are sent by the Enter key.
 */
const asFirstHtml = (html: string): string =>
  html.replaceAll(' style="', ' data-style="').replaceAll(' type="submit"', ' type="button" data-submit=""')
