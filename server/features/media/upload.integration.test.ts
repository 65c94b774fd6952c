import fs from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uploadChunkBytes } from '#contracts/media.rules.ts'
import type { Upload } from '#contracts/media.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { ServiceUnavailableError } from '#server/kernel/jobs.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { recordMediaUses } from '#tests/support/media-uses.ts'
import { bombs, canary, pictureWithSecrets, secretsIn } from '#tests/support/pictures.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'
import { video } from '#tests/support/videos.ts'

let test: TestApp
let uploads: ReturnType<typeof uploadsOf>
let owner: TestPerson
let stranger: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  uploads = uploadsOf(test)
  owner = await test.signUp()
  stranger = await test.signUp()
})
afterAll(() => test?.close())

/** Random pixels, which don't compress. */
const largePicture = () =>
  sharp({ create: { width: 1300, height: 1000, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
    .png({ compressionLevel: 0 })
    .toBuffer()

/** Makes concurrent calls, each of which waits until all are about to store their bytes. */
async function together<Answer>(calls: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const { storage } = test.ctx
  const { put } = storage
  const gate = Promise.withResolvers<void>()
  let arrived = 0
  storage.put = async (...file) => {
    if (++arrived === calls.length) gate.resolve()
    await gate.promise
    return put(...file)
  }
  try {
    return await Promise.all(calls.map((call) => call()))
  } finally {
    storage.put = put
  }
}

const full = async (): Promise<never> => {
  throw new AppError('unavailable')
}

describe('an upload', () => {
  it('waits without using up attempts while the storage is down', async () => {
    const sent = await uploads.send(owner, await pictureWithSecrets('jpeg', 300, 200))
    const { storage } = test.ctx
    const { put } = storage
    storage.put = full
    try {
      await expect(test.runJobs()).rejects.toBeInstanceOf(ServiceUnavailableError)
    } finally {
      storage.put = put
    }
    expect(await uploads.state(owner, sent.id)).toMatchObject({ status: 'processing' })
    await test.ctx.jobs.enqueue('media.process', { mediaId: sent.id })
    await test.runJobs()
    expect(await uploads.state(owner, sent.id)).toMatchObject({ status: 'ready' })
  })

  it('arrives in chunks, is processed, and loses its metadata', async () => {
    const bytes = await largePicture()
    expect(bytes.length).toBeGreaterThan(3 * uploadChunkBytes)
    const sent = await uploads.send(owner, bytes, 'image/png')
    expect(sent).toMatchObject({ status: 'processing', receivedBytes: bytes.length, media: null })
    await test.runJobs()
    const ready = await uploads.state(owner, sent.id)
    expect(ready).toMatchObject({
      status: 'ready',
      error: null,
      media: { id: sent.id, kind: 'image', width: 1300, height: 1000, alt: 'A terrace', videoUrl: null, durationSeconds: null },
    })
    expect(ready.media?.sources.map((source) => source.width)).toEqual([480, 960, 1300])
    expect(ready.media?.placeholder).toMatch(/^data:image\/webp;base64,/)
    expect(uploads.storedOf(sent.id).sort()).toEqual(
      ['small', 'medium', 'large'].flatMap((size) => [`media/${sent.id}/${size}.avif`, `media/${sent.id}/${size}.webp`]).sort(),
    )
  })

  it('has one size for a small picture and no metadata in any file', async () => {
    const media = await uploads.upload(owner, await pictureWithSecrets('jpeg', 300, 200))
    expect(media.sources).toHaveLength(1)
    for (const key of uploads.storedOf(media.id)) {
      const bytes = fs.readFileSync(path.join(test.dataDir, 'media', key))
      expect(await secretsIn(bytes), key).toEqual([])
    }
    for (const { avif, webp } of media.sources) {
      expect((await uploads.get(avif, owner)).headers['content-type']).toBe('image/avif')
      expect((await uploads.get(webp, owner)).headers['content-type']).toBe('image/webp')
    }
  })

  it('resumes where it stopped, ignores a repeated chunk, and rejects a chunk at the wrong offset', async () => {
    const bytes = await largePicture()
    const { id } = (await uploads.begin(owner, bytes.length)).json() as Upload
    const first = bytes.subarray(0, 500_000)
    expect((await uploads.put(owner, id, 0, first)).json()).toMatchObject({ receivedBytes: 500_000, status: 'receiving' })
    expect((await uploads.put(owner, id, 0, first)).json()).toMatchObject({ receivedBytes: 500_000 })
    expect((await uploads.put(owner, id, 100_000, bytes.subarray(100_000, 300_000))).json()).toMatchObject({ receivedBytes: 500_000 })
    for (const offset of [600_000, 400_000]) {
      const wrong = await uploads.put(owner, id, offset, bytes.subarray(offset, offset + 700_000))
      expect(wrong.statusCode).toBe(409)
      expect(wrong.json().message).toContain(`500000 of ${bytes.length} bytes`)
    }
    const rest = (from: number, length: number) => () => uploads.put(owner, id, from, bytes.subarray(from, from + length))
    const same = await together(Array.from({ length: 5 }, () => rest(500_000, 1_000_000)))
    expect(same.map((answer) => answer.json().receivedBytes)).toEqual(same.map(() => 1_500_000))
    // If an impatient client sends different lengths at the same offset, only one counts.
    const different = await together([900_000, 300_000, 600_000].map((length) => rest(1_500_000, length)))
    expect(different.some((answer) => answer.statusCode === 200)).toBe(true)
    expect(different.every((answer) => [200, 409].includes(answer.statusCode))).toBe(true)
    for (let { receivedBytes } = await uploads.state(owner, id); receivedBytes < bytes.length; ) {
      const next = await uploads.put(owner, id, receivedBytes, bytes.subarray(receivedBytes, receivedBytes + uploadChunkBytes))
      expect(next.statusCode).toBe(200)
      receivedBytes = next.json().receivedBytes
    }
    await test.runJobs()
    expect(await uploads.state(owner, id)).toMatchObject({ status: 'ready', media: { width: 1300 } })
    expect(uploads.storedOf(id).filter((key) => key.startsWith('uploads/'))).toEqual([])
    expect((await uploads.put(owner, id, 0, first)).json()).toMatchObject({ status: 'ready' })
  })

  it('ignores the case of its ID, so deleting it leaves no file', async () => {
    const bytes = await pictureWithSecrets('png')
    const { id } = (await uploads.begin(owner, bytes.length)).json() as Upload
    expect((await uploads.put(owner, id.toUpperCase(), 0, bytes)).json()).toMatchObject({ id, status: 'processing' })
    await test.runJobs()
    const { media } = await uploads.state(owner, id)
    expect((await uploads.get(media?.sources[0]?.webp ?? '', owner)).statusCode).toBe(200)
    expect((await test.request('DELETE', `/api/media/${id}`, owner)).statusCode).toBe(204)
    expect([...uploads.storedOf(id), ...uploads.storedOf(id.toUpperCase())]).toEqual([])
  })

  it('stores only a few chunks for one offset, no matter how many arrive together', async () => {
    const { id } = (await uploads.begin(owner, 1_000_000)).json() as Upload
    const { storage } = test.ctx
    const { put } = storage
    const gate = Promise.withResolvers<void>()
    const calls = 40
    let ready = 0
    const isReady = () => {
      if (++ready === calls) gate.resolve()
    }
    storage.put = async (...file) => {
      isReady()
      await gate.promise
      return put(...file)
    }
    const send = async (length: number) => {
      const answer = await uploads.put(owner, id, 0, Buffer.alloc(length))
      if (answer.statusCode === 429) isReady()
      return answer.statusCode
    }
    try {
      const statuses = await Promise.all(Array.from({ length: calls }, (_, i) => send(100_000 + i)))
      expect(statuses).toContain(200)
      expect(uploads.storedOf(id).length).toBeLessThanOrEqual(16)
    } finally {
      storage.put = put
    }
  })

  it('leaves behind no chunk that arrives during deletion', async () => {
    const { id } = (await uploads.begin(owner, 300_000)).json() as Upload
    const { storage } = test.ctx
    const { put } = storage
    storage.put = async (...file) => {
      await test.request('DELETE', `/api/media/${id}`, owner)
      return put(...file)
    }
    try {
      expect((await uploads.put(owner, id, 0, Buffer.alloc(100_000))).statusCode).toBe(404)
    } finally {
      storage.put = put
    }
    expect(uploads.storedOf(id)).toEqual([])
  })

  it('leaves behind no chunk that arrives after it is ready', async () => {
    const bytes = await pictureWithSecrets('png')
    const { id } = (await uploads.begin(owner, bytes.length)).json() as Upload
    const { storage } = test.ctx
    const { put } = storage
    const [both, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let arrived = 0
    storage.put = async (...file) => {
      const isSecond = ++arrived === 2
      if (isSecond) both.resolve()
      if (file[0].startsWith('uploads/')) await (isSecond ? late : both).promise
      return put(...file)
    }
    try {
      const calls = [uploads.put(owner, id, 0, bytes), uploads.put(owner, id, 0, bytes)]
      await Promise.race(calls)
      await test.runJobs()
      late.resolve()
      for (const answer of await Promise.all(calls)) expect(answer.statusCode).toBe(200)
    } finally {
      storage.put = put
    }
    expect(await uploads.state(owner, id)).toMatchObject({ status: 'ready' })
    expect(uploads.storedOf(id).filter((key) => key.startsWith('uploads/'))).toEqual([])
  })

  it('rejects excess bytes, tiny chunks, and other people’s chunks', async () => {
    const { id } = (await uploads.begin(owner, 300_000)).json() as Upload
    expect((await uploads.put(owner, id, 0, Buffer.alloc(300_001))).statusCode).toBe(400)
    expect((await uploads.put(owner, id, 0, Buffer.alloc(1000))).statusCode).toBe(400)
    expect((await uploads.put(owner, id, 0, Buffer.alloc(0))).statusCode).toBe(400)
    for (const answer of [
      await uploads.put(stranger, id, 0, Buffer.alloc(100_000)),
      await test.request('GET', `/api/media/${id}`, stranger),
      await test.request('PATCH', `/api/media/${id}`, stranger, { alt: 'mine' }),
      await test.request('DELETE', `/api/media/${id}`, stranger),
      await test.request('GET', `/api/media/${newId()}`, owner),
    ]) {
      expect(answer.statusCode).toBe(404)
    }
    expect((await uploads.begin(null, 300_000)).statusCode).toBe(401)
  })

  it('begins once per idempotency key, and is refused immediately for an unusable file', async () => {
    const key = { 'idempotency-key': 'begin-once' }
    const [one, two] = [await uploads.begin(owner, 5000, 'image/png', key), await uploads.begin(owner, 5000, 'image/png', key)]
    expect(two.json()).toEqual(one.json())
    const heic = await uploads.begin(owner, 5000, 'image/heic')
    expect(heic.statusCode).toBe(400)
    expect(heic.json().fields.contentType).toContain('Settings → Camera → Formats → Most Compatible')
    expect((await uploads.begin(owner, 5000, 'image/svg+xml')).json().fields.contentType).toContain('Send a JPEG')
    expect((await uploads.begin(owner, 10 * 1024 * 1024 + 1)).json().fields.byteSize).toContain('10 MB')
    expect((await uploads.begin(owner, 60 * 1024 * 1024 + 1, 'video/mp4')).json().fields.byteSize).toContain('60 MB')
  })

  it('is rejected on its last chunk if it is a decompression bomb, HEIC, or mislabeled', async () => {
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\0', 'latin1')
    for (const [bytes, reason] of [
      [bombs().png, /2,500 megapixels/],
      [heic, /HEIC/],
      [Buffer.from('<script>alert(1)</script>'), /file type isn.t supported/],
    ] as const) {
      const sent = await uploads.send(owner, bytes)
      expect(sent.status).toBe('failed')
      expect(sent.error).toMatch(reason)
      expect(uploads.storedOf(sent.id)).toEqual([])
    }
  })

  it('fails with an explanation if the picture turns out to be damaged', async () => {
    const jpeg = await pictureWithSecrets('jpeg', 800, 600)
    const sent = await uploads.send(owner, jpeg.subarray(0, jpeg.length - 3000))
    expect(sent.status).toBe('processing')
    await test.runJobs()
    expect(await uploads.state(owner, sent.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('damaged or incomplete'),
      media: null,
    })
    expect(uploads.storedOf(sent.id)).toEqual([])
  })

  it('is processed again after the server is killed midway', async () => {
    const sent = await uploads.send(owner, await pictureWithSecrets('webp'))
    const job = { mediaId: sent.id }
    // The first attempt dies after writing some files, the second does the work, and the third comes late.
    await test.ctx.storage.put(`media/${sent.id}/small.avif`, Buffer.from('half'), 'image/avif')
    await test.runJobs()
    await test.ctx.jobs.enqueue('media.process', job)
    await test.runJobs()
    const { media } = await uploads.state(owner, sent.id)
    expect((await uploads.get(media?.sources[0]?.avif ?? '', owner)).rawPayload.length).toBeGreaterThan(100)
    // A late job for an abandoned upload must leave nothing behind.
    const gone = newId()
    await test.ctx.storage.put(`media/${gone}/small.avif`, Buffer.from('half'), 'image/avif')
    await test.ctx.jobs.enqueue('media.process', { mediaId: gone })
    await test.runJobs()
    expect(uploads.storedOf(gone)).toEqual([])
  })

  it('has a description and can be deleted while unused', async () => {
    const media = await uploads.upload(owner, await pictureWithSecrets('png'))
    const described = await test.request('PATCH', `/api/media/${media.id}`, owner, { alt: 'Rows of hemp at dusk' })
    expect(described.json().media.alt).toBe('Rows of hemp at dusk')
    const postId = await uploads.addPost(owner, [media.id])
    expect((await test.request('DELETE', `/api/media/${media.id}`, owner)).statusCode).toBe(409)
    await test.db.deleteFrom('posts').where('id', '=', postId).execute()
    expect((await test.request('DELETE', `/api/media/${media.id}`, owner)).statusCode).toBe(204)
    expect(uploads.storedOf(media.id)).toEqual([])
    expect((await test.request('DELETE', `/api/media/${media.id}`, owner)).statusCode).toBe(404)
    const { id } = (await uploads.begin(owner, 200_000)).json() as Upload
    await uploads.put(owner, id, 0, Buffer.alloc(100_000))
    expect(uploads.storedOf(id)).toHaveLength(1)
    expect((await test.request('DELETE', `/api/media/${id}`, owner)).statusCode).toBe(204)
    expect(uploads.storedOf(id)).toEqual([])
  })

  it('can be described by its owner until the post is no longer theirs to edit', async () => {
    const describe = async (id: string) => (await test.request('PATCH', `/api/media/${id}`, owner, { alt: 'Again' })).statusCode
    const picture = await pictureWithSecrets('png')
    const [own, ours] = [await uploads.upload(owner, picture), await uploads.upload(owner, picture)]
    const post = await uploads.addPost(owner, [own.id])
    expect(await describe(own.id)).toBe(200)
    const business = await addBusiness(test.db)
    await test.db.insertInto('business_members').values({ business_id: business.id, user_id: owner.user.id, role: 'staff' }).execute()
    await uploads.addPost(owner, [ours.id], { businessId: business.id })
    expect(await describe(ours.id)).toBe(200)
    await test.db.deleteFrom('business_members').where('business_id', '=', business.id).execute()
    expect(await describe(ours.id)).toBe(404)
    await test.db.updateTable('businesses').set({ image_id: own.id }).where('id', '=', business.id).execute()
    await test.db.deleteFrom('post_media').where('media_id', '=', own.id).execute()
    await recordMediaUses(test.db, 'post', post)
    await recordMediaUses(test.db, 'business', business.id)
    expect(await describe(own.id)).toBe(404)
  })

  it('is either posted or deleted when both are requested at the same time', async () => {
    for (let i = 0; i < 10; i++) {
      const media = await uploads.upload(owner, await pictureWithSecrets('gif'))
      const [posted, removed] = await Promise.all([
        test.request('POST', '/api/posts', owner, { title: 'A race', content: 'Words', businessId: null, mediaIds: [media.id] }),
        test.request('DELETE', `/api/media/${media.id}`, owner),
      ])
      expect([posted.statusCode, removed.statusCode]).toEqual(posted.statusCode === 201 ? [201, 409] : [400, 204])
      expect(uploads.storedOf(media.id)).toHaveLength(posted.statusCode === 201 ? 6 : 0)
    }
  })

  it('is limited to 200 MB of unused files per person', async () => {
    const hoarder = await test.signUp()
    for (let i = 0; i < 3; i++) expect((await uploads.begin(hoarder, 60 * 1024 * 1024, 'video/mp4')).statusCode).toBe(201)
    const answer = await uploads.begin(hoarder, 60 * 1024 * 1024, 'video/mp4')
    expect(answer.statusCode).toBe(409)
    expect(answer.json().message).toContain('200 MB')
    expect((await uploads.begin(hoarder, 10 * 1024 * 1024)).statusCode).toBe(201)
  })

  it('is limited to fifty unprocessed files per person', async () => {
    const hoarder = await test.signUp()
    const answers = []
    for (let i = 0; i < 51; i++) answers.push((await uploads.begin(hoarder, 100)).statusCode)
    expect(answers.slice(0, 50).every((status) => status === 201)).toBe(true)
    expect(answers[50]).toBe(409)
  })
})

describe('a video', () => {
  it('loses its metadata and is served in byte ranges', async () => {
    const media = await uploads.upload(owner, video('h264.mp4'), 'video/mp4')
    expect(media).toMatchObject({ kind: 'video', width: 64, height: 48, sources: [], placeholder: null })
    expect(media.durationSeconds).toBeCloseTo(1, 0)
    const url = media.videoUrl as string
    const whole = await uploads.get(url, owner)
    expect(whole.headers).toMatchObject({ 'content-type': 'video/mp4', 'accept-ranges': 'bytes' })
    expect(whole.rawPayload.includes(canary)).toBe(false)
    const size = whole.rawPayload.length
    const part = await uploads.get(url, owner, { range: 'bytes=10-19' })
    expect(part.statusCode).toBe(206)
    expect(part.headers).toMatchObject({ 'content-range': `bytes 10-19/${size}`, 'content-length': '10' })
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(10, 20))
    expect((await uploads.get(url, owner, { range: 'bytes=-5' })).rawPayload).toEqual(whole.rawPayload.subarray(-5))
    expect((await uploads.get(url, owner, { range: 'bytes=0-' })).statusCode).toBe(206)
    const beyond = await uploads.get(url, owner, { range: `bytes=${size}-` })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`])
    expect((await uploads.get(url, owner, { range: 'bytes=0-1,4-5' })).statusCode).toBe(200)
    expect((await uploads.get(url, owner, { range: 'bytes=0-1', 'if-range': '"another"' })).statusCode).toBe(200)
    expect((await uploads.get(url, owner, { range: 'bytes=0-1', 'if-range': String(whole.headers.etag) })).statusCode).toBe(206)
  })

  it('fails with an explanation if browsers can’t play it', async () => {
    const sent = await uploads.send(owner, video('hevc.mp4'), 'video/mp4')
    await test.runJobs()
    expect(await uploads.state(owner, sent.id)).toMatchObject({ status: 'failed', error: expect.stringContaining('HEVC') })
  })
})
