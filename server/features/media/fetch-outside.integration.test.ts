import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bombs, pictureWithSecrets } from '../../../tests/support/pictures.ts'
import { startTestApp, type TestApp, type TestPerson } from '../../../tests/support/test-app.ts'
import { uploadsOf } from '../../../tests/support/uploads.ts'
import { newId } from '../../kernel/ids.ts'
import { OutsideRefused } from '../../kernel/outside.ts'

let test: TestApp
let uploads: ReturnType<typeof uploadsOf>
let owner: TestPerson
let stranger: TestPerson
const outside = new Map<string, Buffer | Error>()

beforeAll(async () => {
  test = await startTestApp({
    fetchPicture: async (url) => {
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

describe('pictures of other sites', () => {
  const create = async (imageUrl: string) =>
    (await test.request('POST', '/api/businesses', owner, { businessName: `Shop ${newId()}`, location: 'Denver, CO', imageUrl })).json()
  const pictureOf = async (id: string) => (await test.request('GET', `/api/businesses/${id}`)).json().imageUrl

  it("become the business's picture, from here; the address is never sent to anybody", async () => {
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
    const page = await uploads.get(`/business/${business.slug}`)
    expect(page.body).toContain(`"image":"http://localhost:3000${url}"`)
  })

  it('come before the own pictures of a post, with room for ten', async () => {
    outside.set('https://pictures.example/post.jpg', await pictureWithSecrets('jpeg', 120, 80))
    const own = await uploads.upload(owner, await pictureWithSecrets('png'))
    const write = async (mediaIds: string[]) =>
      (
        await test.request('POST', '/api/posts', owner, {
          title: 'With a picture',
          content: 'Words',
          businessId: null,
          imageUrl: 'https://pictures.example/post.jpg',
          mediaIds,
        })
      ).json()
    const { id } = await write([own.id])
    await test.runJobs()
    const answer = await test.request('GET', `/api/posts/${id}`, stranger)
    const shown = answer.json().media as { id: string; width: number }[]
    expect(shown.map((media) => [media.id === own.id, media.width])).toEqual([
      [false, 80],
      [true, 64],
    ])
    expect(answer.body).not.toContain('pictures.example')
    const ten: string[] = []
    while (ten.length < 10) ten.push((await uploads.upload(owner, await pictureWithSecrets('gif'))).id)
    const full = await write(ten)
    await test.runJobs()
    expect((await test.request('GET', `/api/posts/${full.id}`, owner)).json().media.map((media: { id: string }) => media.id)).toEqual(ten)
  })

  it('that are refused or broken are not shown, and not asked for again', async () => {
    outside.set('https://pictures.example/broken.jpg', (await pictureWithSecrets('jpeg')).subarray(0, 900))
    outside.set('https://pictures.example/bomb.png', bombs().png)
    for (const name of ['nothing.jpg', 'broken.jpg', 'bomb.png']) {
      const business = await create(`https://pictures.example/${name}`)
      await test.runJobs()
      expect(await pictureOf(business.id), name).toBeNull()
    }
  })

  it('that are only away for now are tried again', async () => {
    outside.set('https://pictures.example/late.jpg', new Error('connect ETIMEDOUT'))
    const business = await create('https://pictures.example/late.jpg')
    await expect(test.runJobs()).rejects.toThrow('ETIMEDOUT')
    const { id, source_url } = await test.db
      .selectFrom('media')
      .select(['id', 'source_url'])
      .where('status', '=', 'processing')
      .where('source_url', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(source_url).toBe('https://pictures.example/late.jpg')
    outside.set('https://pictures.example/late.jpg', await pictureWithSecrets('jpeg'))
    await test.ctx.jobs.enqueue('media.fetch-outside', { mediaId: id, attach: { businessId: business.id } })
    await test.runJobs()
    expect(await pictureOf(business.id)).toMatch(/^\/media\//)
  })

  it('wait twenty at a time for one person, so that nobody keeps the others waiting', async () => {
    const hoarder = await test.signUp()
    const write = async () =>
      (
        await test.request('POST', '/api/posts', hoarder, {
          title: 'With a picture',
          content: 'Words',
          businessId: null,
          imageUrl: 'https://pictures.example/nothing.jpg',
        })
      ).statusCode
    const answers = []
    for (let i = 0; i < 21; i++) answers.push(await write())
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 201), 409])
    await test.runJobs()
    expect(await write()).toBe(201)
  })
})
