import type { Target } from './measure.ts'

/** Measured routes, on one dataset: the shipped directory and the demo content. */
export type BenchRoute = {
  name: string
  target: (sample: Sample) => Target
  minRatio: number | null
  /** The baseline: the bare server, or the bare server after checking the session (see floor.ts). */
  floor?: 'session' | 'shared-session'
  /** Request as the member instead of the demo's consumer. */
  asMember?: true
}

export type Sample = { businessSlug: string; shopSlug: string; personId: string; postId: string; likeable: string[]; feedCursor: string }

const at =
  (path: (sample: Sample) => string): BenchRoute['target'] =>
  (sample) => ({ path: path(sample) })

export const benchRoutes: BenchRoute[] = [
  { name: 'current user', target: at(() => '/api/auth/user'), minRatio: 0.18 },
  { name: 'business list of 20', target: at(() => '/api/businesses'), minRatio: 0.2 },
  { name: 'business list near Denver', target: at(() => '/api/businesses?q=Denver'), minRatio: null },
  { name: 'business page', target: at(({ businessSlug }) => `/api/businesses/${businessSlug}`), minRatio: 0.25 },
  { name: 'business status', target: at(({ businessSlug }) => `/api/businesses/${businessSlug}/status`), minRatio: 0.8, floor: 'session' },
  { name: 'business posts', target: at(({ shopSlug }) => `/api/businesses/${shopSlug}/posts`), minRatio: 0.5, floor: 'session' },
  { name: 'favorites of 20', target: at(() => '/api/favorites'), minRatio: 0.6, floor: 'session', asMember: true },
  { name: 'feed of 20 (floor with session)', target: at(() => '/api/feed'), minRatio: 0.5, floor: 'session' },
  { name: 'feed of 20 (floor with our session check)', target: at(() => '/api/feed'), minRatio: null, floor: 'shared-session' },
  { name: 'feed, second page', target: at(({ feedCursor }) => `/api/feed?cursor=${feedCursor}`), minRatio: 0.5, floor: 'session' },
  { name: 'post page', target: at(({ postId }) => `/api/posts/${postId}`), minRatio: 0.7, floor: 'session' },
  { name: 'comments of a post', target: at(({ postId }) => `/api/posts/${postId}/comments`), minRatio: 0.6, floor: 'session' },
  { name: 'person', target: at(({ personId }) => `/api/people/${personId}`), minRatio: 0.8, floor: 'session' },
  { name: 'notifications of 20', target: at(() => '/api/notifications'), minRatio: 0.5, floor: 'session' },
  { name: 'unread count', target: at(() => '/api/notifications/unread-count'), minRatio: 0.8, floor: 'session' },
  // Last, because its notifications are sent while it runs.
  {
    name: 'like and unlike (writes)',
    target: ({ likeable }) => ({ toggled: likeable.map((id) => `/api/posts/${id}/like`) }),
    minRatio: null,
  },
]
