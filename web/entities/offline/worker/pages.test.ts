import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cacheAnswer, forgetViewer, getViewer, readAnswer, setViewer } from '#web/entities/offline/cached-answers.ts'
import { forgetOfflineDb, outboxDb, type Viewer } from '#web/entities/offline/offline-db.ts'

vi.stubGlobal('__BUILD__', { version: '1', files: [] })
const { isPage, openPage, withViewer } = await import('./pages.ts')

const viewer = { user: { id: 'a', displayName: 'Ivy </script>' }, theme: 'dark', isLightsOff: true } as unknown as Viewer
const html =
  '<!doctype html><html lang="en"><head><script id="boot" type="application/json">{"user":null,"answers":[]}</script></head></html>'

const cached = new Map<string, string>()
const network = vi.fn<(request: Request) => Promise<Response>>()

beforeEach(async () => {
  cached.clear()
  cached.set('/offline/shell', html).set('/offline/page', 'You’re offline')
  network.mockReset()
  const cache = { match: async (path: string) => (cached.has(path) ? new Response(cached.get(path)) : undefined) }
  vi.stubGlobal('caches', { open: async () => cache, keys: async () => ['shell-1'], delete: async () => cached.clear() })
  vi.stubGlobal('fetch', network)
  await setViewer(viewer)
  await cacheAnswer('a', 'hunts', ['private'])
})
afterEach(async () => {
  vi.useRealTimers()
  await forgetOfflineDb()
})

const unsubscribe = vi.fn(async () => true)
const pushManager = { getSubscription: async () => ({ unsubscribe }) as unknown as PushSubscription }
const open = (path: string) => openPage(new Request(`http://localhost${path}`), pushManager)
const page = (body: string, of: string, status = 200) => new Response(body, { status, headers: { 'page-viewer': of } })
const noNetwork = async () => {
  throw new TypeError('Failed to fetch')
}

describe('a screen about growing', () => {
  test('comes from the network if available', async () => {
    network.mockResolvedValue(page('from the server', 'a'))
    expect(await (await open('/pheno-hunt')).text()).toBe('from the server')
  })

  test('comes from the device when offline, with the account of the device’s owner', async () => {
    network.mockImplementation(noNetwork)
    const text = await (await open('/pheno-hunt/0190a1b2')).text()
    expect(text).toContain('data-shell data-theme="dark" data-lights="off"')
    expect(JSON.parse(/json">(.*?)<\/script>/.exec(text)![1]!)).toEqual({ user: viewer.user, answers: [] })
  })

  test('comes from the device if the network takes three seconds or only a proxy responds', async () => {
    network.mockReturnValue(new Promise(() => {}))
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const opening = open('/pheno-hunt')
    await vi.advanceTimersByTimeAsync(3000)
    vi.useRealTimers()
    expect(await (await opening).text()).toContain('data-shell')

    network.mockResolvedValue(new Response('Bad gateway', { status: 502 }))
    expect(await (await open('/pheno-hunt')).text()).toContain('data-shell')
  })

  test('shows that the device is offline if it has no owner', async () => {
    network.mockResolvedValue(page('signed out', 'none'))
    await open('/')
    network.mockImplementation(noNetwork)
    expect(await (await open('/pheno-hunt')).text()).toBe('You’re offline')
  })
})

describe('any other page', () => {
  beforeEach(() => {
    cached.set('/offline/page', '<!doctype html><html lang="en"><body>You’re offline</body></html>')
    network.mockImplementation(noNetwork)
  })

  test('shows that the device is offline, in the chosen theme', async () => {
    const text = await (await open('/favorites')).text()
    expect(text).toBe('<!doctype html><html lang="en" data-theme="dark" data-lights="off"><body>You’re offline</body></html>')
  })

  test('doesn’t mention hunts if the device has no owner', async () => {
    await setViewer({ ...viewer, theme: null, isLightsOff: false })
    expect(await (await open('/favorites')).text()).toContain('<html lang="en"><body>')
    await forgetViewer()
    expect(await (await open('/favorites')).text()).toContain('<html lang="en" data-no-viewer><body>')
  })
})

test('deletes cached data when the page belongs to someone else', async () => {
  network.mockResolvedValue(page('again', 'a'))
  await open('/discover')
  expect(await readAnswer('a', 'hunts')).not.toBeNull()
  network.mockResolvedValue(page('theirs', 'b'))
  await open('/discover')
  expect(await getViewer()).toBeNull()
  expect(await readAnswer('a', 'hunts')).toBeNull()
  await cacheAnswer('a', 'hunts', ['private'])
  expect(await readAnswer('a', 'hunts')).toBeNull()
})

describe('signing out', () => {
  const write = () => outboxDb.add({ id: 'w', account: 'a', photos: [] } as unknown as Parameters<typeof outboxDb.add>[0], new Map())
  beforeEach(() => {
    network.mockImplementation(async () => new Response('signed out'))
  })

  test('ends the session and leaves no data on the device', async () => {
    expect(await (await open('/api/logout')).text()).toBe('signed out')
    expect([await getViewer(), await readAnswer('a', 'hunts'), cached.size]).toEqual([null, null, 0])
    expect(unsubscribe, 'the next person here must not get this one’s pushes').toHaveBeenCalledTimes(1)
  })

  test('asks first if unsent entries are waiting', async () => {
    await write()
    const redirect = vi.spyOn(Response, 'redirect').mockReturnValue(new Response('asked'))
    expect(await (await open('/api/logout')).text()).toBe('asked')
    expect(redirect).toHaveBeenCalledWith('/sign-out', 303)
    expect(network).not.toHaveBeenCalled()
    expect(await getViewer()).toEqual(viewer)
  })

  test.each([
    ['keep', 1],
    ['drop', 0],
  ])('with “%s” deletes cached data and leaves %i entries', async (answer, count) => {
    await write()
    await open(`/api/logout?unsent=${answer}`)
    expect(await outboxDb.read('a')).toHaveLength(count)
    expect([await getViewer(), await readAnswer('a', 'hunts')]).toEqual([null, null])
  })

  test('changes nothing without a network, and reports that the device is offline', async () => {
    network.mockImplementation(noNetwork)
    expect(await (await open('/api/logout')).text()).toBe('You’re offline')
    expect(await getViewer()).toEqual(viewer)
  })
})

test('escapes a name that could close its script element', () => {
  expect(withViewer(html, viewer).match(/<\/script>/g)).toHaveLength(1)
})

test('ignores files, calls, and embedded frames', () => {
  expect(['/', '/pheno-hunt', '/api/logout'].filter(isPage)).toHaveLength(3)
  expect(['/api/pheno-hunts', '/media/1/small.webp', '/embed/menu/x', '/feeds/menus/x.json', '/offline/shell'].filter(isPage)).toEqual([])
})
