/** What is measured, on one dataset: the shipped directory and the demo content. */
export type BenchRoute = { name: string; path: (sample: Sample) => string; signedIn: boolean; target: number | null }

/** Ids and names that the dataset gives. */
export type Sample = { businessSlug: string }

export const benchRoutes: BenchRoute[] = [
  { name: 'current user', path: () => '/api/auth/user', signedIn: true, target: 0.18 },
  { name: 'business list of 20', path: () => '/api/businesses', signedIn: true, target: 0.2 },
  { name: 'business list near Denver', path: () => '/api/businesses?q=Denver', signedIn: true, target: null },
  { name: 'business page', path: ({ businessSlug }) => `/api/businesses/${businessSlug}`, signedIn: true, target: 0.25 },
  { name: 'favorites of 20', path: () => '/api/favorites', signedIn: true, target: null },
  { name: 'business status', path: ({ businessSlug }) => `/api/businesses/${businessSlug}/status`, signedIn: true, target: null },
]
