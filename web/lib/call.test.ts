import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import { login } from '#contracts/calls/accounts.ts'
import { addFavorite, listFavorites, removeFavorite } from '#contracts/calls/favorites.ts'

vi.mock('./boot.ts', () => ({ boot: { user: null, answers: [] } }))

const { addressOf, call, otherAccount, queryKey } = await import('./call.ts')
const { currentUserOptions } = await import('./current-user.ts')
const { queryClient } = await import('./query-client.ts')

const fetched = vi.fn<typeof fetch>()
beforeEach(() => void vi.stubGlobal('fetch', fetched))
afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
})

const answer = (status: number, body = '{}') => void fetched.mockImplementation(async () => new Response(body, { status }))
const sent = () => fetched.mock.lastCall?.[1] as RequestInit & { headers: Record<string, string> }

test('sends the session cookie with every call', async () => {
  answer(200, '[]')
  await call(listFavorites, { query: {} })
  expect(sent().credentials).toBe('same-origin')
})

test('sends a JSON content type only with a body', async () => {
  answer(200)
  const businessId = '0192f0c1-2c3d-7e4f-8a9b-0c1d2e3f4a5b'
  await call(addFavorite, { body: { businessId } })
  expect(sent()).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ businessId }) })
  await call(removeFavorite, { params: { businessId } })
  expect(sent().method).toBe('DELETE')
  expect(sent().headers).toEqual({})
})

describe('on a signed-in person’s page', () => {
  const ann = { id: 'ann', preferences: { region: 'us' } } as unknown as CurrentUser
  beforeEach(() => void queryClient.setQueryData(currentUserOptions.queryKey, ann))
  afterEach(() => queryClient.clear())
  const businessId = '0192f0c1-2c3d-7e4f-8a9b-0c1d2e3f4a5b'

  test('sends writes only as the account whose page this is', async () => {
    answer(200, '[]')
    await call(addFavorite, { body: { businessId } })
    expect(sent().headers).toMatchObject({ 'expected-account': 'ann' })
    await call(removeFavorite, { params: { businessId } }, { account: 'author' })
    expect(sent().headers).toEqual({ 'expected-account': 'author' })
    await call(listFavorites, { query: {} })
    expect(sent().headers).toEqual({})
  })

  test('reports a write that was refused because someone else is signed in, unless it names its account', async () => {
    const events: string[] = []
    vi.stubGlobal('dispatchEvent', ({ type }: Event) => events.push(type))
    answer(401, '{"code":"other_account","message":"Someone else is signed in now."}')
    const remove = (options = {}) => expect(call(removeFavorite, { params: { businessId } }, options)).rejects.toThrow('401')
    await remove({ account: 'ann' })
    expect(events).toEqual([])
    await remove()
    expect(events).toEqual([otherAccount])
  })

  test('keeps the account until the page reloads if someone else signs in in another tab', async () => {
    answer(200, '{"id":"ben","preferences":{"region":"us"}}')
    expect(await askWho()).toEqual(ann)
    answer(200, '{"id":"ann","name":"Anna","preferences":{"region":"us"}}')
    expect(await askWho()).toMatchObject({ id: 'ann', name: 'Anna' })
    answer(401, '{"message":"Sign in first."}')
    expect(await askWho()).toBeNull()
  })
})

test('lets a call outlive the page only if `keepalive` is set', async () => {
  answer(200)
  const input = { params: { businessId: '0192f0c1-2c3d-7e4f-8a9b-0c1d2e3f4a5b' } }
  await call(removeFavorite, input)
  expect(sent().keepalive).toBeUndefined()
  await call(removeFavorite, input, { keepalive: true })
  expect(sent().keepalive).toBe(true)
})

test('uses the responses embedded in the page unless a write was confirmed after the page was requested', async () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  })
  const businessId = '0192f0c1-2c3d-7e4f-8a9b-0c1d2e3f4a5b'
  async function reload(requestedAt: number) {
    vi.resetModules()
    vi.doMock('./boot.ts', () => ({ boot: { user: null, answers: [{ url: '/api/favorites', body: ['of the page'], next: null }] } }))
    vi.stubGlobal('performance', { timeOrigin: requestedAt })
    return (await import('./call.ts')).callPage(listFavorites, {}, null)
  }
  answer(200, '["of the server"]')
  expect(await reload(Date.now())).toMatchObject({ items: ['of the page'] })
  await call(addFavorite, { body: { businessId } })
  expect(await reload(Date.now() - 1000)).toMatchObject({ items: ['of the server'] })
  expect(await reload(Date.now() + 1000)).toMatchObject({ items: ['of the page'] })
})

test.each([400, 401, 404, 500])('throws for a response of %i', async (status) => {
  answer(status, 'why')
  await expect(call(login, { body: { email: 'ann@example.com', password: 'x' } })).rejects.toThrow(`${status}: why`)
})

const askWho = () => (currentUserOptions.queryFn as (context: { signal: AbortSignal }) => Promise<unknown>)(new AbortController())

test('returns null if the current user’s call gets a 401, throws on other failures, and retries neither', async () => {
  answer(401, '{"message":"Sign in first."}')
  expect(await askWho()).toBeNull()
  expect(fetched).toHaveBeenCalledTimes(1)
  answer(500, 'broken')
  await expect(askWho()).rejects.toThrow('500: broken')
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('fills in parameters and omits missing values', () => {
  expect(
    addressOf({ path: '/api/businesses/:id/posts' }, { params: { id: 'green hills/é' }, query: { limit: 20, cursor: undefined } }),
  ).toBe('/api/businesses/green%20hills%2F%C3%A9/posts?limit=20')
  expect(addressOf({ path: '/api/businesses' }, { query: { q: '', near: 'Denver, CO', bbox: [1, 2, 3, 4], verified: true } })).toBe(
    '/api/businesses?near=Denver%2C+CO&bbox=1%2C2%2C3%2C4&verified=true',
  )
  expect(addressOf({ path: '/api/favorites' }, {})).toBe('/api/favorites')
})

test('uses a different key for the same call with other parameters', () => {
  expect(queryKey({ path: '/api/favorites' })).toEqual(['/api/favorites', {}, {}])
  expect(queryKey({ path: '/api/favorites' }, { query: { limit: 1 } })).not.toEqual(queryKey({ path: '/api/favorites' }))
})
