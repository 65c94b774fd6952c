import type { VisitSource } from '#contracts/insights.endpoints.ts'

type Place = { pathname: string; search: Record<string, unknown> }

/** From the previous page on this site, or the parameter of an external link (`?from=embed`). */
export function visitSource(before: Place | undefined, openedAt: string): VisitSource {
  if (before) {
    if (before.pathname === '/discover') return before.search.view === 'map' ? 'map' : 'search'
    if (before.pathname === '/search') return 'search'
    if (before.pathname === '/favorites') return 'favorites'
    if (before.pathname === '/' || before.pathname.startsWith('/post/')) return 'feed'
    return 'other'
  }
  const from = URL.canParse(openedAt) ? new URL(openedAt).searchParams.get('from') : null
  return from === 'embed' || from === 'share' ? from : 'other'
}

/** The address that opened the page, before the router normalized it. */
export const openedAddress = (): string => performance.getEntriesByType('navigation')[0]?.name ?? ''
