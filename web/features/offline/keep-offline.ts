import { hashKey, type QueryKey } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-error.ts'
import { currentUserCall } from '../../lib/current-user-call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { dropAnswer, keepAnswer, readAnswer, readAnswersOf } from './kept-answers.ts'
import { isNoAnswer } from './no-answer.ts'
import { getReach, reportReach } from './reach.ts'
import { whenKeeping } from './shell.ts'

/** How long the network may take before what was read last is shown instead. It goes on being waited for. */
const patienceMs = 3_000

type AnyQuery = { queryKey: QueryKey; queryFn?: unknown }
type Fetch = (context: { pageParam?: unknown }) => Promise<unknown>

/** When what a query shows was read, where it did not come from the server just now. By the hash of the query's key. */
const keptSince = new Map<string, number>()
const listeners = new Set<() => void>()

/**
 * Lets a query be answered without a network: `keepOffline(queryOptions({…}))`, and infinite queries likewise. The network is asked first;
 * where it does not answer within three seconds, or not at all, the query gets what was read last on this device by the same account. What
 * was shown that way is read anew as soon as the server answers again.
 */
export function keepOffline<Options extends AnyQuery>(options: Options): Options {
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
      whenKeeping(account, () => void keepAnswer(account, key, data, readAt).catch(() => undefined))
      // Too late for this reading, which has shown what was kept: it is read once more.
      if (isShown) void queryClient.invalidateQueries({ queryKey, exact: true })
      else setKeptSince(hash, null)
      reportReach('online')
      return { data }
    },
    async (error: unknown) => {
      isAnswered = true
      if (isNoAnswer(error)) {
        reportReach('offline')
        const kept = await read(account, key)
        if (kept) return show(hash, kept)
      }
      if (error instanceof ApiError && (error.status === 404 || error.status === 403)) await dropAnswer(account, key).catch(() => undefined)
      throw error
    },
  )
  const patience = getReach() === 'offline' ? 0 : patienceMs
  const impatient = new Promise<{ data: unknown }>((resolve) => {
    setTimeout(async () => {
      const kept = await read(account, key)
      if (!kept || isAnswered) return
      isShown = true
      resolve(show(hash, kept))
    }, patience)
  })
  return (await Promise.race([fetching, impatient])).data
}

/** What is kept here of one address for whoever is signed in, whatever it was asked with. */
export async function keptOf(path: string): Promise<unknown[]> {
  const account = signedIn()
  return account ? readAnswersOf(account, path).catch(() => []) : []
}

const signedIn = () => queryClient.getQueryData<{ id: string } | null>([currentUserCall.path])?.id

/** A browser that lets nothing be kept has nothing to show. */
const read = (account: string, key: string) => readAnswer(account, key).catch(() => null)

function show(hash: string, { data, readAt }: { data: unknown; readAt: number }): { data: unknown } {
  setKeptSince(hash, readAt)
  return { data }
}

function setKeptSince(hash: string, readAt: number | null): void {
  const before = keptSince.get(hash)
  if ((before ?? null) === readAt) return
  if (readAt === null) keptSince.delete(hash)
  // Of several pages, the one that is oldest.
  else keptSince.set(hash, Math.min(before ?? readAt, readAt))
  for (const listener of listeners) listener()
}

/** Reads anew what is shown as it was kept. */
export async function refreshKept(): Promise<void> {
  const hashes = new Set(keptSince.keys())
  await queryClient.invalidateQueries({ predicate: ({ queryHash }) => hashes.has(queryHash) })
}

/** When the oldest was read of what the page shows at the moment without the server's word; null when all of it is fresh. */
export function oldestShown(): number | null {
  const cache = queryClient.getQueryCache()
  const times = [...keptSince].filter(([hash]) => cache.get(hash)?.isActive()).map(([, readAt]) => readAt)
  return times.length > 0 ? Math.min(...times) : null
}

export function onKept(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
