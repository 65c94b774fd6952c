import { beforeEach, describe, expect, test, vi } from 'vitest'
import { fileRefusals } from '#contracts/media.rules.ts'
import type { Media, Upload } from '#contracts/media.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { pictureProblem } from './check-file.ts'
import type { MediaCalls } from './upload-file.ts'
import { createUploads, moveUpload, newUpload, percentOf, restoredUploads, storableUploads, type UploadItem } from './upload-store.ts'

const mediaOf = (id: string): Media => ({
  id,
  kind: 'image',
  width: 4,
  height: 3,
  placeholder: null,
  alt: '',
  sources: [],
  videoUrl: null,
  durationSeconds: null,
  documentUrl: null,
  pageCount: null,
})

/** A file is ready once all bytes have arrived. */
function fakeCalls() {
  const uploads = new Map<string, Upload>()
  const calls = {
    begin: vi.fn(async (file: File) => {
      const upload: Upload = {
        id: `u${uploads.size + 1}`,
        status: 'receiving',
        byteSize: file.size,
        receivedBytes: 0,
        error: null,
        media: null,
      }
      uploads.set(upload.id, upload)
      return upload
    }),
    send: vi.fn(async (id: string, offset: number, bytes: Blob) => {
      const before = uploads.get(id)!
      const receivedBytes = offset + bytes.size
      const isReady = receivedBytes === before.byteSize
      const upload: Upload = { ...before, receivedBytes, status: isReady ? 'ready' : 'receiving', media: isReady ? mediaOf(id) : null }
      uploads.set(id, upload)
      return upload
    }),
    look: vi.fn(async (id: string) => {
      const upload = uploads.get(id)
      if (!upload) throw new ApiError({ status: 404, statusText: '', retryAfter: null }, '{"message":"Gone.","code":"not_found"}')
      return upload
    }),
    describe: vi.fn(async () => undefined),
    remove: vi.fn(async () => undefined),
  } satisfies MediaCalls
  return { calls, uploads }
}

const photo = (name: string, size = 5) => new File([new Uint8Array(size)], name, { type: 'image/jpeg' })
const open = (calls: MediaCalls, attached?: Media[]) => {
  const uploads = createUploads({ subject: 's', calls, chunkBytes: 2, ...(attached ? { attached } : {}) })
  uploads.open()
  return uploads
}

const storage = new Map<string, string>()
beforeEach(() => {
  storage.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  })
})

describe('an upload in a form', () => {
  test('keeps its position and description', async () => {
    const { calls } = fakeCalls()
    const uploads = open(calls)
    uploads.add([photo('a.jpg'), photo('b.jpg'), photo('c.jpg')])
    const [a, , c] = uploads.get().items
    uploads.move(c!.key, 0)
    uploads.setAlt(a!.key, 'A jar')
    const ids = await uploads.settle()
    expect(ids).toHaveLength(3)
    expect(uploads.get().items.map(({ name }) => name)).toEqual(['c.jpg', 'a.jpg', 'b.jpg'])
    expect(ids).toEqual(uploads.get().items.map(({ uploadId }) => uploadId))
    expect(calls.describe).toHaveBeenCalledExactlyOnceWith(uploads.get().items[1]!.uploadId, 'A jar')
    await uploads.settle()
    expect(calls.describe).toHaveBeenCalledOnce()
  })

  test('is sent with at most one other at a time', async () => {
    const { calls } = fakeCalls()
    const uploads = open(calls)
    uploads.add([photo('a.jpg'), photo('b.jpg'), photo('c.jpg')])
    expect(uploads.get().items.map(({ status }) => status)).toEqual(['sending', 'sending', 'waiting'])
    await uploads.settle()
    expect(uploads.get().items.every(({ status }) => status === 'ready')).toBe(true)
  })

  test('is refused early if unusable and blocks the post until removed', async () => {
    const { calls } = fakeCalls()
    const uploads = open(calls)
    uploads.add([
      new File(['x'], 'IMG_1.HEIC'),
      new File(['x'], 'list.pdf', { type: 'application/pdf' }),
      photo('empty.jpg', 0),
      photo('a.jpg'),
    ])
    expect(uploads.get().items.map(({ error }) => error)).toEqual([fileRefusals.heic, fileRefusals.unknown, fileRefusals.empty, null])
    expect(await uploads.settle()).toBeNull()
    for (const item of uploads.get().items.slice(0, 3)) uploads.remove(item.key)
    expect(await uploads.settle()).toEqual(['u1'])
    expect(calls.begin).toHaveBeenCalledOnce()
  })

  test('is refused if it is the eleventh', async () => {
    const { calls } = fakeCalls()
    const uploads = open(calls)
    uploads.add(Array.from({ length: 12 }, (_, index) => photo(`${index}.jpg`)))
    expect(uploads.get()).toMatchObject({ notice: 'At most 10 pictures and videos', items: { length: 10 } })
    expect(await uploads.settle()).toHaveLength(10)
  })

  test('is still there after a reload if ready, and waits for its file if interrupted', async () => {
    const { calls, uploads: known } = fakeCalls()
    const before = open(calls)
    before.add([photo('a.jpg')])
    await before.settle()
    calls.send.mockImplementationOnce(() => new Promise(() => undefined))
    before.add([photo('b.jpg')])
    await vi.waitFor(() => expect(before.get().items[1]?.uploadId).toBe('u2'))
    before.close()
    known.set('u2', { ...known.get('u2')!, receivedBytes: 2 })

    const after = open(calls)
    await vi.waitFor(() => expect(after.get().items.map(({ status }) => status)).toEqual(['ready', 'lost']))
    const lost = after.get().items[1]!
    expect(percentOf(lost)).toBe(40)
    after.resume(lost.key, photo('other.jpg', 9))
    expect(after.get().items[1]!.error).toContain('b.jpg')
    after.resume(lost.key, photo('b.jpg'))
    expect(await after.settle()).toEqual(['u1', 'u2'])
    expect(calls.send.mock.lastCall?.slice(0, 2)).toEqual(['u2', 4])
    expect(calls.begin).toHaveBeenCalledTimes(2)
  })

  test('is deleted when removed, unless a post shows it', async () => {
    const { calls } = fakeCalls()
    const uploads = open(calls, [mediaOf('shown')])
    uploads.add([photo('a.jpg')])
    await uploads.settle()
    for (const { key } of uploads.get().items) uploads.remove(key)
    expect(calls.remove.mock.calls).toEqual([['u1']])
  })

  test('returns to its position when its removal is undone', () => {
    const uploads = open(fakeCalls().calls, [mediaOf('a'), mediaOf('b'), mediaOf('c')])
    const removed = uploads.get().items[1]!
    uploads.remove(removed.key)
    expect(uploads.get().items.map(({ key }) => key)).toEqual(['a', 'c'])
    uploads.putBack(removed, 1)
    uploads.putBack(removed, 1)
    expect(uploads.get().items.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
  })

  test('is refused if it is a second video in a form that allows one', async () => {
    const { calls } = fakeCalls()
    const limit = { fits: (kinds: readonly string[]) => kinds.filter((kind) => kind === 'video').length <= 1, notice: 'At most one video' }
    const uploads = createUploads({ subject: 's', calls, chunkBytes: 2, limit })
    uploads.open()
    const video = (name: string) => new File(['x'], name, { type: 'video/mp4' })
    uploads.add([video('one.mp4'), video('two.mp4'), photo('a.jpg')])
    expect(uploads.get().notice).toBe('At most one video')
    expect(uploads.get().items.map(({ name }) => name)).toEqual(['one.mp4', 'a.jpg'])
    await uploads.settle()
  })

  test('is refused with a message about pictures in a form for pictures only', () => {
    const uploads = createUploads({ subject: 's', calls: fakeCalls().calls, chunkBytes: 2 })
    uploads.open()
    uploads.add([new File(['x'], 'a.mp4', { type: 'video/mp4' }), new File(['x'], 'a.svg', { type: 'image/svg+xml' })], pictureProblem)
    expect(uploads.get().items.map(({ error }) => error)).toEqual([
      'Choose a picture, not a video.',
      'This file type isn’t supported. Send a JPEG, PNG, WebP, AVIF or GIF picture.',
    ])
  })

  test('can be retried after a failure', async () => {
    const { calls } = fakeCalls()
    calls.begin.mockRejectedValueOnce(new Error('unheard of'))
    const uploads = open(calls)
    uploads.add([photo('a.jpg')])
    expect(await uploads.settle()).toBeNull()
    expect(uploads.get().items[0]).toMatchObject({ status: 'failed', canRetry: true })
    uploads.retry(uploads.get().items[0]!.key)
    expect(await uploads.settle()).toEqual(['u1'])
  })

  test('is cleared when the form is finished', async () => {
    const { calls } = fakeCalls()
    const uploads = open(calls)
    uploads.add([photo('a.jpg')])
    await uploads.settle()
    expect(storage.size).toBe(1)
    uploads.finish()
    expect(storage.size).toBe(0)
  })
})

describe('the list', () => {
  const items: UploadItem[] = ['a', 'b', 'c'].map((key) => newUpload({ key, kind: 'image', name: key, size: 1 }))
  const keys = (list: readonly UploadItem[]) => list.map(({ key }) => key).join('')

  test('moves an item no farther than the list’s ends', () => {
    expect(keys(moveUpload(items, 'a', 1))).toBe('bac')
    expect(keys(moveUpload(items, 'c', -3))).toBe('cab')
    expect(keys(moveUpload(items, 'a', 9))).toBe('bca')
    expect(keys(moveUpload(items, 'x', 0))).toBe('abc')
  })

  test('restores valid stored items and drops invalid ones', () => {
    const begun = items.map((item) => ({ ...item, uploadId: `u-${item.key}`, alt: 'x' }))
    expect(keys(restoredUploads(JSON.parse(JSON.stringify(storableUploads(begun))))!)).toBe('abc')
    expect(storableUploads(items)).toEqual([])
    expect(restoredUploads(undefined)).toBeNull()
    expect(restoredUploads([null, 3, { key: 'a' }])).toEqual([])
  })
})
