import type { Target } from './measure.ts'

/** What is measured, on one dataset: the shipped directory and the demo content. */
export type BenchRoute = {
  name: string
  target: (sample: Sample) => Target
  leastRatio: number | null
  /** What it is held against: the bare server, or the bare server after the check of the session (see floor.ts). */
  floor?: 'session' | 'shared-session'
}

/** Ids and names that the dataset gives. */
export type Sample = { businessSlug: string; shopSlug: string; personId: string; postId: string; likeable: string[]; feedCursor: string }

const at =
  (path: (sample: Sample) => string): BenchRoute['target'] =>
  (sample) => ({ path: path(sample) })

/** All of them as somebody who is signed in. */
export const benchRoutes: BenchRoute[] = [
  { name: 'current user', target: at(() => '/api/auth/user'), leastRatio: 0.18 },
  { name: 'business list of 20', target: at(() => '/api/businesses'), leastRatio: 0.2 },
  { name: 'business list near Denver', target: at(() => '/api/businesses?q=Denver'), leastRatio: null },
  { name: 'business page', target: at(({ businessSlug }) => `/api/businesses/${businessSlug}`), leastRatio: 0.25 },
  { name: 'business status', target: at(({ businessSlug }) => `/api/businesses/${businessSlug}/status`), leastRatio: null },
  { name: 'business posts', target: at(({ shopSlug }) => `/api/businesses/${shopSlug}/posts`), leastRatio: null },
  { name: 'favorites of 20', target: at(() => '/api/favorites'), leastRatio: null },
  { name: 'feed of 20 (floor with session)', target: at(() => '/api/feed'), leastRatio: 0.12, floor: 'session' },
  { name: 'feed of 20 (floor with our session check)', target: at(() => '/api/feed'), leastRatio: null, floor: 'shared-session' },
  { name: 'feed, second page', target: at(({ feedCursor }) => `/api/feed?cursor=${feedCursor}`), leastRatio: null },
  { name: 'post page', target: at(({ postId }) => `/api/posts/${postId}`), leastRatio: null },
  { name: 'comments of a post', target: at(({ postId }) => `/api/posts/${postId}/comments`), leastRatio: null },
  { name: 'person', target: at(({ personId }) => `/api/people/${personId}`), leastRatio: null },
  { name: 'notifications of 20', target: at(() => '/api/notifications'), leastRatio: null },
  { name: 'unread count', target: at(() => '/api/notifications/unread-count'), leastRatio: null },
  // Last, because the notifications that follow are told while it runs.
  {
    name: 'like and unlike (writes)',
    target: ({ likeable }) => ({ toggled: likeable.map((id) => `/api/posts/${id}/like`) }),
    leastRatio: null,
  },
]
