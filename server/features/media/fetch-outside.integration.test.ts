import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Notification } from '#contracts/notifications.ts'
import type { Post } from '#contracts/posts.ts'
import { OutsideRefused } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { bombs, pictureWithSecrets } from '#tests/support/pictures.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'

let test: TestApp
let uploads: ReturnType<typeof uploadsOf>
let owner: TestPerson
let stranger: TestPerson
const outside = new Map<string, Buffer | Error>()
const asked: string[] = []

beforeAll(async () => {
  test = await startTestApp({
    fetchPicture: async (url) => {
      asked.push(url)
      const found = outside.get(url) ?? new OutsideRefused('There is no picture at this address.')
      if (found instanceof Error) throw found
      return found
    },
  })
  uploads = uploadsOf(test)
  owner = await test.signUp()
  stranger = await test.signUp()
})
afterAll(() => test?.close())

describe('a picture from another site', () => {
  const create = async (imageUrl: string) =>
    (await test.request('POST', '/api/businesses', owner, { businessName: `Shop ${newId()}`, location: 'Denver, CO', imageUrl })).json()
  const pictureOf = async (id: string) => (await test.request('GET', `/api/businesses/${id}`)).json().imageUrl

  it('becomes the business’s picture on this server without revealing the address', async () => {
    outside.set('https://pictures.example/canary-address.jpg', await pictureWithSecrets('jpeg', 1200, 800))
    const business = await create('https://pictures.example/canary-address.jpg')
    expect(business.imageUrl).toBeNull()
    await test.runJobs()
    const url = await pictureOf(business.id)
    expect(url).toMatch(/^\/media\/[0-9a-f-]+\/medium\.webp$/)
    expect((await uploads.get(url)).headers['cache-control']).toContain('public')
    for (const address of [`/api/businesses/${business.id}`, '/api/businesses?q=Shop', `/business/${business.slug}`]) {
      expect((await uploads.get(address)).body, address).not.toContain('canary-address')
    }
  })

  it('is fetched again, as often as necessary, while the storage is down', async () => {
    outside.set('https://pictures.example/patient.jpg', await pictureWithSecrets('jpeg', 300, 200))
    const business = await create('https://pictures.example/patient.jpg')
    const { storage } = test.ctx
    const { put } = storage
    storage.put = async () => {
      throw new AppError('unavailable')
    }
    try {
      for (let tries = 0; tries < 8; tries++) {
        await test.runJobs()
        test.clock.advance({ minutes: 10 })
      }
    } finally {
      storage.put = put
    }
    expect(await pictureOf(business.id)).toBeNull()
    await test.runJobs()
    expect(await pictureOf(business.id)).toMatch(/^\/media\//)
  })

  it('doesn’t replace a picture that its business has chosen since', async () => {
    const edit = (id: string, edits: object) => test.request('PATCH', `/api/businesses/${id}`, owner, edits)
    const slow = 'https://pictures.example/slow.jpg'
    outside.set(slow, new Error('timed out'))
    const business = await create(slow)
    await test.runJobs()
    const own = await uploads.upload(owner, await pictureWithSecrets('png'))
    expect((await edit(business.id, { imageId: own.id })).statusCode).toBe(200)
    const chosen = await pictureOf(business.id)
    expect(chosen).toContain(own.id)
    outside.set(slow, await pictureWithSecrets('jpeg', 300, 200))
    test.clock.advance({ minutes: 2 })
    await test.runJobs()
    expect(await pictureOf(business.id)).toBe(chosen)

    await edit(business.id, { imageUrl: slow })
    await edit(business.id, { imageUrl: '' })
    await test.runJobs()
    expect(await pictureOf(business.id)).toBeNull()
  })

  const write = async (as: TestPerson, name: string, mediaIds: string[] = []) =>
    test.request('POST', '/api/posts', as, {
      title: 'With a picture',
      content: 'Words',
      businessId: null,
      imageUrl: `https://pictures.example/${name}`,
      mediaIds,
    })
  const read = async (id: string) => (await test.request('GET', `/api/posts/${id}`, owner)).json() as Post
  const newsOf = async (as: TestPerson) => {
    const items = (await test.request('GET', '/api/notifications', as)).json() as Notification[]
    return items.filter(({ type }) => type === 'picture_missing').map(({ title, content, actionUrl }) => ({ title, content, actionUrl }))
  }

  it('comes before a post’s uploaded pictures, at the address already returned to its author', async () => {
    outside.set('https://pictures.example/post.jpg', await pictureWithSecrets('jpeg', 120, 80))
    const own = await uploads.upload(owner, await pictureWithSecrets('png'))
    const written = await write(owner, 'post.jpg', [own.id])
    const { id, imageUrl } = written.json() as Post
    expect([written.statusCode, imageUrl]).toEqual([201, expect.stringMatching(/^\/media\/[0-9a-f-]+\/large\.webp$/)])
    expect((await uploads.get(String(imageUrl), stranger)).statusCode).toBe(404)
    await test.runJobs()
    const answer = await test.request('GET', `/api/posts/${id}`, stranger)
    const shown = answer.json().media as { id: string; width: number }[]
    expect(shown.map((media) => [media.id === own.id, media.width])).toEqual([
      [false, 80],
      [true, 64],
    ])
    expect((await uploads.get(String(imageUrl), stranger)).headers['content-type']).toBe('image/webp')
    expect(answer.body).not.toContain('pictures.example')
    expect(await newsOf(owner)).toEqual([])
  })

  it('is refused if the post already has ten uploads, and remains if the post is edited before the fetch', async () => {
    outside.set('https://pictures.example/slow.jpg', await pictureWithSecrets('jpeg', 120, 80))
    const ten: string[] = []
    while (ten.length < 10) ten.push((await uploads.upload(owner, await pictureWithSecrets('gif'))).id)
    const full = await write(owner, 'slow.jpg', ten)
    expect([full.statusCode, Object.keys(full.json().fields)]).toEqual([400, ['imageUrl']])
    const { id } = (await write(owner, 'slow.jpg', ten.slice(0, 1))).json() as Post
    const edit = (mediaIds: string[]) => test.request('PATCH', `/api/posts/${id}`, owner, { mediaIds })
    expect((await edit(ten)).statusCode).toBe(400)
    expect((await edit(ten.slice(1, 3))).statusCode).toBe(200)
    await test.runJobs()
    const [first, ...others] = (await read(id)).media.map((media) => media.id)
    expect([ten.includes(String(first)), others]).toEqual([false, ten.slice(1, 3)])
  })

  it('is left out if refused or broken, and the post’s author or the business’s owner learns why', async () => {
    outside.set('https://pictures.example/broken.jpg', (await pictureWithSecrets('jpeg')).subarray(0, 900))
    outside.set('https://pictures.example/bomb.png', bombs().png)
    const writer = await test.signUp()
    for (const [name, reason] of [
      ['nothing.jpg', 'There is no picture at this address.'],
      ['broken.jpg', 'damaged'],
      ['bomb.png', 'pixels'],
    ] as const) {
      const business = await create(`https://pictures.example/${name}`)
      const { id } = (await write(writer, name)).json() as Post
      await test.runJobs()
      expect(await pictureOf(business.id), name).toBeNull()
      expect(await read(id), name).toMatchObject({ imageUrl: null, media: [] })
      const [news] = await newsOf(writer)
      expect(news).toEqual({
        title: 'The picture for your post “With a picture” couldn’t be loaded',
        content: expect.stringContaining(reason),
        actionUrl: `/post/${id}`,
      })
      expect((await newsOf(owner))[0]).toMatchObject({
        title: `The picture for ${business.name} couldn’t be loaded`,
        actionUrl: `/business-dashboard/profile?business=${business.slug}`,
      })
    }
    expect(await newsOf(stranger)).toEqual([])
    expect((await newsOf(writer)).length).toBe(3)
  })

  it('is fetched up to four times if temporarily unavailable', async () => {
    const away = new Error('connect ETIMEDOUT')
    outside.set('https://pictures.example/late.jpg', away)
    outside.set('https://pictures.example/never.jpg', away)
    const writer = await test.signUp()
    const late = (await write(writer, 'late.jpg')).json() as Post
    const never = (await write(writer, 'never.jpg')).json() as Post
    await test.runJobs()
    expect(await newsOf(writer)).toEqual([])
    test.clock.advance({ seconds: 61 })
    outside.set('https://pictures.example/late.jpg', await pictureWithSecrets('jpeg'))
    await test.runJobs()
    expect((await read(late.id)).media).toHaveLength(1)
    expect((await read(never.id)).imageUrl).not.toBeNull()
    for (const seconds of [600, 3600]) {
      test.clock.advance({ seconds: seconds + 1 })
      await test.runJobs()
    }
    expect((await read(never.id)).imageUrl).toBeNull()
    expect(await newsOf(writer)).toEqual([expect.objectContaining({ content: 'The site didn’t respond.', actionUrl: `/post/${never.id}` })])
    expect(asked.filter((url) => url.endsWith('never.jpg'))).toHaveLength(4)
  })

  it('is refused while the person has twenty waiting, so no one delays everyone else', async () => {
    const hoarder = await test.signUp()
    const answers = []
    for (let i = 0; i < 21; i++) answers.push((await write(hoarder, 'nothing.jpg')).statusCode)
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 201), 409])
    await test.runJobs()
    expect((await write(hoarder, 'nothing.jpg')).statusCode).toBe(201)
  })
})
