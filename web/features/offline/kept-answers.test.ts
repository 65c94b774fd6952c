import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changeLook, forgetAccount, forgetViewer, getViewer, keepAnswer, readAnswer, readAnswersOf, setViewer } from './kept-answers.ts'
import { forgetOfflineDb, type Viewer } from './offline-db.ts'
import { outboxDb } from './outbox-db.ts'

const viewerOf = (id: string) => ({ user: { id }, theme: null, isLightsOff: false }) as unknown as Viewer
const day = 24 * 60 * 60_000

beforeEach(() => setViewer(viewerOf('a')))
afterEach(forgetOfflineDb)

test('an answer comes back with the time it was read, for a month', async () => {
  await keepAnswer('a', 'hunts', [{ id: 1 }], 1000)
  expect(await readAnswer('a', 'hunts', 1000 + 29 * day)).toEqual({ data: [{ id: 1 }], readAt: 1000 })
  expect(await readAnswer('a', 'hunts', 1000 + 31 * day)).toBeNull()
  expect(await readAnswer('b', 'hunts', 1000)).toBeNull()
})

test('what was read from one address comes back whatever it was asked with, and nothing of another address or person', async () => {
  await keepAnswer('a', '["/api/hunts/:id/plants",{"id":"1"},{},"all"]', ['first'], 1000)
  await keepAnswer('a', '["/api/hunts/:id/plants",{"id":"2"},{},"all"]', ['second'], 2000)
  await keepAnswer('a', '["/api/hunts/:id/plants/:number",{"id":"1"},{}]', ['one plant'], 3000)
  expect(await readAnswersOf('a', '/api/hunts/:id/plants', 4000)).toEqual([['second'], ['first']])
  expect(await readAnswersOf('a', '/api/hunts/:id/plants', 1500 + 30 * day)).toEqual([['second']])
  expect(await readAnswersOf('b', '/api/hunts/:id/plants', 4000)).toEqual([])
})

test('nothing is kept for anybody but whose device it is', async () => {
  await keepAnswer('b', 'hunts', ['theirs'])
  expect(await readAnswer('b', 'hunts')).toBeNull()
})

test('when the device becomes another’s, the answers of the one before leave it', async () => {
  await keepAnswer('a', 'hunts', ['private'])
  await setViewer(viewerOf('b'))
  await setViewer(viewerOf('a'))
  expect(await readAnswer('a', 'hunts')).toBeNull()
})

test('an old tab changes how a page begins, and makes nobody the viewer again', async () => {
  await changeLook('a', { theme: 'dark', isLightsOff: true })
  expect(await getViewer()).toMatchObject({ theme: 'dark', isLightsOff: true })
  await forgetViewer()
  await changeLook('a', { theme: 'dark', isLightsOff: true })
  expect(await getViewer()).toBeNull()
})

test('the oldest leave when there are too many, and what is too large is not kept', async () => {
  for (let index = 0; index < 402; index++) await keepAnswer('a', `k${index}`, index, index)
  await keepAnswer('a', 'large', 'x'.repeat(5 * 1024 * 1024), 500)
  await setViewer(viewerOf('a'), 1000)
  expect(await readAnswer('a', 'k1', 1000)).toBeNull()
  expect(await readAnswer('a', 'k2', 1000)).not.toBeNull()
  expect(await readAnswer('a', 'large', 1000)).toBeNull()
})

test('an account that is forgotten takes its entries and photos with it, and nobody else’s', async () => {
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
