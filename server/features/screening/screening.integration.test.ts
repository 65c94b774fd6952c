import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { moderatedComment } from '#server/features/comments/comment.moderated.ts'
import { moderatedHuntComment } from '#server/features/hunts/hunts.moderated.ts'
import { moderatedPost } from '#server/features/posts/post.moderated.ts'
import { moderatedReview } from '#server/features/reviews/review.moderated.ts'
import type { EventName } from '#server/kernel/events.ts'
import { addBusiness, licensed, type TestBusiness } from '#tests/support/businesses.ts'
import { addHunt } from '#tests/support/hunts.ts'
import { addPost } from '#tests/support/posts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let newcomer: TestPerson
let regular: TestPerson
let reader: TestPerson
let owner: TestPerson
let shop: TestBusiness
let published: [EventName, unknown][] = []
let number = 0

const claim = 'This oil cures cancer'
const harmless = () => `The flower smells of pine, batch ${++number}`

beforeAll(async () => {
  test = await startTestApp()
  const publish = test.ctx.events.publish
  test.ctx.events.publish = async (tx, name, data) => {
    published.push([name, data])
    return publish(tx, name, data)
  }
  newcomer = await test.signUp()
  regular = await test.signUp()
  reader = await test.signUp()
  owner = await test.signUp()
  const created_at = new Date(test.clock.now().getTime() - 40 * 86_400_000)
  await test.db.updateTable('users').set({ created_at, email_verified: true }).where('id', 'in', [regular.user.id, owner.user.id]).execute()
  await test.db.updateTable('users').set({ has_completed_onboarding: true }).execute()
  shop = await addBusiness(test.db, { state: 'CA', city: 'Oakland', ...licensed })
  await test.db.insertInto('business_members').values({ business_id: shop.id, user_id: owner.user.id, role: 'owner' }).execute()
})
afterAll(() => test?.close())
beforeEach(() => {
  published = []
})

const post = (as: TestPerson, words: object) => test.request('POST', '/api/posts', as, { title: 'A title', businessId: null, ...words })
const openCase = (subject: string, id: string) =>
  test.db
    .selectFrom('moderation_cases')
    .selectAll()
    .where('subject', '=', subject as 'post')
    .where('subject_id', '=', id)
    .where('status', '=', 'open')
    .executeTakeFirst()
const postsCountOf = async ({ user }: TestPerson) =>
  (await test.db.selectFrom('users').select('posts_count').where('id', '=', user.id).executeTakeFirstOrThrow()).posts_count
const countPublished = (name: EventName) => published.filter(([each]) => each === name).length

describe('a post', () => {
  it('is also held for text in its place field, whether created or edited', async () => {
    const offer = 'Clones for sale, $20 each, text 503-555-0147'
    expect((await post(regular, { content: harmless(), place: offer })).json()).toMatchObject({ moderation: 'held' })
    const shown = (await post(regular, { content: harmless(), place: 'Oakland' })).json()
    expect(shown).toMatchObject({ moderation: null })
    const changed = await test.request('PATCH', `/api/posts/${shown.id}`, regular, { place: offer })
    expect(changed.json()).toMatchObject({ moderation: 'held' })
  })

  it('is visible only to its author while held, and isn’t counted or announced', async () => {
    const before = await postsCountOf(regular)
    const answer = await post(regular, { content: claim })
    expect(answer.statusCode).toBe(201)
    const held = answer.json()
    expect(held).toMatchObject({ moderation: 'held', heldFor: [expect.stringContaining('health claim')] })
    expect(await postsCountOf(regular)).toBe(before)
    expect(countPublished('post.published')).toBe(0)
    expect((await test.request('GET', `/api/posts/${held.id}`, regular)).json()).toMatchObject({ content: claim, heldFor: held.heldFor })
    expect((await test.request('GET', `/api/posts/${held.id}`, reader)).statusCode).toBe(404)
    const lists = await Promise.all(
      [reader, regular].map((as) => test.request('GET', `/api/people/${regular.user.id}/posts`, as).then((list) => list.body)),
    )
    expect(lists.map((list) => list.includes(held.id))).toEqual([false, true])

    const opened = await openCase('post', held.id)
    expect(opened).toMatchObject({ source: 'filter', user_id: regular.user.id })
    expect(opened?.findings).toEqual([{ rule: 'health', says: held.heldFor[0] }])
    expect(JSON.stringify(opened)).not.toContain('cancer')

    await test.db.transaction().execute((tx) => moderatedPost.set(tx, test.ctx, held.id, null))
    await test.db.transaction().execute((tx) => moderatedPost.set(tx, test.ctx, held.id, null))
    expect(await postsCountOf(regular)).toBe(before + 1)
    expect(countPublished('post.published')).toBe(1)
    expect((await test.request('GET', `/api/posts/${held.id}`, reader)).json()).toMatchObject({ moderation: null, heldFor: [] })

    // Approved text isn't held again, but text that replaces it can be.
    const mended = await test.request('PATCH', `/api/posts/${held.id}`, regular, { content: `${claim}. It tastes of pine.` })
    expect(mended.json()).toMatchObject({ moderation: null })
    const sold = await test.request('PATCH', `/api/posts/${held.id}`, regular, { content: 'Clones for sale, $20 each' })
    expect(sold.json()).toMatchObject({ moderation: 'held' })
    expect(await postsCountOf(regular)).toBe(before)
    expect((await test.request('DELETE', `/api/posts/${held.id}`, regular)).statusCode).toBe(204)
    expect(await postsCountOf(regular)).toBe(before)
  })

  it('is published if nothing is found', async () => {
    expect((await post(regular, { content: harmless() })).json()).toMatchObject({ moderation: null, heldFor: [] })
    expect(countPublished('post.published')).toBe(1)
  })

  it('is held for its title or tags, too', async () => {
    expect((await post(regular, { title: 'Free weed', content: harmless() })).json().moderation).toBe('held')
    expect((await post(regular, { content: harmless(), tags: ['giveaway'] })).json().moderation).toBe('held')
  })

  it('is held for a link only from a new account', async () => {
    const content = () => `${harmless()}, see https://example.com/diary`
    expect((await post(newcomer, { content: content() })).json()).toMatchObject({
      moderation: 'held',
      heldFor: [expect.stringContaining('link')],
    })
    expect((await post(regular, { content: content() })).json().moderation).toBeNull()
  })

  it('is held when repeated within a day', async () => {
    const content = 'Come and see our greenhouse by the river this weekend, coffee for everyone'
    expect((await post(regular, { content })).json().moderation).toBeNull()
    expect((await post(regular, { content: content.toUpperCase() })).json().heldFor).toEqual([
      expect.stringContaining('in the last 24 hours'),
    ])
    expect((await post(owner, { content })).json().moderation).toBeNull()
    test.clock.advance({ hours: 25 })
    expect((await post(regular, { content })).json().moderation).toBeNull()
    const fingerprints = await test.db.selectFrom('recent_words').selectAll().execute()
    expect(JSON.stringify(fingerprints)).not.toMatch(/greenhouse/i)
    test.clock.advance({ hours: 25 })
    await test.ctx.jobs.enqueue('screening.purge', {})
    await test.runJobs()
    expect(await test.db.selectFrom('recent_words').selectAll().execute()).toEqual([])
  })

  it('doesn’t count as its own repetition when edited', async () => {
    const content = 'A long story about how I dried the flower in a shed with a small fan and a hygrometer'
    const { id } = (await post(regular, { content })).json()
    const changed = await test.request('PATCH', `/api/posts/${id}`, regular, { content: `${content}, twice` })
    expect(changed.json().moderation).toBeNull()
  })

  it('is held when a third or later new account posts the same text', async () => {
    const content = 'The best dispensary of the whole valley is the new one behind the old mill, believe me'
    const states: (string | null)[] = []
    for (let i = 0; i < 4; i++) states.push((await post(await test.signUp(), { content })).json().moderation)
    expect(states).toEqual([null, null, 'held', 'held'])
  })
})

describe('advertising', () => {
  const promote = (words: object, business = shop, as = owner) =>
    post(as, { postType: 'promotion', businessId: business.id, content: 'Eighths at $25 this week', ...words })
  const legal = 'For adults 21 and over. License C10-0000123-LIC.'

  it('is published only under a verified, unexpired license', async () => {
    const unlicensed = await addBusiness(test.db)
    const expired = await addBusiness(test.db, { license_verified_through: '2020-01-01' })
    await test.db
      .insertInto('business_members')
      .values([unlicensed, expired].map(({ id }) => ({ business_id: id, user_id: owner.user.id, role: 'owner' as const })))
      .execute()
    for (const business of [unlicensed, expired]) {
      for (const postType of ['promotion', 'product']) {
        const refused = await promote({ postType, content: `Eighths at $25. ${legal}` }, business)
        expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden'])
        expect(refused.json().message).toContain('Verify the license')
      }
      expect((await promote({ postType: 'update', content: harmless() }, business)).statusCode).toBe(201)
    }
    const update = (await promote({ postType: 'update', content: harmless() }, unlicensed)).json()
    expect((await test.request('PATCH', `/api/posts/${update.id}`, owner, { postType: 'promotion' })).statusCode).toBe(403)
    expect((await promote({ content: `Eighths at $25 this week. ${legal}` })).json()).toMatchObject({ moderation: null })
    await test.db.deleteFrom('business_members').where('business_id', 'in', [unlicensed.id, expired.id]).execute()
  })

  it('is held if it lacks legally required words, appeals to minors or offers a giveaway', async () => {
    expect((await promote({ content: 'Ounces at $99' })).json()).toMatchObject({
      moderation: 'held',
      heldFor: [expect.stringContaining('license number')],
    })
    const cartoon = await promote({ content: `Our cartoon gummies. ${legal}` })
    expect(cartoon.json().heldFor).toEqual([expect.stringContaining('minors')])
    expect((await promote({ content: `Free joint with every order. ${legal}` })).json().heldFor).toEqual([
      expect.stringContaining('giveaway'),
    ])
  })

  it('is screened when its draft is published', async () => {
    const draft = (await test.request('POST', '/api/drafts', owner, { title: 'News', content: claim, businessId: shop.id })).json()
    const out = await test.request('POST', `/api/drafts/${draft.id}/publish`, owner)
    expect(out.json()).toMatchObject({ id: draft.id, moderation: 'held' })
    expect(countPublished('post.published')).toBe(0)
  })
})

describe('a comment', () => {
  it('is held, shown only to its author, and counted only after it is approved', async () => {
    const { id: postId } = await addPost(test.db, { author_id: reader.user.id })
    const comment = (content: string, as = regular) => test.request('POST', `/api/posts/${postId}/comments`, as, { content })
    const countOf = async () => (await test.request('GET', `/api/posts/${postId}`, reader)).json().commentsCount
    const held = (await comment('Zips 120, dm me')).json()
    expect(held).toMatchObject({ moderation: 'held', heldFor: [expect.stringContaining('sale between people')] })
    expect([await countOf(), countPublished('comment.written')]).toEqual([0, 0])
    const listOf = async (as: TestPerson) =>
      (await test.request('GET', `/api/posts/${postId}/comments`, as)).json().map((each: { id: string }) => each.id)
    expect([await listOf(regular), await listOf(reader)]).toEqual([[held.id], []])
    expect(await openCase('comment', held.id)).toMatchObject({ source: 'filter' })
    await test.db.transaction().execute((tx) => moderatedComment.set(tx, test.ctx, held.id, null))
    expect([await countOf(), countPublished('comment.written')]).toEqual([1, 1])
    const shown = (await comment(harmless())).json()
    expect(await countOf()).toBe(2)
    const changed = await test.request('PATCH', `/api/comments/${shown.id}`, regular, { content: claim })
    expect([changed.json().moderation, await countOf()]).toEqual(['held', 1])
  })
})

describe('a review', () => {
  it('is held for a health claim, with its stars not counted until approval, but may mention prices', async () => {
    const business = await addBusiness(test.db)
    const save = (review: string, rating = 5) => test.request('PUT', `/api/businesses/${business.slug}/rating`, regular, { rating, review })
    const held = (await save('Their tincture cured my epilepsy')).json()
    expect(held).toMatchObject({ total: 0, own: { moderation: 'held', heldFor: [expect.stringContaining('health')] } })
    expect(countPublished('review.written')).toBe(0)
    await test.db.transaction().execute((tx) => moderatedReview.set(tx, test.ctx, held.own.id, null))
    expect(countPublished('review.written')).toBe(1)
    const summary = await test.request('GET', `/api/businesses/${business.slug}/ratings/summary`, reader)
    expect(summary.json()).toMatchObject({ total: 1, average: 5 })
    expect((await save('Paid $45 for an eighth, worth it', 4)).json()).toMatchObject({ total: 1, average: 4, own: { moderation: null } })
    expect((await save('Text me at 303-555-0148', 4)).json()).toMatchObject({ total: 0, own: { moderation: 'held' } })
    expect((await save('Text me at 303-555-0148 or write', 3)).json()).toMatchObject({ total: 0, own: { moderation: 'held', rating: 3 } })
  })

  it('can’t get a reply that would be held', async () => {
    const other = await test.signUp()
    await test.db.updateTable('users').set({ has_completed_onboarding: true }).where('id', '=', other.user.id).execute()
    const { own } = (await test.request('PUT', `/api/businesses/${shop.slug}/rating`, other, { rating: 4, review: 'Kind people' })).json()
    const answer = (content: string) => test.request('PUT', `/api/ratings/${own.id}/reply`, owner, { content })
    const refused = await answer('Our oil cures cancer')
    expect([refused.statusCode, refused.json().fields.content]).toEqual([400, expect.stringContaining('health claim')])
    expect((await answer('Thank you, see you soon in the shop on Main Street, all of us')).statusCode).toBe(200)
  })
})

describe('a comment on a hunt', () => {
  it('is held, and counted only after it is approved', async () => {
    const hunt = await addHunt(test.db, reader.user.id, { visibility: 'public' })
    const held = (await test.request('POST', `/api/pheno-hunts/${hunt.id}/comments`, regular, { content: 'Raffle! Win an ounce' })).json()
    expect(held).toMatchObject({ moderation: 'held', heldFor: [expect.stringContaining('giveaway')] })
    const countOf = async () =>
      (await test.db.selectFrom('hunts').select('comments_count').where('id', '=', hunt.id).executeTakeFirstOrThrow()).comments_count
    expect([await countOf(), countPublished('hunt.commented')]).toEqual([0, 0])
    await test.db.transaction().execute((tx) => moderatedHuntComment.set(tx, test.ctx, held.id, null))
    expect([await countOf(), countPublished('hunt.commented')]).toEqual([1, 1])
  })
})

describe('a community', () => {
  it('is visible only to its owner if held, and refuses edits that would be held', async () => {
    const words = {
      name: 'Deals',
      description: 'Clones for sale, $20 each',
      category: 'general',
      visibility: 'public',
      rules: [] as string[],
    }
    const create = (change: object) => test.request('POST', '/api/communities', regular, { ...words, ...change })
    const held = (await create({})).json()
    expect((await test.request('GET', `/api/communities/${held.id}`, reader)).statusCode).toBe(404)
    expect((await test.request('GET', `/api/communities/${held.id}`, regular)).statusCode).toBe(200)
    expect(await openCase('community', held.id)).toMatchObject({ source: 'filter', user_id: regular.user.id })
    const open = (
      await create({ name: 'Talks', description: 'About soil', rules: ['No giveaways', 'Do not claim that it cures cancer'] })
    ).json()
    expect((await test.request('GET', `/api/communities/${open.id}`, reader)).statusCode).toBe(200)
    const change = await test.request('PATCH', `/api/communities/${open.id}`, regular, { description: claim })
    expect([change.statusCode, Object.keys(change.json().fields)]).toEqual([400, ['description']])
  })
})
