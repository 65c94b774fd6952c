import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cacheAnswer, changeLook, forgetAccount, forgetViewer, getViewer, readAnswer, readAnswersOf, setViewer } from './cached-answers.ts'
import { forgetOfflineDb, outboxDb, type Viewer } from './offline-db.ts'

const viewerOf = (id: string) => ({ user: { id }, theme: null, isLightsOff: false }) as unknown as Viewer
const day = 24 * 60 * 60_000

beforeEach(() => setViewer(viewerOf('a')))
afterEach(forgetOfflineDb)

test('returns a response with the time it was read, for a month', async () => {
  await cacheAnswer('a', 'hunts', [{ id: 1 }], 1000)
  expect(await readAnswer('a', 'hunts', 1000 + 29 * day)).toEqual({ data: [{ id: 1 }], readAt: 1000 })
  expect(await readAnswer('a', 'hunts', 1000 + 31 * day)).toBeNull()
  expect(await readAnswer('b', 'hunts', 1000)).toBeNull()
})

test('returns a path’s responses for all parameters, and none for another path or person', async () => {
  await cacheAnswer('a', '["/api/hunts/:id/plants",{"id":"1"},{},"all"]', ['first'], 1000)
  await cacheAnswer('a', '["/api/hunts/:id/plants",{"id":"2"},{},"all"]', ['second'], 2000)
  await cacheAnswer('a', '["/api/hunts/:id/plants/:number",{"id":"1"},{}]', ['one plant'], 3000)
  expect(await readAnswersOf('a', '/api/hunts/:id/plants', 4000)).toEqual([['second'], ['first']])
  expect(await readAnswersOf('a', '/api/hunts/:id/plants', 1500 + 30 * day)).toEqual([['second']])
  expect(await readAnswersOf('b', '/api/hunts/:id/plants', 4000)).toEqual([])
})

test('caches responses only for the device’s owner', async () => {
  await cacheAnswer('b', 'hunts', ['theirs'])
  expect(await readAnswer('b', 'hunts')).toBeNull()
})

test('drops the previous owner’s responses when the device changes hands', async () => {
  await cacheAnswer('a', 'hunts', ['private'])
  await setViewer(viewerOf('b'))
  await setViewer(viewerOf('a'))
  expect(await readAnswer('a', 'hunts')).toBeNull()
})

test('lets an old tab change the theme but not bring back a forgotten viewer', async () => {
  await changeLook('a', { theme: 'dark', isLightsOff: true })
  expect(await getViewer()).toMatchObject({ theme: 'dark', isLightsOff: true })
  await forgetViewer()
  await changeLook('a', { theme: 'dark', isLightsOff: true })
  expect(await getViewer()).toBeNull()
})

test('evicts the oldest responses and skips oversized ones', async () => {
  for (let index = 0; index < 402; index++) await cacheAnswer('a', `k${index}`, index, index)
  await cacheAnswer('a', 'large', 'x'.repeat(5 * 1024 * 1024), 500)
  await setViewer(viewerOf('a'), 1000)
  expect(await readAnswer('a', 'k1', 1000)).toBeNull()
  expect(await readAnswer('a', 'k2', 1000)).not.toBeNull()
  expect(await readAnswer('a', 'large', 1000)).toBeNull()
})

test('deletes only the forgotten account’s entries and photos', async () => {
  const write = (id: string, account: string) =>
    ({ id, account, photos: [{ key: id, name: '', type: '', size: 1, alt: '', uploadId: null }] }) as unknown as Parameters<
      typeof outboxDb.add
    >[0]
  await outboxDb.add(write('1', 'a'), new Map([['1', new Blob(['x'])]]))
  await outboxDb.add(write('2', 'b'), new Map([['2', new Blob(['x'])]]))
  await forgetAccount('a')
  expect([await outboxDb.read('a'), await outboxDb.file('1')]).toEqual([[], null])
  expect([(await outboxDb.read('b')).length, (await outboxDb.file('2'))?.size]).toEqual([1, 1])
})
