import {
  type InfiniteData,
  infiniteQueryOptions,
  notifyManager,
  type QueryClient,
  type QueryFilters,
  queryOptions,
} from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import { nextPage } from '#contracts/addresses.ts'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import type { Call, Endpoint, InputOf, ResponseOf } from '#contracts/endpoint.ts'
import { ApiError } from './api-error.ts'
import { boot } from './boot.ts'
import { queryClient } from './query-client.ts'

type Options = {
  signal?: AbortSignal | undefined
  idempotencyKey?: string
  /** The server rejects a write (401) if someone else has signed in since. By default, the account whose page this is. */
  account?: string | null
  /** The request continues when the page closes. Browsers limit its body to 64 KB. */
  keepalive?: boolean
}

export type ListPage<Item> = { items: Item[]; next: string | null }

/** @throws ApiError for every error response; TypeError if there was no response */
export async function call<C extends Call>(endpoint: C, input: InputOf<C>, options: Options = {}): Promise<ResponseOf<C>> {
  const url = addressOf(endpoint, input)
  const first = endpoint.method === 'GET' ? takeFirstAnswer(url) : undefined
  if (first) return first.body as ResponseOf<C>
  const response = await send(endpoint.method, url, (input as Input).body, options)
  return (response.status === 204 ? undefined : await response.json()) as ResponseOf<C>
}

/** Fetches the first page, or the one at the previous page's `next` URL. */
export async function callPage<C extends Call>(
  endpoint: C,
  input: InputOf<C>,
  next: string | null,
  options: Options = {},
): Promise<ListPage<ResponseOf<C> extends readonly (infer Item)[] ? Item : never>> {
  const url = next ?? addressOf(endpoint, input)
  const first = takeFirstAnswer(url)
  if (first) return { items: first.body as never, next: first.next }
  const response = await send('GET', url, undefined, options)
  return { items: (await response.json()) as never, next: nextPage(response.headers.get('link')) }
}

/** Fetches a whole list. `fetchPage` gets the URL of the next page, or null for the first. */
export async function everyPage<Item>(fetchPage: (next: string | null) => Promise<ListPage<Item>>): Promise<Item[]> {
  const all: Item[] = []
  for (let next: string | null = null; ; ) {
    const page = await fetchPage(next)
    all.push(...page.items)
    next = page.next
    if (next === null) return all
  }
}

/** @throws like `call` */
export async function callBytes<C extends Call<Endpoint & { receives: 'bytes' }>>(
  endpoint: C,
  input: InputOf<C>,
  bytes: Blob,
  options: Options = {},
): Promise<ResponseOf<C>> {
  const response = await send(endpoint.method, addressOf(endpoint, input), bytes, options)
  return (await response.json()) as ResponseOf<C>
}

async function send(method: string, url: string, body: unknown, options: Options): Promise<Response> {
  const isBytes = body instanceof Blob
  const account = options.account ?? (method === 'GET' ? null : queryClient.getQueryData<CurrentUser | null>([getCurrentUser.path])?.id)
  const response = await fetch(url, {
    method,
    credentials: 'same-origin',
    headers: {
      // The specification requires a content type only if the request has a body.
      ...(body === undefined ? {} : { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
      ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
      ...(account ? { 'expected-account': account } : {}),
    },
    ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.keepalive ? { keepalive: true } : {}),
  })
  if (response.ok) {
    if (method !== 'GET') rememberWrite()
    return response
  }
  const error = new ApiError(
    { status: response.status, statusText: response.statusText, retryAfter: response.headers.get('retry-after') },
    await response.text(),
  )
  // Writes that name their account are retried automatically.
  if (error.code === 'other_account' && !options.account) dispatchEvent(new Event(otherAccount))
  throw error
}

/** A window event: a write was refused because someone else is signed in now. */
export const otherAccount = 'other-account'

const writtenAt = 'written-at'

function rememberWrite(): void {
  try {
    sessionStorage.setItem(writtenAt, String(Date.now()))
  } catch {
    // The browser blocks storage.
  }
}

/**
 * True if a write of the previous page ended after this page began to load, as when people save and reload. The responses embedded in this
 * page may predate that write.
 */
function areAnswersOutdated(): boolean {
  try {
    return Number(sessionStorage.getItem(writtenAt)) > performance.timeOrigin
  } catch {
    return false
  }
}

/** The responses embedded in the page. Each is used once; later calls to the same URL go to the server. */
const firstAnswers = new Map(areAnswersOutdated() ? [] : boot.answers.map((answer) => [answer.url, answer]))
function takeFirstAnswer(url: string) {
  const answer = firstAnswers.get(url)
  firstAnswers.delete(url)
  return answer
}

export const callOptions = <C extends Call>(endpoint: C, input: InputOf<C>) =>
  queryOptions({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })

export const pagesOptions = <C extends Call>(endpoint: C, input: InputOf<C>) =>
  infiniteQueryOptions({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ pageParam, signal }) => callPage(endpoint, input, pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

/** Refetches responses on screen and marks others as stale, for all inputs. */
export async function refreshCalls(client: QueryClient, endpoints: readonly Pick<Call, 'path'>[]): Promise<void> {
  await Promise.all(endpoints.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
}

/** Marks responses as stale, so they are refetched when next shown, for all inputs. */
export function expireCalls(client: QueryClient, endpoints: readonly Pick<Call, 'path'>[]): void {
  for (const { path } of endpoints) {
    // A response in flight, such as a loader's, would look newer than it is, so cancel it.
    void client.cancelQueries({ queryKey: [path], type: 'inactive' })
    void client.invalidateQueries({ queryKey: [path], refetchType: 'none' })
  }
}

/**
 * Changes cached responses without making them look newer, so stale ones are still refetched. Responses in flight may predate the change,
 * and a list's next page restores its earlier pages as they were, so `change` is repeated when a response arrives.
 *
 * @param change must be idempotent
 */
export function changeCached<Data>(client: QueryClient, filters: QueryFilters, change: (data: Data) => Data): void {
  notifyManager.batch(() => {
    for (const query of client.getQueryCache().findAll(filters)) {
      const apply = () => {
        const { isInvalidated, dataUpdatedAt: updatedAt } = query.state
        client.setQueryData<Data>(query.queryKey, (data) => data && change(data), { updatedAt })
        if (isInvalidated) query.invalidate()
      }
      apply()
      // Don't repeat the change if the fetch fails or is canceled, because then the data remains as changed above.
      if (query.state.fetchStatus !== 'idle') void query.promise?.then(apply, () => undefined)
    }
  })
}

/** Like {@link changeCached}, for lists of `pagesOptions`. */
export const changeItems = <Item>(client: QueryClient, filters: QueryFilters, change: (items: Item[]) => Item[]): void =>
  changeCached<InfiniteData<ListPage<Item>>>(client, filters, (data) => ({
    ...data,
    pages: data.pages.map((page) => ({ ...page, items: change(page.items) })),
  }))

export type Input = { params?: unknown; query?: unknown; body?: unknown }

export function addressOf(endpoint: Pick<Call, 'path'>, input: Input): string {
  const params = (input.params ?? {}) as Record<string, string>
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

/** All calls of an endpoint share its path as a prefix, so they can be invalidated together. */
export const queryKey = (endpoint: Pick<Call, 'path'>, input: Input = {}) => [endpoint.path, input.params ?? {}, input.query ?? {}] as const
