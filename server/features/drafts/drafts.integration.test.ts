import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { getBestTimes } from '#contracts/drafts.endpoints.ts'
import type { Draft } from '#contracts/drafts.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { deletionPhrase } from '#contracts/limits.ts'
import type { Post } from '#contracts/posts.ts'
import { sweepMedia } from '#server/features/media/remove-media.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { addMedia, addPost } from '#tests/support/posts.ts'
import { addComment, addPeople } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { draftJobs } from './index.ts'
import { publishDue as publishOne } from './write-drafts.ts'

let test: TestApp
let owner: TestPerson
let staff: TestPerson
let stranger: TestPerson
let shop: TestBusiness

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp({ accountType: 'business' })
  staff = await test.signUp()
  stranger = await test.signUp()
  shop = await addBusiness(test.db)
  await join(owner, 'owner')
  await join(staff, 'staff')
})
afterAll(() => test?.close())
beforeEach(() => test.db.deleteFrom('post_drafts').execute())

const join = (person: TestPerson, role: 'owner' | 'manager' | 'staff', businessId = shop.id) =>
  test.db.insertInto('business_members').values({ user_id: person.user.id, business_id: businessId, role }).execute()

async function made<Answer = Draft>(as: TestPerson, method: 'POST' | 'PUT' | 'PATCH' | 'GET' | 'DELETE', url: string, payload?: object) {
  const answer = await test.request(method, url, as, payload)
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
  return (answer.body === '' ? undefined : answer.json()) as Answer
}

const draft = (as: TestPerson, details: object = {}) =>
  made(as, 'POST', '/api/drafts', { title: 'Open on Friday', content: 'Come by', businessId: shop.id, ...details })

const inHours = (hours: number) => new Date(test.clock.now().getTime() + hours * 3_600_000).toISOString()
const schedule = (as: TestPerson, id: string, hours = 2) => made(as, 'PUT', `/api/drafts/${id}/schedule`, { publishAt: inHours(hours) })
const publishDue = () => draftJobs(test.ctx)['drafts.publish-due']({})
const postsOf = async (id: string) =>
  test.db.selectFrom('posts').select(['id', 'author_id', 'content', 'created_at']).where('id', '=', id).execute()
const draftOf = (id: string) => test.db.selectFrom('post_drafts').selectAll().where('id', '=', id).executeTakeFirst()

describe('a draft', () => {
  it('can be saved, even incomplete, and edited by anyone who may post for the business', async () => {
    const begun = await draft(owner, { content: '', tags: ['#Harvest', 'harvest'] })
    expect(begun).toMatchObject({ status: 'draft', title: 'Open on Friday', content: '', tags: ['harvest'], version: 1 })
    const changed = await made(staff, 'PATCH', `/api/drafts/${begun.id}`, { content: 'Now with words', version: 1 })
    expect(changed).toMatchObject({ title: 'Open on Friday', content: 'Now with words', version: 2 })
    const late = await test.request('PATCH', `/api/drafts/${begun.id}`, owner, { content: 'Over it', version: 1 })
    expect(late.statusCode).toBe(409)
    expect((await made<Draft[]>(staff, 'GET', `/api/drafts?business=${shop.slug}`)).map(({ id }) => id)).toEqual([begun.id])
    expect(await made<Draft[]>(owner, 'GET', '/api/drafts')).toEqual([])
    await made(staff, 'DELETE', `/api/drafts/${begun.id}`)
    expect((await test.request('GET', `/api/drafts/${begun.id}`, owner)).statusCode).toBe(404)
  })

  it('is private and can’t be advertising if a person owns it', async () => {
    const own = await draft(stranger, { businessId: null })
    expect((await made<Draft[]>(stranger, 'GET', '/api/drafts')).map(({ id }) => id)).toEqual([own.id])
    expect((await test.request('GET', `/api/drafts/${own.id}`, owner)).statusCode).toBe(404)
    const advertising = { title: 'T', content: 'C', postType: 'promotion', isExclusive: true }
    const refused = await test.request('POST', '/api/drafts', stranger, advertising)
    expect(refused.json().fields).toMatchObject({ postType: expect.any(String), isExclusive: expect.any(String) })
  })

  it('is listed exactly once across pages', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.unshift((await draft(owner)).id)
    const seen: string[] = []
    let url: string | undefined = `/api/drafts?business=${shop.slug}&limit=2`
    while (url) {
      const answer = await test.request('GET', url, owner)
      seen.push(...(answer.json() as Draft[]).map(({ id }) => id))
      url = /<([^>]+)>/.exec((answer.headers.link as string | undefined) ?? '')?.[1]
    }
    expect(seen).toEqual(ids)
  })

  it('stores its pictures, which only the team can see', async () => {
    const picture = await addMedia(test.db, owner.user.id, { created_at: '2026-01-01', updated_at: '2026-01-01' })
    const loose = await addMedia(test.db, owner.user.id, { created_at: '2026-01-01', updated_at: '2026-01-01' })
    const kept = await draft(owner, { mediaIds: [picture.id] })
    expect(kept.media.map(({ id }) => id)).toEqual([picture.id])
    await sweepMedia(test.ctx)
    const left = await test.db.selectFrom('media').select('id').where('id', 'in', [picture.id, loose.id]).execute()
    expect(left).toEqual([{ id: picture.id }])
    const bytes = (as: TestPerson | null) => test.request('GET', `/media/${picture.id}/small.webp`, as)
    // Storage is read only for people who may see the media.
    const readKeys: string[] = []
    const { get } = test.ctx.storage
    test.ctx.storage.get = async (key) => {
      readKeys.push(key)
      return { size: 1, first: 0, last: 0, body: Readable.from(['x']) }
    }
    for (const other of [stranger, null]) await bytes(other)
    expect(readKeys).toEqual([])
    await bytes(staff)
    expect(readKeys).toHaveLength(1)
    test.ctx.storage.get = get
    // A colleague may keep the media on this draft. Not even its uploader can use it elsewhere.
    await made(staff, 'PATCH', `/api/drafts/${kept.id}`, { mediaIds: [picture.id], title: 'With a picture', version: 1 })
    const taken = await test.request('POST', '/api/posts', owner, { title: 'T', content: 'C', mediaIds: [picture.id] })
    expect(taken.json().fields.mediaIds).toMatch(/shown somewhere/)
    const post = await made<Post>(staff, 'POST', `/api/drafts/${kept.id}/publish`)
    expect(post.media.map(({ id }) => id)).toEqual([picture.id])
  })
})

describe('a scheduled post', () => {
  it('is published once at its time under the draft’s ID', async () => {
    const { id } = await draft(owner)
    const publishAt = inHours(2)
    expect(await made(staff, 'PUT', `/api/drafts/${id}/schedule`, { publishAt })).toMatchObject({ status: 'scheduled', publishAt })
    await publishDue()
    expect(await postsOf(id)).toEqual([])
    test.clock.advance({ hours: 2 })
    await publishDue()
    await publishDue()
    const posts = await postsOf(id)
    expect(posts).toMatchObject([{ author_id: staff.user.id, content: 'Come by' }])
    expect(posts[0]?.created_at.getTime()).toBeGreaterThanOrEqual(Date.parse(publishAt))
    expect(await draftOf(id)).toBeUndefined()
  })

  it('is published once, even if several servers and a person publish it at the same time', async () => {
    const { id } = await draft(owner)
    await schedule(owner, id)
    test.clock.advance({ hours: 2 })
    const before = await test.db
      .selectFrom('posts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    let published = 0
    const ctx = { ...test.ctx, events: { publish: async () => void published++ } as typeof test.ctx.events }
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => draftJobs(ctx)['drafts.publish-due']({})),
      ...Array.from({ length: 4 }, () => test.request('POST', `/api/drafts/${id}/publish`, owner)),
    ])
    for (const answer of answers.flatMap((each) => each ?? [])) expect([200, 404]).toContain(answer.statusCode)
    await publishDue()
    const after = await test.db
      .selectFrom('posts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(after.count - before.count).toBe(1)
    expect(published).toBeLessThanOrEqual(1)
    expect((await made<Post>(owner, 'POST', `/api/drafts/${id}/publish`)).id).toBe(id)
    expect((await test.request('POST', `/api/drafts/${id}/publish`, stranger)).statusCode).toBe(404)
  })

  it('is rolled back if publishing fails at the last moment, and published once by the next run', async () => {
    const { id } = await draft(owner)
    await schedule(owner, id)
    // The clock jumps days past the scheduled time.
    test.clock.advance({ hours: 24 * 9 })
    const failing = {
      ...test.ctx,
      events: {
        publish: async () => {
          throw new Error('killed')
        },
      } as typeof test.ctx.events,
      log: { ...test.ctx.log, error: () => {} } as unknown as typeof test.ctx.log,
    }
    await draftJobs(failing)['drafts.publish-due']({})
    expect(await postsOf(id)).toEqual([])
    expect(await draftOf(id)).toMatchObject({ status: 'scheduled' })
    await publishDue()
    expect(await postsOf(id)).toHaveLength(1)
  })

  it('isn’t published at its old time after it is rescheduled', async () => {
    const { id } = await draft(owner)
    await schedule(owner, id)
    expect(await publishOne(test.ctx, id)).toBe('not due')
    await made(owner, 'DELETE', `/api/drafts/${id}/schedule`)
    test.clock.advance({ hours: 3 })
    expect(await publishOne(test.ctx, id)).toBe('not due')
    expect(await postsOf(id)).toEqual([])
  })

  it('isn’t delayed by another scheduled post that fails', async () => {
    const [first, second] = [await draft(owner), await draft(owner)]
    await schedule(owner, first.id, 1)
    await schedule(owner, second.id, 2)
    test.clock.advance({ hours: 3 })
    const { publish } = test.ctx.events
    const events = {
      publish: (async (tx, name, data) => {
        if ('postId' in data && data.postId === first.id) throw new Error('broken')
        return publish(tx, name, data)
      }) as typeof publish,
    }
    const log = { ...test.ctx.log, error: () => {} } as unknown as typeof test.ctx.log
    await draftJobs({ ...test.ctx, events, log })['drafts.publish-due']({})
    expect(await postsOf(second.id)).toHaveLength(1)
    expect(await draftOf(first.id)).toMatchObject({ status: 'scheduled' })
  })

  it('is published as a post of the teammate who last changed it, and can’t be changed by muted people', async () => {
    const { id } = await draft(owner)
    const { version } = await schedule(owner, id)
    await test.db
      .updateTable('users')
      .set({ muted_until: inHours(9) })
      .where('id', '=', staff.user.id)
      .execute()
    const refused = await test.request('PATCH', `/api/drafts/${id}`, staff, { content: 'Half price', version })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'muted'])
    await test.db.updateTable('users').set({ muted_until: null }).where('id', '=', staff.user.id).execute()
    expect(await made(staff, 'PATCH', `/api/drafts/${id}`, { content: 'Come early', version })).toMatchObject({
      status: 'scheduled',
      author: { id: staff.user.id },
    })
    test.clock.advance({ hours: 3 })
    await publishDue()
    expect(await postsOf(id)).toMatchObject([{ author_id: staff.user.id, content: 'Come early' }])
  })

  it('isn’t published if the person who scheduled it asked to delete their account', async () => {
    const leaver = await test.signUp()
    await join(leaver, 'staff')
    const [own, ofShop] = [await draft(leaver, { businessId: null }), await draft(owner)]
    for (const { id } of [own, ofShop]) await schedule(leaver, id)
    await made(leaver, 'POST', '/api/user/deletion', { password: leaver.password, confirmation: deletionPhrase })
    test.clock.advance({ hours: 3 })
    await publishDue()
    for (const { id } of [own, ofShop]) expect(await postsOf(id)).toEqual([])
    const yours = 'You asked to delete your account. If you keep it, schedule this again.'
    expect(await draftOf(own.id)).toMatchObject({ status: 'failed', error: yours })
    const theirs = 'The person who scheduled this is leaving. Schedule it again.'
    expect(await draftOf(ofShop.id)).toMatchObject({ status: 'failed', error: theirs })
  })

  it('is refused if a picture isn’t ready, or if the business moved to a place where the author is too young', async () => {
    const picture = await addMedia(test.db, owner.user.id)
    const broken = await draft(owner, { mediaIds: [picture.id] })
    await schedule(owner, broken.id)
    await test.db.updateTable('media').set({ status: 'processing' }).where('id', '=', picture.id).execute()

    const nineteen = await test.signUp({ birthday: `${test.clock.now().getUTCFullYear() - 20}-01-01` })
    const toronto = await addBusiness(test.db, { city: 'Toronto', state: 'ON', country: 'CA' })
    await join(nineteen, 'owner', toronto.id)
    const offer = await draft(nineteen, { businessId: toronto.id, postType: 'promotion' })
    await schedule(nineteen, offer.id)
    await test.db.updateTable('businesses').set({ country: 'US', state: 'CO' }).where('id', '=', toronto.id).execute()

    test.clock.advance({ hours: 3 })
    await publishDue()
    expect(await draftOf(broken.id)).toMatchObject({ status: 'failed', error: expect.stringMatching(/isn’t ready/) })
    expect(await draftOf(offer.id)).toMatchObject({ status: 'failed', error: expect.stringMatching(/21 or older/) })
  })

  it('requires text and a time in the future', async () => {
    const { id } = await draft(owner, { content: '' })
    const at = (publishAt: string) => test.request('PUT', `/api/drafts/${id}/schedule`, owner, { publishAt })
    expect((await at(inHours(2))).json().fields).toEqual({ content: 'Content is required' })
    await made(owner, 'PATCH', `/api/drafts/${id}`, { content: 'Words', version: 1 })
    for (const hours of [0, -1, 24 * 366]) expect((await at(inHours(hours))).json().fields).toHaveProperty('publishAt')
    expect((await at(inHours(2))).statusCode).toBe(200)
    const emptied = await test.request('PATCH', `/api/drafts/${id}`, owner, { content: '', version: 3 })
    expect(emptied.json().fields).toEqual({ content: 'Content is required' })
    expect(await made(owner, 'DELETE', `/api/drafts/${id}/schedule`)).toMatchObject({ status: 'draft', publishAt: null })
    expect(await made(owner, 'DELETE', `/api/drafts/${id}/schedule`)).toMatchObject({ status: 'draft', version: 4 })
  })
})

describe('the list of best times', () => {
  const timesOf = (slug: string, query = '') =>
    made<ResponseOf<typeof getBestTimes>>(owner, 'GET', `/api/businesses/${slug}/best-times${query}`)

  it('lists the hours with reactions from five or more people, in local time', async () => {
    const { id, slug } = await addBusiness(test.db)
    await join(owner, 'owner', id)
    await join(staff, 'staff', id)
    const posts = await Promise.all([1, 2, 3, 4].map(() => addPost(test.db, { author_id: owner.user.id, business_id: id })))
    const people = await addPeople(test.db, 6)
    // Monday in UTC, still Sunday evening in Phoenix.
    const monday = new Date(test.clock.now().getTime() - 20 * 86_400_000)
    monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
    monday.setUTCHours(2, 30, 0, 0)
    const like = (post: number, userIds: string[], at: Date) =>
      test.db
        .insertInto('post_likes')
        .values(userIds.map((user_id) => ({ post_id: posts[post]?.id as string, user_id, created_at: at })))
        .execute()
    for (const post of [0, 1, 2]) await like(post, people, monday)
    // Reactions by the team and old reactions don't count.
    await like(0, [owner.user.id, staff.user.id], monday)
    await addComment(test.db, { post_id: posts[0]?.id as string, author_id: people[0] as string, created_at: '2025-01-01' })
    expect(await timesOf(slug)).toEqual({ timeZone: 'UTC', reactionCount: 18, hours: [] })
    // Four people are too few to show.
    await like(3, people.slice(0, 4), new Date(monday.getTime() + 3_600_000))
    expect(await timesOf(slug)).toEqual({ timeZone: 'UTC', reactionCount: 22, hours: [{ weekday: 0, hour: 2, reactionCount: 18 }] })
    const local = await timesOf(slug, '?timeZone=America/Phoenix')
    expect(local).toMatchObject({ timeZone: 'America/Phoenix', hours: [{ weekday: 6, hour: 19, reactionCount: 18 }] })
    await test.db.insertInto('locations').values({ id, business_id: id, name: 'Main', time_zone: 'Asia/Kolkata' }).execute()
    expect((await timesOf(slug)).hours).toEqual([{ weekday: 0, hour: 8, reactionCount: 18 }])
    expect((await test.request('GET', `/api/businesses/${slug}/best-times?timeZone=Mars/Base`, owner)).statusCode).toBe(400)
    // JavaScript accepts this zone and PostgreSQL doesn't; a business may have chosen it.
    await test.db.updateTable('locations').set({ time_zone: 'AET' }).where('id', '=', id).execute()
    expect(await timesOf(slug)).toMatchObject({ timeZone: 'UTC', reactionCount: 22 })
  })
})

describe('access', () => {
  it('is granted to the owner, managers, and staff, and denied to everyone else', async () => {
    const manager = await test.signUp()
    await join(manager, 'manager')
    const rival = await test.signUp({ accountType: 'business' })
    await join(rival, 'owner', (await addBusiness(test.db)).id)
    const may: [string, TestPerson | null, boolean][] = [
      ['owner', owner, true],
      ['manager', manager, true],
      ['staff', staff, true],
      ['stranger', stranger, false],
      ["another business's owner", rival, false],
      ['signed out', null, false],
    ]
    for (const [who, person, mayDo] of may) {
      const { id } = await draft(owner)
      const calls: [Parameters<TestApp['request']>[0], string, object | undefined, number][] = [
        ['GET', `/api/drafts?business=${shop.slug}`, undefined, 403],
        ['POST', '/api/drafts', { title: 'T', businessId: shop.id }, 403],
        ['GET', `/api/businesses/${shop.slug}/best-times`, undefined, 403],
        ['GET', `/api/drafts/${id}`, undefined, 404],
        ['PATCH', `/api/drafts/${id}`, { title: 'Mine', version: 1 }, 404],
        ['PUT', `/api/drafts/${id}/schedule`, { publishAt: inHours(2) }, 404],
        ['DELETE', `/api/drafts/${id}/schedule`, undefined, 404],
        ['POST', `/api/drafts/${id}/publish`, undefined, 404],
        ['DELETE', `/api/drafts/${(await draft(owner)).id}`, undefined, 404],
      ]
      for (const [method, url, body, refusal] of calls) {
        const { statusCode } = await test.request(method, url, person, body)
        const expected = mayDo ? [200, 201, 204] : [person ? refusal : 401]
        expect(expected, `${who}: ${method} ${url}`).toContain(statusCode)
      }
    }
  })
})
