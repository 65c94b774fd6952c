import { hashKey, type InfiniteData, type QueryKey, replaceEqualDeep } from '@tanstack/react-query'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { ListPage } from '#web/lib/call.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { createListeners } from '#web/lib/store.ts'
import { cacheAnswer, dropAnswer, readAnswer, readAnswersOf } from './cached-answers.ts'
import { connectivity, isUnreachableError } from './reach.ts'
import { whenCaching } from './shell.ts'

/** In milliseconds. After that, shows the cached response while the request continues. */
const networkTimeoutMs = 3_000

type AnyQuery = { queryKey: QueryKey; queryFn?: unknown }
type Fetch = (context: { pageParam?: unknown }) => Promise<unknown>

/** When cached responses on screen were read, by query hash. */
const cachedSince = new Map<string, number>()
const { notify, subscribe } = createListeners()

/**
 * Makes a query work offline: `cacheOffline(queryOptions({…}))`, also for infinite queries. Network first; after three seconds, or if the
 * server can't be reached, falls back to this account's last response stored on the device. Refetches once the server is reachable again.
 */
export function cacheOffline<Options extends AnyQuery>(options: Options): Options {
  const fetch = options.queryFn as Fetch
  return {
    ...options,
    queryFn: (context: { pageParam?: unknown }) => networkFirst(options.queryKey, context.pageParam, () => fetch(context)),
  }
}

async function networkFirst(queryKey: QueryKey, pageParam: unknown, fetch: () => Promise<unknown>): Promise<unknown> {
  const account = signedIn()
  if (!account) return fetch()
  const hash = hashKey(queryKey)
  const key = pageParam === undefined || pageParam === null ? hash : hashKey([queryKey, pageParam])

  let isAnswered = false
  let shown: { data: unknown } | null = null
  const fetching = fetch().then(
    (data) => {
      isAnswered = true
      const readAt = Date.now()
      whenCaching(account, () => void cacheAnswer(account, key, data, readAt).catch(() => undefined))
      if (shown) void replaceShown({ queryKey, pageParam, cached: shown.data, data })
      else setCachedSince(hash, null)
      connectivity.set('online')
      return { data }
    },
    async (error: unknown) => {
      isAnswered = true
      if (isUnreachableError(error)) {
        connectivity.set('offline')
        const cached = await read(account, key)
        if (cached) return show(hash, cached)
      }
      if (error instanceof ApiError && (error.status === 404 || error.status === 403)) await dropAnswer(account, key).catch(() => undefined)
      throw error
    },
  )
  const patience = connectivity.get() === 'offline' ? 0 : networkTimeoutMs
  const cachedAfterTimeout = new Promise<{ data: unknown }>((resolve) => {
    setTimeout(async () => {
      const cached = await read(account, key)
      if (!cached || isAnswered) return
      shown = cached
      resolve(show(hash, cached))
    }, patience)
  })
  return (await Promise.race([fetching, cachedAfterTimeout])).data
}

type LateAnswer = { queryKey: QueryKey; pageParam: unknown; cached: unknown; data: unknown }

/**
 * Shows a late response instead of the cached one. A refetch would be just as slow and show the cached response again, without end, so
 * this refetches only if something else is on screen by now, such as the result of a write.
 */
async function replaceShown({ queryKey, ...late }: LateAnswer): Promise<void> {
  const hash = hashKey(queryKey)
  const query = queryClient.getQueryCache().get(hash)
  // A fetch that ends later, such as one for the list's next page, would put the cached page back.
  if (query?.state.fetchStatus === 'fetching') await query.promise?.catch(() => undefined)
  const state = queryClient.getQueryState(queryKey)
  // Skip outdated data, which is refetched once it is shown, and errors, because the person decides when to retry.
  if (state?.status !== 'success' || state.isInvalidated) return
  const next = withLate(state.data, late)
  if (next === undefined) return queryClient.invalidateQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, next)
  setCachedSince(hash, null)
}

const isSame = (before: unknown, after: unknown): boolean => replaceEqualDeep(before, after) === before

/** @returns undefined if the cached response isn't on screen, or the next page doesn't follow the late one */
function withLate(shown: unknown, { pageParam, cached, data }: Omit<LateAnswer, 'queryKey'>): unknown {
  if (pageParam === undefined) return isSame(shown, cached) ? data : undefined
  const { pages, pageParams } = shown as InfiniteData<ListPage<unknown>>
  const at = pageParams.indexOf(pageParam)
  const follows = at + 1 === pages.length || pageParams[at + 1] === (data as ListPage<unknown>).next
  if (at === -1 || !isSame(pages[at], cached) || !follows) return undefined
  return { pageParams, pages: pages.map((page, each) => (each === at ? data : page)) }
}

/** Cached responses of the path for all inputs, for the current account only. */
export async function cachedOf(path: string): Promise<unknown[]> {
  const account = signedIn()
  return account ? readAnswersOf(account, path).catch(() => []) : []
}

const signedIn = () => queryClient.getQueryData<{ id: string } | null>([getCurrentUser.path])?.id

const read = (account: string, key: string) => readAnswer(account, key).catch(() => null)

function show(hash: string, { data, readAt }: { data: unknown; readAt: number }): { data: unknown } {
  setCachedSince(hash, readAt)
  return { data }
}

function setCachedSince(hash: string, readAt: number | null): void {
  const before = cachedSince.get(hash)
  if ((before ?? null) === readAt) return
  if (readAt === null) cachedSince.delete(hash)
  // If the query has several pages, the oldest one counts.
  else cachedSince.set(hash, Math.min(before ?? readAt, readAt))
  notify()
}

export async function refreshCached(): Promise<void> {
  const hashes = new Set(cachedSince.keys())
  await queryClient.invalidateQueries({ predicate: ({ queryHash }) => hashes.has(queryHash) })
}

/** True if the screen shows a stored response of a call whose path begins with one of these. */
export const isShowingCached = (paths: readonly string[]): boolean =>
  queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .some(({ queryHash, queryKey: [path] }) => cachedSince.has(queryHash) && paths.some((each) => String(path).startsWith(each)))

/** Null if everything on screen is fresh. */
export function oldestShown(): number | null {
  const cache = queryClient.getQueryCache()
  const times = [...cachedSince].filter(([hash]) => cache.get(hash)?.isActive()).map(([, readAt]) => readAt)
  return times.length > 0 ? Math.min(...times) : null
}

export const cachedSinceStore = { get: oldestShown, subscribe }
