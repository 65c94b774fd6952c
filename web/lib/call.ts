import { infiniteQueryOptions, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import { nextPage } from '#contracts/addresses.ts'
import type { Call, Endpoint, InputOf, ResponseOf } from '#contracts/endpoint.ts'
import { addressOf, type Input, queryKey } from './address.ts'
import { ApiError } from './api-error.ts'
import { boot } from './boot.ts'

export { queryKey }

type Options = {
  signal?: AbortSignal | undefined
  idempotencyKey?: string
  /** The account the call is meant for: rejected (401) if someone else has signed in since. */
  account?: string | null
}

export type ListPage<Item> = { items: Item[]; next: string | null }

/**
 * Makes a declared call.
 * @throws ApiError for every error response; TypeError if there was no response
 */
export async function call<C extends Call>(endpoint: C, input: InputOf<C>, options: Options = {}): Promise<ResponseOf<C>> {
  const url = addressOf(endpoint, input)
  const first = endpoint.method === 'GET' ? takeFirstAnswer(url) : undefined
  if (first) return first.body as ResponseOf<C>
  const response = await send(endpoint.method, url, (input as Input).body, options)
  return (response.status === 204 ? undefined : await response.json()) as ResponseOf<C>
}

/** Fetches one page of a list: the first, or the one at the previous page's `next` URL. */
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

/** Sends raw bytes. @throws like `call` */
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
  const response = await fetch(url, {
    method,
    credentials: 'same-origin',
    headers: {
      // The specification requires a content type only if there is a body.
      ...(body === undefined ? {} : { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
      ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
      ...(options.account ? { 'expected-account': options.account } : {}),
    },
    ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  })
  if (response.ok) return response
  throw new ApiError(
    { status: response.status, statusText: response.statusText, retryAfter: response.headers.get('retry-after') },
    await response.text(),
  )
}

/** Responses embedded in the page are used once; the next call to the same URL goes to the server. */
const firstAnswers = new Map(boot.answers.map((answer) => [answer.url, answer]))
function takeFirstAnswer(url: string) {
  const answer = firstAnswers.get(url)
  firstAnswers.delete(url)
  return answer
}

/** A query that makes a call. */
export const callOptions = <C extends Call>(endpoint: C, input: InputOf<C>) =>
  queryOptions({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })

/** A query for the pages of a list. */
export const pagesOptions = <C extends Call>(endpoint: C, input: InputOf<C>) =>
  infiniteQueryOptions({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ pageParam, signal }) => callPage(endpoint, input, pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

/** Marks all responses of these calls as stale, for any input, and refetches those on screen. */
export async function refreshCalls(client: QueryClient, endpoints: readonly Pick<Call, 'path'>[]): Promise<void> {
  await Promise.all(endpoints.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
}

/** Marks these calls as stale, to be refetched when they are next shown. */
export function expireCalls(client: QueryClient, endpoints: readonly Pick<Call, 'path'>[]): void {
  for (const { path } of endpoints) {
    // A response that is already on its way, such as a loader's, would be taken for a newer one.
    void client.cancelQueries({ queryKey: [path], type: 'inactive' })
    void client.invalidateQueries({ queryKey: [path], refetchType: 'none' })
  }
}

/** Changes cached responses of calls without making them look newer, so that stale ones are still refetched. */
export function changeCached<Data>(client: QueryClient, queryKey: QueryKey, change: (data: Data) => Data): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const { isInvalidated, dataUpdatedAt: updatedAt } = query.state
    client.setQueryData<Data>(query.queryKey, (data) => data && change(data), { updatedAt })
    if (isInvalidated) query.invalidate()
  }
}
