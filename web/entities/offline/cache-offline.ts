import { hashKey, type QueryKey } from '@tanstack/react-query'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { createListeners } from '#web/lib/store.ts'
import { cacheAnswer, dropAnswer, readAnswer, readAnswersOf } from './cached-answers.ts'
import { isNoAnswer, reach } from './reach.ts'
import { whenKeeping } from './shell.ts'

/** After this long, the cached response is shown instead; the request continues. */
const patienceMs = 3_000

type AnyQuery = { queryKey: QueryKey; queryFn?: unknown }
type Fetch = (context: { pageParam?: unknown }) => Promise<unknown>

/** When cached responses on screen were read, by query hash. */
const cachedSince = new Map<string, number>()
const { notify, subscribe } = createListeners()

/**
 * Makes a query work offline: `cacheOffline(queryOptions({…}))`, also for infinite queries. Network first; after three seconds or on
 * failure, falls back to this account's last response stored on the device. Refetches once the server is reachable again.
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
  let isShown = false
  const fetching = fetch().then(
    (data) => {
      isAnswered = true
      const readAt = Date.now()
      whenKeeping(account, () => void cacheAnswer(account, key, data, readAt).catch(() => undefined))
      // Too late, because the stored response is on screen: refetch.
      if (isShown) void queryClient.invalidateQueries({ queryKey, exact: true })
      else setCachedSince(hash, null)
      reach.set('online')
      return { data }
    },
    async (error: unknown) => {
      isAnswered = true
      if (isNoAnswer(error)) {
        reach.set('offline')
        const cached = await read(account, key)
        if (cached) return show(hash, cached)
      }
      if (error instanceof ApiError && (error.status === 404 || error.status === 403)) await dropAnswer(account, key).catch(() => undefined)
      throw error
    },
  )
  const patience = reach.get() === 'offline' ? 0 : patienceMs
  const impatient = new Promise<{ data: unknown }>((resolve) => {
    setTimeout(async () => {
      const cached = await read(account, key)
      if (!cached || isAnswered) return
      isShown = true
      resolve(show(hash, cached))
    }, patience)
  })
  return (await Promise.race([fetching, impatient])).data
}

/** All stored responses of a path for the current account, regardless of input. */
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
  // For several pages, the oldest.
  else cachedSince.set(hash, Math.min(before ?? readAt, readAt))
  notify()
}

/** Refetches queries that show stored responses. */
export async function refreshCached(): Promise<void> {
  const hashes = new Set(cachedSince.keys())
  await queryClient.invalidateQueries({ predicate: ({ queryHash }) => hashes.has(queryHash) })
}

/** Age of the oldest stored response on screen; null if everything is fresh. */
export function oldestShown(): number | null {
  const cache = queryClient.getQueryCache()
  const times = [...cachedSince].filter(([hash]) => cache.get(hash)?.isActive()).map(([, readAt]) => readAt)
  return times.length > 0 ? Math.min(...times) : null
}

export const cachedSinceStore = { get: oldestShown, subscribe }
