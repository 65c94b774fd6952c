import type { VisitSource } from '../../contracts/insights.ts'

type Place = { pathname: string; search: Record<string, unknown> }

/**
 * Where somebody who opens a business's page comes from: the page of ours they were on, or else the word that a link from outside carries
 * (`?from=embed`).
 */
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

/** The address that the browser opened, before the router made it its own. */
export const openedAddress = (): string => performance.getEntriesByType('navigation')[0]?.name ?? ''
