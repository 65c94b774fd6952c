import type { Boot } from '../../contracts/boot.ts'
import { textPages } from '../../contracts/text-pages.ts'
import type { Prerender } from './prerender.ts'

/** Pages that say the same to every visitor. */
const publicPages = new Set(['/landing', ...textPages])

/** Where a visitor meets something else than the screen to sign in, which is not drawn ahead: it asks for more, or depends on the device. */
const notDrawn = /^\/($|auth|signup|onboarding|business\/register|moderation-log|taste\/|dev\/|sign-out|offline\/|api\/)/

/** For what is drawn once for everybody, and for what is drawn each time. In milliseconds. */
const patience = { once: 3000, each: 250 }

/** What `/landing` and the others look like does not change while the process lives; the first visitor waits for it a moment longer. */
export function createFirstHtml(prerender: Prerender, brandSlug: string) {
  const ofVisitors = new Map<string, string>()
  /**
   * The screen to sign in is the same at every address but for what was asked for, which it says once its code is there. An address that
   * asks for nothing.
   */
  const standIn = '/somewhere'

  async function forVisitors(path: string, boot: Boot): Promise<string> {
    const page = publicPages.has(path) || path === `/${brandSlug}` ? path : notDrawn.test(path) ? null : standIn
    if (page === null) return ''
    const known = ofVisitors.get(page)
    if (known) return known
    const html = asFirstHtml(await prerender.render(page, { ...boot, answers: [] }, patience.once))
    if (html) ofVisitors.set(page, html)
    return html
  }

  /** Members: where the page came with the answers that fill it. */
  async function forMembers(url: URL, boot: Boot): Promise<string> {
    const isFilled = boot.answers.length > 0 && (url.pathname === '/discover' || url.pathname.startsWith('/business/'))
    const isAt =
      boot.user?.hasCompletedOnboarding &&
      boot.user.suspendedUntil === null &&
      boot.user.leavesAt === null &&
      boot.user.secondFactor !== 'owed'
    if (!isFilled || !isAt) return ''
    return asFirstHtml(await prerender.render(url.pathname + url.search, boot, patience.each))
  }

  return {
    /** The screen at an address as HTML, or ''. */
    at: (url: URL, boot: Boot): Promise<string> => (boot.user ? forMembers(url, boot) : forVisitors(url.pathname, boot)),
    /** So that not even the first one waits for the code that draws. */
    warmUp: (boot: Boot): Promise<string> => forVisitors('/landing', boot),
  }
}

/**
 * Styles on elements are refused by the content security policy. They are few, and come with the browser's own drawing. And until the app
 * is there no button sends a form: the browser would put what was typed, a password even, into the address. Forms that say where they go,
 * as those of the search do, have no button and are sent by the Enter key.
 */
const asFirstHtml = (html: string): string => html.replace(/ style="[^"]*"/g, '').replaceAll(' type="submit"', ' type="button"')
