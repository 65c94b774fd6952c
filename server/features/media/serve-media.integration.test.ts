import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { recordMediaUses } from '#tests/support/media-uses.ts'
import { pictureWithSecrets } from '#tests/support/pictures.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'

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

describe('the audience of a picture', () => {
  const filesOf = (id: string) => ['small', 'medium', 'large'].flatMap((size) => [`/media/${id}/${size}.avif`, `/media/${id}/${size}.webp`])
  const statuses = async (id: string, as: TestPerson | null) => [
    ...new Set(await Promise.all(filesOf(id).map(async (url) => (await uploads.get(url, as)).statusCode))),
  ]

  it('is only its owner while unused, and anyone else gets a 404', async () => {
    const media = await uploads.upload(owner, await pictureWithSecrets('png'))
    expect(await statuses(media.id, owner)).toEqual([200])
    const { headers } = await uploads.get(`/media/${media.id}/small.webp`, owner)
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(await statuses(media.id, stranger)).toEqual([404])
    expect(await statuses(media.id, null)).toEqual([404])
    const absent = await uploads.get(`/media/${newId()}/small.webp`, stranger)
    const hidden = await uploads.get(`/media/${media.id}/small.webp`, stranger)
    expect([hidden.statusCode, hidden.body]).toEqual([absent.statusCode, absent.body])
    for (const url of [
      '/media/nothing/small.webp',
      `/media/${media.id}/huge.webp`,
      `/media/${media.id}/video.mp4`,
      `/media/${media.id}/..%2f..%2fsecrets.json`,
    ]) {
      expect((await uploads.get(url, owner)).statusCode, url).toBe(404)
    }
  })

  it('includes members if a person’s post shows it', async () => {
    const media = await uploads.upload(owner, await pictureWithSecrets('png'))
    await uploads.addPost(owner, [media.id])
    expect(await statuses(media.id, stranger)).toEqual([200])
    expect((await uploads.get(`/media/${media.id}/small.avif`, stranger)).headers['cache-control']).toBe('private, no-cache')
    expect(await statuses(media.id, null)).toEqual([404])
  })

  it('includes everyone, with caching only in browsers, if a business’s public post shows it', async () => {
    const media = await uploads.upload(owner, await pictureWithSecrets('png'))
    await uploads.addPost(owner, [media.id], { businessId: (await addBusiness(test.db)).id })
    expect(await statuses(media.id, null)).toEqual([200])
    const { headers } = await uploads.get(`/media/${media.id}/small.avif`)
    expect(headers).toMatchObject({
      'cache-control': 'private, max-age=31536000, immutable',
      'content-type': 'image/avif',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    const again = await uploads.get(`/media/${media.id}/small.avif`, null, { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
    const reads = vi.spyOn(test.ctx.storage, 'get')
    const head = await test.app.inject({ method: 'HEAD', url: `/media/${media.id}/small.avif`, headers: { range: 'bytes=5-10' } })
    expect(reads.mock.calls.map(([, range]) => range)).toEqual([{ first: 0, last: 0 }])
    reads.mockRestore()
    expect([head.statusCode, head.rawPayload.length, head.headers['content-length']]).toEqual([200, 0, headers['content-length']])
    expect(head.headers['content-type']).toBe('image/avif')
  })

  it('is limited to subscribers, the team, and the uploader, without caching, if an exclusive post shows it', async () => {
    const business = await addBusiness(test.db)
    const subscriber = await test.signUp()
    const runner = await test.signUp()
    await test.request('POST', '/api/subscriptions', subscriber, { businessId: business.id })
    await test.db.insertInto('business_members').values({ business_id: business.id, user_id: runner.user.id, role: 'manager' }).execute()
    const media = await uploads.upload(owner, await pictureWithSecrets('png'))
    await uploads.addPost(owner, [media.id], { businessId: business.id, isExclusive: true })
    for (const person of [owner, subscriber, runner]) {
      expect(await statuses(media.id, person)).toEqual([200])
      expect((await uploads.get(`/media/${media.id}/large.webp`, person)).headers['cache-control']).toBe('private, no-cache')
    }
    const etag = String((await uploads.get(`/media/${media.id}/large.webp`, subscriber)).headers.etag)
    for (const person of [stranger, null]) {
      expect(await statuses(media.id, person)).toEqual([404])
      expect((await uploads.get(`/media/${media.id}/large.webp`, person, { 'if-none-match': etag })).statusCode).toBe(404)
      expect((await uploads.get(`/media/${media.id}/large.webp`, person, { range: 'bytes=0-10' })).statusCode).toBe(404)
    }
    await test.request('DELETE', `/api/subscriptions/${business.id}`, subscriber)
    expect(await statuses(media.id, subscriber)).toEqual([404])
  })

  it('includes everyone if it is the picture of a public profile', async () => {
    const media = await uploads.upload(owner, await pictureWithSecrets('png'))
    const portrait = async (set: object) => {
      await test.db.updateTable('users').set(set).where('id', '=', owner.user.id).execute()
      await recordMediaUses(test.db, 'person', owner.user.id)
    }
    await portrait({ image_id: media.id, is_profile_public: true })
    expect(await statuses(media.id, null)).toEqual([200])
    expect((await uploads.get(`/media/${media.id}/small.avif`)).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const hidden of [
      { is_profile_public: false, profile_moderation: null },
      { is_profile_public: true, profile_moderation: 'hidden' },
    ]) {
      await portrait(hidden)
      expect([await statuses(media.id, null), await statuses(media.id, stranger)]).toEqual([[404], [404]])
      expect((await uploads.get(`/media/${media.id}/small.avif`, owner)).headers['cache-control']).toBe('private, no-cache')
    }
    await portrait({ image_id: null, is_profile_public: false, profile_moderation: null })
    expect(await statuses(media.id, null)).toEqual([404])
  })
})
