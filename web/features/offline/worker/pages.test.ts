import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetViewer, getViewer, keepAnswer, readAnswer, setViewer } from '../kept-answers.ts'
import { forgetOfflineDb, type Viewer } from '../offline-db.ts'
import { outboxDb } from '../outbox-db.ts'

vi.stubGlobal('__BUILD__', { version: '1', files: [] })
const { isPage, openPage, withViewer } = await import('./pages.ts')

const viewer = { user: { id: 'a', displayName: 'Ivy </script>' }, theme: 'dark', isLightsOff: true } as unknown as Viewer
const html =
  '<!doctype html><html lang="en"><head><script id="boot" type="application/json">{"user":null,"answers":[]}</script></head></html>'

/** Pages that the device keeps. */
const cached = new Map<string, string>()
const network = vi.fn<(request: Request) => Promise<Response>>()

beforeEach(async () => {
  cached.clear()
  cached.set('/offline/shell', html).set('/offline/page', 'You are offline')
  network.mockReset()
  const cache = { match: async (path: string) => (cached.has(path) ? new Response(cached.get(path)) : undefined) }
  vi.stubGlobal('caches', { open: async () => cache, keys: async () => ['shell-1'], delete: async () => cached.clear() })
  vi.stubGlobal('fetch', network)
  await setViewer(viewer)
  await keepAnswer('a', 'hunts', ['private'])
})
afterEach(async () => {
  vi.useRealTimers()
  await forgetOfflineDb()
})

const open = (path: string) => openPage(new Request(`http://localhost${path}`))
const page = (body: string, of: string, status = 200) => new Response(body, { status, headers: { 'page-viewer': of } })
const noNetwork = async () => {
  throw new TypeError('Failed to fetch')
}

describe('a growing screen', () => {
  test('is the answer of the network, where there is one', async () => {
    network.mockResolvedValue(page('from the server', 'a'))
    expect(await (await open('/pheno-hunt')).text()).toBe('from the server')
  })

  test('comes from the device without a network, with the person in it', async () => {
    network.mockImplementation(noNetwork)
    const text = await (await open('/pheno-hunt/0190a1b2')).text()
    expect(text).toContain('data-shell data-theme="dark" data-lights="off"')
    expect(JSON.parse(/json">(.*?)<\/script>/.exec(text)![1]!)).toEqual({ user: viewer.user, answers: [] })
  })

  test('comes from the device where the network does not answer in three seconds, or a proxy alone does', async () => {
    network.mockReturnValue(new Promise(() => {}))
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const opening = open('/pheno-hunt')
    await vi.advanceTimersByTimeAsync(3000)
    vi.useRealTimers()
    expect(await (await opening).text()).toContain('data-shell')

    network.mockResolvedValue(new Response('Bad gateway', { status: 502 }))
    expect(await (await open('/pheno-hunt')).text()).toContain('data-shell')
  })

  test('of nobody is the page that says that there is no network', async () => {
    network.mockResolvedValue(page('signed out', 'none'))
    await open('/')
    network.mockImplementation(noNetwork)
    expect(await (await open('/pheno-hunt')).text()).toBe('You are offline')
  })
})

describe('any other page', () => {
  beforeEach(() => {
    cached.set('/offline/page', '<!doctype html><html lang="en"><body>You are offline</body></html>')
    network.mockImplementation(noNetwork)
  })

  test('says that there is no network, in the look that its reader chose', async () => {
    const text = await (await open('/favorites')).text()
    expect(text).toBe('<!doctype html><html lang="en" data-theme="dark" data-lights="off"><body>You are offline</body></html>')
  })

  test('of nobody knows of no hunts on the device', async () => {
    await setViewer({ ...viewer, theme: null, isLightsOff: false })
    expect(await (await open('/favorites')).text()).toContain('<html lang="en"><body>')
    await forgetViewer()
    expect(await (await open('/favorites')).text()).toContain('<html lang="en" data-nobody><body>')
  })
})

test('a page that is somebody else’s, or nobody’s, takes what was kept off the device', async () => {
  network.mockResolvedValue(page('again', 'a'))
  await open('/discover')
  expect(await readAnswer('a', 'hunts')).not.toBeNull()
  network.mockResolvedValue(page('theirs', 'b'))
  await open('/discover')
  expect(await getViewer()).toBeNull()
  expect(await readAnswer('a', 'hunts')).toBeNull()
  // A tab of the one before keeps nothing more.
  await keepAnswer('a', 'hunts', ['private'])
  expect(await readAnswer('a', 'hunts')).toBeNull()
})

describe('signing out', () => {
  const write = () => outboxDb.add({ id: 'w', account: 'a', photos: [] } as unknown as Parameters<typeof outboxDb.add>[0], new Map())
  beforeEach(() => {
    network.mockImplementation(async () => new Response('signed out'))
  })

  test('ends the session and leaves nothing', async () => {
    expect(await (await open('/api/logout')).text()).toBe('signed out')
    expect([await getViewer(), await readAnswer('a', 'hunts'), cached.size]).toEqual([null, null, 0])
  })

  test('asks first where something waits that nobody else has', async () => {
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
  ])('%s: %i entries stay', async (answer, count) => {
    await write()
    await open(`/api/logout?unsent=${answer}`)
    expect(await outboxDb.read('a')).toHaveLength(count)
    expect([await getViewer(), await readAnswer('a', 'hunts')]).toEqual([null, null])
  })

  test('without a network leaves all as it is, and says so', async () => {
    network.mockImplementation(noNetwork)
    expect(await (await open('/api/logout')).text()).toBe('You are offline')
    expect(await getViewer()).toEqual(viewer)
  })
})

test('text in a name cannot end the script element it stands in', () => {
  expect(withViewer(html, viewer).match(/<\/script>/g)).toHaveLength(1)
})

test('files, calls and other sites’ frames are none of its business', () => {
  expect(['/', '/pheno-hunt', '/api/logout'].filter(isPage)).toHaveLength(3)
  expect(['/api/pheno-hunts', '/media/1/small.webp', '/embed/menu/x', '/feeds/menus/x.json', '/offline/shell'].filter(isPage)).toEqual([])
})
