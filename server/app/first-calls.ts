import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CurrentUser } from '#contracts/accounts.ts'
import { nextPage } from '#contracts/addresses.ts'
import type { Boot } from '#contracts/boot.ts'
import type { Business, MyBusiness } from '#contracts/businesses.ts'
import { homeRadiusMiles } from '#contracts/limits.ts'
import { AppError } from '#server/kernel/errors.ts'
import { innerCall } from '#server/kernel/rate-limit.ts'

/** The maximum size of all of a page's responses, in bytes of JSON. The page makes any other calls itself. */
export const maxAnswerBytes = 128 * 1024

type ScreenParams = { user: CurrentUser; id: string; query: URLSearchParams; near: string | null }
type Answer = Boot['answers'][number]

type FirstScreen = {
  /** The first group captures the ID. */
  path: RegExp
  /** The calls are right whatever the search parameters are. Without this, a page with search parameters gets no responses. */
  suitsAnySearch?: true
  /** Most important first. The page leaves out responses that no longer fit, but never the first one. */
  calls(params: ScreenParams): string[]
  /** Calls that depend on the response to the first one. */
  next?(first: Answer, params: ScreenParams): string[]
  /** Manifest keys of code that the screen loads separately but needs for what it shows first. */
  code?(first: Answer): string[]
}

/**
 * Responses included in a member's page, so its screen is complete when first drawn. The URLs must match the web app's exactly: see
 * `web/lib/call.ts` and the loader of the page's route.
 */
const screens: FirstScreen[] = [
  {
    path: /^\/$/,
    calls: ({ user, near }) => {
      const local = near ? `?${new URLSearchParams({ near })}` : ''
      return [
        '/api/feed',
        ...(user.userType === 'business' || user.runsBusiness ? ['/api/businesses/mine', '/api/messages/unread-count'] : []),
        '/api/activity',
        '/api/events?following=true&limit=3',
        `/api/trending${local}`,
        `/api/featured${local}`,
        '/api/favorites',
        ...(near ? [`/api/businesses?${placeQuery(near)}`] : []),
      ]
    },
    // Home fills a short feed with suggestions.
    next: ({ body }, { near }) =>
      (body as unknown[]).length < minFeedPosts ? [`/api/feed/suggestions${near ? `?${new URLSearchParams({ near })}` : ''}`] : [],
  },
  {
    path: /^\/discover$/,
    calls: ({ near }) => {
      const place = near ? placeQuery(near) : new URLSearchParams()
      // The number of businesses comes from the map's call, with an empty box.
      return [withQuery('/api/businesses', place), withQuery('/api/businesses/map', new URLSearchParams([...place, ['bbox', '0,0,0,0']]))]
    },
  },
  {
    path: /^\/business\/(?!register$)([a-z0-9-]+)$/,
    suitsAnySearch: true,
    calls: ({ id }) => [`/api/businesses/${id}`, `/api/businesses/${id}/page-extras`, `/api/businesses/${id}/events?limit=3`],
    next: ({ body }, { query }) => {
      const business = body as Business
      const address = `/api/businesses/${business.id}`
      return [
        `${address}/status`,
        ...(hasHours(business) ? [`${address}/locations`] : []),
        // Search parameters open another tab or narrow the menu, which takes other calls.
        ...(query.size === 0 && !business.closure ? [`${address}/products`] : []),
        ...(query.size === 0 && !business.closure && isMaintained(business) ? [`${address}/menu`] : []),
      ]
    },
    code: ({ body }) => [
      'screens/business/member-actions.tsx',
      ...(hasHours(body as Business) ? ['screens/business/location-details.tsx'] : []),
    ],
  },
  {
    path: /^\/post\/([0-9a-f-]{36})$/,
    suitsAnySearch: true,
    calls: ({ id }) => [`/api/posts/${id}`, `/api/posts/${id}/comments`],
  },
  {
    path: /^\/people\/([0-9a-f-]{36})$/,
    suitsAnySearch: true,
    calls: ({ id }) => [`/api/people/${id}`, `/api/people/${id}/posts`],
  },
  { path: /^\/profile$/, suitsAnySearch: true, calls: ({ user }) => [`/api/people/${user.id}/posts`] },
  { path: /^\/events\/([0-9a-f-]{36})$/, suitsAnySearch: true, calls: ({ id }) => [`/api/events/${id}`] },
  {
    path: /^\/product\/([0-9a-f-]{36})$/,
    calls: ({ id, near }) => [withQuery(`/api/products/${id}`, new URLSearchParams(near ? { near } : {}))],
  },
  {
    path: /^\/favorites$/,
    suitsAnySearch: true,
    calls: ({ query }) => [query.get('tab') === 'posts' ? '/api/saved-posts' : '/api/favorites'],
  },
  {
    path: /^\/notifications$/,
    suitsAnySearch: true,
    // Until its live connection opens, the page detects new notifications by the count, so the list must not be older than the count.
    calls: () => ['/api/notifications/unread-count'],
    next: () => ['/api/notifications'],
  },
  { path: /^\/communities$/, calls: () => ['/api/communities?limit=24&sort=featured', '/api/communities/categories'] },
  // The count determines which inbox opens.
  { path: /^\/messages$/, calls: () => ['/api/conversations', '/api/messages/unread-count'] },
  {
    path: /^\/messages\/([0-9a-f-]{36})$/,
    calls: ({ id }) => [
      `/api/conversations/${id}`,
      `/api/conversations/${id}/messages?limit=40`,
      '/api/conversations',
      '/api/messages/unread-count',
    ],
  },
  {
    path: /^\/pheno-hunt$/,
    calls: () => [
      '/api/pheno-hunts?limit=50',
      '/api/pheno-hunts/summary',
      '/api/pheno-hunts/activity?limit=10',
      '/api/kept-phenos?limit=100',
    ],
  },
  { path: /^\/pheno-hunt\/([0-9a-f-]{36})$/, calls: ({ id }) => [`/api/pheno-hunts/${id}`, `/api/pheno-hunts/${id}/genotypes`] },
  {
    path: /^\/business-dashboard$/,
    suitsAnySearch: true,
    calls: () => ['/api/businesses/mine'],
    next: (mine, params) => chosenBusiness(mine, params).map(({ id }) => `/api/businesses/${id}/plan`),
  },
  {
    path: /^\/business-dashboard\/menu$/,
    suitsAnySearch: true,
    calls: () => ['/api/businesses/mine'],
    next: (mine, params) =>
      chosenBusiness(mine, params).flatMap(({ id }) =>
        ['plan', 'menu-settings', 'menu-items?limit=100'].map((part) => `/api/businesses/${id}/${part}`),
      ),
  },
  { path: /^\/settings$/, suitsAnySearch: true, calls: () => ['/api/notification-preferences', '/api/message-settings'] },
]

/** With fewer posts than this, Home shows suggestions. */
const minFeedPosts = 5

const withQuery = (address: string, query: URLSearchParams): string => (query.size > 0 ? `${address}?${query}` : address)

/** Discover's initial search near a person's city. */
const placeQuery = (near: string) => new URLSearchParams({ near, radius: `${homeRadiusMiles}`, widen: 'true' })

const isMaintained = ({ isClaimed, isDemo }: Business): boolean => isClaimed || isDemo

/** A listing without an owner has hours only if members added them. Adding them also sets its time zone. */
const hasHours = (business: Business): boolean => !business.closure && (isMaintained(business) || business.timeZone !== null)

/**
 * The business that the dashboard opens, if the URL or the number of businesses determines it. If not, the browser's storage does.
 */
function chosenBusiness({ body }: Answer, { query }: ScreenParams): MyBusiness[] {
  const businesses = body as MyBusiness[]
  const wanted = query.get('business')
  return wanted === null
    ? businesses.length === 1
      ? businesses
      : []
    : businesses.filter(({ id, slug }) => wanted === id || wanted === slug)
}

type FirstAnswers = { answers: Answer[]; code: string[] }

/**
 * Makes these calls in process as the viewer, so every check applies. People who can't see the screen get only the first call of a public
 * business's page. The page makes failed calls itself.
 * @throws AppError too_many_requests, unavailable or internal from the first call, so the whole page fails with it
 */
export async function firstAnswers(
  app: FastifyInstance,
  request: FastifyRequest,
  { pathname, searchParams: query }: URL,
  user: CurrentUser | null,
): Promise<FirstAnswers> {
  const screen = screens.find(({ path }) => path.test(pathname))
  const id = screen?.path.exec(pathname)?.[1] ?? ''
  const ask = (url: string) => fetchAnswer(app, request, url)
  if (!screen || !user?.hasCompletedOnboarding) {
    const business = screen && pathname.startsWith('/business/') ? orThrow(await ask(`/api/businesses/${id}`)) : null
    return { answers: business ? [business.answer] : [], code: [] }
  }
  if (!screen.suitsAnySearch && query.size > 0) return { answers: [], code: [] }
  const params = { user, id, query, near: user.location && user.isLocationKnown ? user.location : null }
  const [firstCall = '', ...others] = screen.calls(params)
  const first = ask(firstCall).then(orThrow)
  const [fetched, ...rest] = await Promise.all([
    first,
    Promise.all(others.map(ask)),
    first.then((before) => Promise.all((before && screen.next?.(before.answer, params).map(ask)) ?? [])),
  ])
  return { answers: fetched ? selectFitting(fetched, rest.flat()) : [], code: (fetched && screen.code?.(fetched.answer)) ?? [] }
}

type FetchedAnswer = { answer: Answer; bytes: number }

/** Null if the response isn't usable. Returns an error for 429 and 5xx, which is thrown only for the first call. */
async function fetchAnswer(app: FastifyInstance, request: FastifyRequest, url: string): Promise<FetchedAnswer | AppError | null> {
  const response = await app.inject({
    url,
    headers: { ...innerCall, ...(request.headers.cookie ? { cookie: request.headers.cookie } : {}) },
    remoteAddress: request.ip,
  })
  const { statusCode } = response
  if (statusCode === 429 || statusCode >= 500) {
    const { 'retry-after': retryAfter } = response.headers
    const details = retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) }
    return new AppError(statusCode === 429 ? 'too_many_requests' : statusCode === 503 ? 'unavailable' : 'internal', details)
  }
  if (statusCode !== 200) return null
  const answer = { url, body: response.json() as unknown, next: nextPage(response.headers.link as string | undefined) }
  return { answer, bytes: response.rawPayload.length }
}

function orThrow(fetched: FetchedAnswer | AppError | null): FetchedAnswer | null {
  if (fetched instanceof AppError) throw fetched
  return fetched
}

function selectFitting(first: FetchedAnswer, others: readonly (FetchedAnswer | AppError | null)[]): Answer[] {
  let room = maxAnswerBytes - first.bytes
  const fitting = others.flatMap((fetched) => {
    if (fetched === null || fetched instanceof AppError || fetched.bytes > room) return []
    room -= fetched.bytes
    return [fetched.answer]
  })
  return [first.answer, ...fitting]
}
