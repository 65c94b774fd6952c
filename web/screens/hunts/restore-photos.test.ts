import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { RefusedFile } from '#web/entities/media/upload-file.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { asHuntDocument } from './import-hunt-button.tsx'
import { type LeftPhoto, openArchive, type RestoreCalls, restorePhotos } from './restore-photos.ts'

const refusal = (status: number, message: string) =>
  new ApiError({ status, statusText: 'x', retryAfter: null }, JSON.stringify({ message, code: 'x' }))

async function zip(files: Record<string, string>): Promise<Blob> {
  const archive = new ZipFile()
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name, { compress: false })
  archive.end()
  return new Blob([Buffer.from(await buffer(archive.outputStream))])
}

const names = Array.from({ length: 8 }, (_, i) => `photos/${i}.webp`)
const files = { 'hunt.json': '{}', ...Object.fromEntries(names.map((name) => [name, `picture ${name}`])) }
const awaited = names.map((file, i) => ({ id: `${i}`, file }))

/** `trouble` gets the photo's number, and may throw. */
function fakeServer(trouble: (call: 'upload' | 'attach', id: string) => void = () => {}) {
  const attached = new Map<string, string>()
  const state = { underWay: 0, most: 0 }
  const calls: RestoreCalls = {
    async upload(photo) {
      state.most = Math.max(state.most, ++state.underWay)
      await new Promise((resolve) => setTimeout(resolve, 1))
      state.underWay--
      trouble('upload', /\d/.exec(photo.name)?.[0] ?? '')
      return { id: await photo.text() }
    },
    async attach(photoId, mediaId) {
      trouble('attach', photoId)
      attached.set(photoId, mediaId)
    },
  }
  return { calls, attached, state }
}

async function run(server: ReturnType<typeof fakeServer>, photos = awaited, signal = new AbortController().signal) {
  let seen: { restored: number; left: readonly LeftPhoto[] } = { restored: 0, left: [] }
  const archive = await openArchive(await zip(files))
  const error = await restorePhotos({
    ...{ awaited: photos, archive, calls: server.calls, signal },
    onProgress(restored, left) {
      seen = { restored, left: [...left] }
    },
  }).catch((reason: unknown) => reason)
  return { ...seen, error }
}

test('restores each photo to its place, three at a time', async () => {
  const server = fakeServer()
  expect(await run(server)).toEqual({ restored: 8, left: [], error: undefined })
  expect(Object.fromEntries(server.attached)).toEqual(Object.fromEntries(awaited.map(({ id, file }) => [id, `picture ${file}`])))
  expect(server.state.most).toBe(3)
})

test('skips photos that are missing, refused, or can’t be attached, and gives the reasons', async () => {
  const server = fakeServer((call, id) => {
    if (call === 'upload' && id === '1') throw new RefusedFile('This file is damaged.')
    if (call === 'upload' && id === '2') throw refusal(400, 'A picture can be up to 10 MB.')
    if (call === 'attach' && id === '3') throw refusal(409, 'A log can have up to 10 photos.')
  })
  const result = await run(server, [...awaited, { id: '9', file: 'photos/9.webp' }])
  expect(result).toMatchObject({ restored: 5, error: undefined })
  expect(result.left.toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual([
    { file: 'photos/1.webp', reason: 'This file is damaged.' },
    { file: 'photos/2.webp', reason: 'A picture can be up to 10 MB.' },
    { file: 'photos/3.webp', reason: 'A log can have up to 10 photos.' },
    { file: 'photos/9.webp', reason: 'Not in this archive.' },
  ])
})

test.each([
  ['the connection is lost', new TypeError('Failed to fetch')],
  ['the storage is full', refusal(409, 'You have 200 MB of pictures and videos that aren’t in a post.')],
  ['the session is over', refusal(401, 'Sign in again.')],
])('stops if %s, and continues later with the remaining photos', async (_, error) => {
  let isDown = true
  const server = fakeServer((call, id) => {
    if (isDown && call === 'upload' && id === '4') throw error
  })
  const first = await run(server)
  expect(first.error).toBe(error)
  expect(server.attached.size).toBeLessThan(8)
  isDown = false
  const rest = awaited.filter(({ id }) => !server.attached.has(id))
  expect(await run(server, rest)).toEqual({ restored: rest.length, left: [], error: undefined })
  expect(server.attached.size).toBe(8)
})

test('stops when paused', async () => {
  const stop = new AbortController()
  const server = fakeServer((call, id) => {
    if (call === 'attach' && id === '0') stop.abort(new Error('paused'))
  })
  expect(await run(server, awaited, stop.signal)).toMatchObject({ error: new Error('paused') })
  expect(server.attached.size).toBeLessThan(8)
})

test('finds the hunt in a repacked archive', async () => {
  const packed = await openArchive(
    await zip({ '__MACOSX/my hunt/._hunt.json': '', 'my hunt/hunt.json': '{"a": 1}', 'my hunt/photos/1.webp': 'one' }),
  )
  expect(await (await packed.readDocument()).text()).toBe('{"a": 1}')
  expect(await (await packed.photo('photos/1.webp')?.read(10))?.text()).toBe('one')
  expect(packed.photo('my hunt/hunt.json')).toBeUndefined()
  await expect(openArchive(await zip({ 'readme.txt': 'x' }))).rejects.toThrow('doesn’t contain a hunt')
})

test('explains in one line why a file can’t be imported', () => {
  for (const text of ['', 'null', '[]', '7', '{"name":"x","version":3}']) {
    expect(() => asHuntDocument(text), text).toThrow(/^This isn’t a hunt exported from /)
  }
  expect(() => asHuntDocument('{"format":"sungrove.hunt","version":2}')).toThrow(/^A newer version of .* exported this hunt/)
  expect(asHuntDocument('{"format":"sungrove.hunt","version":1}')).toEqual({ format: 'sungrove.hunt', version: 1 })
})
