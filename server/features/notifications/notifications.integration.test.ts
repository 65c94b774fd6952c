import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import { notificationTopics, notificationTypes } from '#contracts/notification-types.ts'
import type { Notification } from '#contracts/notifications.ts'
import type { EventData, EventName } from '#server/kernel/events.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import * as social from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let ann: TestPerson
let ben: TestPerson
let cleo: TestPerson
let young: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  ann = await test.signUp({ firstName: 'Ann', lastName: 'Ash' })
  ben = await test.signUp({ firstName: 'Ben', lastName: 'Birch' })
  cleo = await test.signUp({ firstName: 'Cleo', lastName: 'Cedar' })
  young = await test.signUp({ firstName: 'Yan', lastName: 'Young', birthday: `${test.clock.now().getUTCFullYear() - 20}-01-01` })
})
afterAll(() => test?.close())
beforeEach(async () => {
  for (const table of ['notifications', 'notification_choices', 'business_blocks', 'person_blocks'] as const) {
    await test.db.deleteFrom(table).execute()
  }
})

const publish = <Name extends EventName>(name: Name, data: EventData[Name]) =>
  test.db.transaction().execute((tx) => test.ctx.events.publish(tx, name, data))
/** Handles an event twice, because jobs may rerun. */
async function happen<Name extends EventName>(name: Name, data: EventData[Name]): Promise<void> {
  for (let run = 0; run < 2; run++) {
    await publish(name, data)
    await test.runJobs()
  }
}
const list = async (as: TestPerson, query = '') => (await test.request('GET', `/api/notifications${query}`, as)).json() as Notification[]
const unread = async (as: TestPerson) => (await test.request('GET', '/api/notifications/unread-count', as)).json().count as number
const titles = async (as: TestPerson) => (await list(as)).map(({ title }) => title)

async function business(type: 'farm' | 'dispensary' = 'farm', name = 'Green Hills') {
  const { id, slug } = await addBusiness(test.db, { type, name })
  await social.joinBusiness(test.db, ann.user.id, id)
  return { id, slug }
}

describe('a post', () => {
  it.each([
    ['farm', 'update', [], 'farm_update', 'Green Hills has an update: “First”'],
    ['farm', 'update', ['harvest'], 'harvest_ready', 'Green Hills has a harvest ready: “First”'],
    ['farm', 'educational', [], 'business_post', 'Green Hills posted “First”'],
    ['dispensary', 'update', ['harvest'], 'business_post', 'Green Hills posted “First”'],
    ['dispensary', 'promotion', [], 'business_post', 'Green Hills posted “First”'],
  ] as const)('notifies followers of a %s’s post (type %s, tags %s) as %s, once', async (type, post_type, tags, notified, title) => {
    const { id, slug } = await business(type)
    for (const person of [ann, ben, young]) await social.followBusiness(test.db, person.user.id, id)
    const postId = await social.addPost(test.db, {
      author_id: ann.user.id,
      business_id: id,
      title: 'First',
      content: 'Fresh words',
      post_type,
      tags: [...tags],
    })
    await happen('post.published', { postId })
    expect(await list(ben)).toEqual([
      {
        id: expect.any(String),
        type: notified,
        title,
        content: 'Fresh words',
        isRead: false,
        createdAt: expect.any(String),
        actionUrl: `/post/${postId}`,
        business: { id, slug, name: 'Green Hills', type, imageUrl: null },
        person: null,
      },
    ])
    expect(await list(ann), 'the author').toEqual([])
    expect(await list(cleo), 'doesn’t follow the business').toEqual([])
    expect(await list(young), 'only people of legal age see promotions').toHaveLength(post_type === 'promotion' ? 0 : 1)
  })

  it('about a product notifies only people of legal age who turned on that topic', async () => {
    const { id } = await business()
    for (const person of [ben, cleo, young]) await social.followBusiness(test.db, person.user.id, id)
    for (const person of [ben, young]) {
      await test.db
        .insertInto('notification_choices')
        .values({ user_id: person.user.id, topic: 'products', channel: 'in_app', is_on: true })
        .execute()
    }
    const postId = await social.addPost(test.db, { author_id: ann.user.id, business_id: id, title: 'Jar', post_type: 'product' })
    await happen('post.published', { postId })
    expect(await list(ben)).toMatchObject([{ type: 'new_product', title: 'Green Hills has something new: “Jar”' }])
    expect(await list(cleo)).toEqual([])
    expect(await list(young)).toEqual([])
    const rows = await test.db.selectFrom('notifications').select('user_id').execute()
    expect(rows, 'no row if every channel is off').toEqual([{ user_id: ben.user.id }])
  })

  it('notifies a person’s followers, except across a block', async () => {
    for (const person of [ben, cleo]) await social.followPerson(test.db, person.user.id, ann.user.id)
    await social.blockPerson(test.db, ann.user.id, cleo.user.id)
    const postId = await social.addPost(test.db, { author_id: ann.user.id, title: 'Mine' })
    await happen('post.published', { postId })
    expect(await list(ben)).toMatchObject([
      { type: 'person_post', title: 'Ann Ash posted “Mine”', person: { name: 'Ann Ash' }, business: null },
    ])
    expect(await list(cleo)).toEqual([])
    await test.db.deleteFrom('person_follows').execute()
  })

  it('notifies no one once it is deleted, which also removes its notifications', async () => {
    const { id } = await business()
    await social.followBusiness(test.db, ben.user.id, id)
    await happen('post.published', { postId: newId() })
    const postId = await social.addPost(test.db, { author_id: ann.user.id, business_id: id })
    await happen('post.published', { postId })
    expect(await unread(ben)).toBe(1)
    await test.db.deleteFrom('posts').where('id', '=', postId).execute()
    expect(await unread(ben)).toBe(0)
  })

  it('never notifies again once its notification was read', async () => {
    const { id } = await business()
    await social.followBusiness(test.db, ben.user.id, id)
    const postId = await social.addPost(test.db, { author_id: ann.user.id, business_id: id })
    await happen('post.published', { postId })
    await test.request('POST', '/api/notifications/mark-all-read', ben)
    await happen('post.published', { postId })
    expect(await list(ben)).toMatchObject([{ isRead: true }])
  })

  it.each(['business', 'person'])('reaches all of a %s’s many followers in batches', async (kind) => {
    const followers = await social.addPeople(test.db, 2345)
    const [author] = (await social.addPeople(test.db, 1)) as [string]
    const { id } = await business()
    const isPerson = kind === 'person'
    const at = (i: number) => new Date(Date.UTC(2026, 0, 1) + (i % 7) * 1000)
    if (isPerson) {
      await test.db
        .insertInto('person_follows')
        .values(followers.map((follower_id, i) => ({ follower_id, person_id: author, created_at: at(i) })))
        .execute()
    } else {
      await test.db
        .insertInto('business_follows')
        .values(followers.map((user_id) => ({ user_id, business_id: id })))
        .execute()
    }
    const postId = await social.addPost(test.db, { author_id: author, business_id: isPerson ? null : id })
    await happen('post.published', { postId })
    const rows = await test.db.selectFrom('notifications').select('user_id').where('post_id', '=', postId).execute()
    expect(rows.map(({ user_id }) => user_id).sort()).toEqual([...followers].sort())
    await test.db.deleteFrom('users').where('id', 'in', followers).execute()
  })
})

describe('a like', () => {
  it('joins a group while unread, even with fifty at once, starts a new one once read, and notifies once per person', async () => {
    const postId = await social.addPost(test.db, { author_id: ann.user.id, title: 'Liked' })
    const fans = await social.addPeople(test.db, 50)
    for (const fan of fans) await social.addLike(test.db, postId, fan)
    const jobs = fans.flatMap((userId) => [
      { postId, userId },
      { postId, userId },
    ])
    await Promise.all(
      jobs.map(async (data) => {
        await publish('post.liked', data)
        await test.runJobs()
      }),
    )
    const [only, ...rest] = await list(ann)
    expect(rest).toEqual([])
    expect(only).toMatchObject({ type: 'like', content: '', actionUrl: `/post/${postId}` })
    expect(only?.title).toMatch(/^Someone \d+ and 49 others liked “Liked”$/)
    const { actors_count } = await test.db.selectFrom('notifications').select('actors_count').executeTakeFirstOrThrow()
    expect(actors_count).toBe(50)

    await test.request('POST', `/api/notifications/${only?.id}/read`, ann)
    await happen('post.liked', { postId, userId: fans[0] as string })
    expect(await unread(ann), 'already notified').toBe(0)
    await social.addLike(test.db, postId, ben.user.id)
    await happen('post.liked', { postId, userId: ben.user.id })
    expect(await titles(ann)).toEqual(['Ben Birch liked “Liked”', only?.title])
  })

  it('notifies no one if it is the author’s own, across a block, or withdrawn', async () => {
    const postId = await social.addPost(test.db, { author_id: ann.user.id })
    for (const person of [ann, ben]) await social.addLike(test.db, postId, person.user.id)
    await social.blockPerson(test.db, ben.user.id, ann.user.id)
    for (const person of [ann, ben, cleo]) await happen('post.liked', { postId, userId: person.user.id })
    expect(await test.db.selectFrom('notifications').selectAll().execute()).toEqual([])
  })

  it('notifies the whole team if the post is a business’s', async () => {
    const { id } = await business()
    await social.joinBusiness(test.db, cleo.user.id, id, 'staff')
    const postId = await social.addPost(test.db, { author_id: ann.user.id, business_id: id, title: 'Ours' })
    await social.addLike(test.db, postId, ben.user.id)
    await happen('post.liked', { postId, userId: ben.user.id })
    for (const person of [ann, cleo]) expect(await titles(person)).toEqual(['Ben Birch liked “Ours”'])
  })

  it('names no one who is behind a block, and disappears when no one else is left', async () => {
    const postId = await social.addPost(test.db, { author_id: ann.user.id, title: 'Liked' })
    for (const person of [ben, cleo]) {
      await social.addLike(test.db, postId, person.user.id)
      await happen('post.liked', { postId, userId: person.user.id })
    }
    expect(await titles(ann)).toEqual(['Cleo Cedar and 1 other liked “Liked”'])
    await social.blockPerson(test.db, ann.user.id, cleo.user.id)
    expect(await titles(ann)).toEqual(['Ben Birch liked “Liked”'])
    await social.blockPerson(test.db, ben.user.id, ann.user.id)
    expect(await titles(ann)).toEqual([])
    expect(await unread(ann)).toBe(0)
  })
})

describe('a comment', () => {
  it('notifies the post’s author and, for a reply, the comment’s author', async () => {
    const postId = await social.addPost(test.db, { author_id: ann.user.id, title: 'Talk' })
    const commentId = await social.addComment(test.db, { post_id: postId, author_id: ben.user.id, content: 'Well said' })
    await happen('comment.written', { commentId })
    expect(await list(ann)).toMatchObject([
      { type: 'comment', title: 'Ben Birch commented on “Talk”', content: 'Well said', actionUrl: `/post/${postId}#comment-${commentId}` },
    ])
    expect(await list(ben)).toEqual([])
    const reply = await social.addComment(test.db, { post_id: postId, author_id: cleo.user.id, parent_id: commentId, content: 'Indeed' })
    await happen('comment.written', { commentId: reply })
    expect(await list(ben)).toMatchObject([
      { type: 'reply', title: 'Cleo Cedar replied to your comment on “Talk”', actionUrl: `/post/${postId}#comment-${reply}` },
    ])
    expect(await list(ann)).toMatchObject([{ title: 'Cleo Cedar and 1 other commented on “Talk”', content: 'Indeed' }])
  })

  it('is grouped by person and notifies again once read', async () => {
    const postId = await social.addPost(test.db, { author_id: ann.user.id, title: 'Talk' })
    const write = async () => {
      const commentId = await social.addComment(test.db, { post_id: postId, author_id: ben.user.id, created_at: test.clock.now() })
      await happen('comment.written', { commentId })
    }
    await write()
    await write()
    expect(await titles(ann)).toEqual(['Ben Birch commented on “Talk”'])
    await test.request('POST', '/api/notifications/mark-all-read', ann)
    await write()
    expect(await unread(ann)).toBe(1)
    expect(await list(ann)).toHaveLength(2)
  })

  it('doesn’t reveal its author if it is in a business’s name', async () => {
    const { id } = await business('farm', 'Quiet Farm')
    const postId = await social.addPost(test.db, { author_id: ben.user.id, title: 'Talk' })
    const commentId = await social.addComment(test.db, { post_id: postId, author_id: ann.user.id, business_id: id })
    await happen('comment.written', { commentId })
    const answer = await test.request('GET', '/api/notifications', ben)
    expect(answer.json()).toMatchObject([{ title: 'Quiet Farm commented on “Talk”', person: null, business: { id } }])
    expect(answer.body).not.toContain('Ann')
    expect(answer.body).not.toContain(ann.user.id)
  })

  it('disappears from the list when deleted', async () => {
    const postId = await social.addPost(test.db, { author_id: ann.user.id })
    const commentId = await social.addComment(test.db, { post_id: postId, author_id: ben.user.id })
    await happen('comment.written', { commentId })
    await test.db.updateTable('comments').set({ is_deleted: true, content: '' }).where('id', '=', commentId).execute()
    expect(await list(ann)).toEqual([])
    expect(await unread(ann)).toBe(0)
  })
})

describe('a follow, subscription, or review', () => {
  it('notifies the person concerned with a link', async () => {
    const { id, slug } = await business('farm', 'Hill Farm')
    await social.followPerson(test.db, ben.user.id, ann.user.id)
    await happen('person.followed', { personId: ann.user.id, followerId: ben.user.id })
    await social.subscribeTo(test.db, ben.user.id, id)
    await happen('business.subscribed', { businessId: id, userId: ben.user.id })
    const reviewId = await social.addReview(test.db, { business_id: id, user_id: ben.user.id, review: 'Lovely' })
    await happen('review.written', { reviewId })
    expect((await list(ann)).map(({ type, title, content, actionUrl }) => ({ type, title, content, actionUrl }))).toEqual([
      { type: 'review', title: 'Ben Birch reviewed Hill Farm', content: 'Lovely', actionUrl: `/business/${slug}?tab=reviews#more` },
      { type: 'subscriber', title: 'Ben Birch subscribed to Hill Farm', content: '', actionUrl: `/people/${ben.user.id}` },
      { type: 'follow', title: 'Ben Birch followed you', content: '', actionUrl: `/people/${ben.user.id}` },
    ])

    await test.db
      .updateTable('reviews')
      .set({ reply: 'Thank you', replied_by: ann.user.id, replied_at: test.clock.now() })
      .where('id', '=', reviewId)
      .execute()
    await happen('review.replied', { reviewId })
    await test.db.insertInto('review_votes').values({ review_id: reviewId, user_id: cleo.user.id }).execute()
    await happen('review.helped', { reviewId, userId: cleo.user.id })
    const answer = await test.request('GET', '/api/notifications', ben)
    expect(answer.json()).toMatchObject([
      { type: 'helpful', title: 'Cleo Cedar found your review of Hill Farm helpful' },
      { type: 'review_reply', title: 'Hill Farm replied to your review', content: 'Thank you', person: null },
    ])
    expect(answer.body, 'the name of the team member who replied').not.toContain('Ash')
    await test.db.updateTable('reviews').set({ reply: null, replied_at: null }).where('id', '=', reviewId).execute()
    expect((await list(ben)).map(({ type }) => type)).toEqual(['helpful'])
  })

  it('notifies no one once undone or once the person blocks the business', async () => {
    const { id } = await business()
    await happen('person.followed', { personId: ann.user.id, followerId: cleo.user.id })
    await happen('business.subscribed', { businessId: id, userId: cleo.user.id })
    await happen('review.written', { reviewId: newId() })
    expect(await list(ann)).toEqual([])
    await social.followBusiness(test.db, ben.user.id, id)
    await happen('post.published', { postId: await social.addPost(test.db, { author_id: ann.user.id, business_id: id }) })
    expect(await unread(ben)).toBe(1)
    await test.db.insertInto('business_blocks').values({ user_id: ben.user.id, business_id: id }).execute()
    expect(await unread(ben)).toBe(0)
    expect(await list(ben)).toEqual([])
  })
})

describe('the list', () => {
  it('paginates newest first and counts at most a hundred', async () => {
    const postId = await social.addPost(test.db, { author_id: ann.user.id })
    const made = Array.from({ length: 130 }, () => newId())
    await test.db
      .insertInto('notifications')
      .values(
        made.map((id, i) => ({
          id,
          user_id: ben.user.id,
          type: 'business_post' as const,
          group_key: id,
          post_id: postId,
          created_at: new Date(Date.UTC(2026, 5, 1) + Math.floor(i / 3)),
        })),
      )
      .execute()
    expect(await unread(ben)).toBe(100)
    const seen: string[] = []
    for (let url: string | null = '/api/notifications?limit=20'; url !== null; ) {
      const answer = await test.request('GET', url, ben)
      seen.push(...(answer.json() as Notification[]).map(({ id }) => id))
      url = nextPage(answer.headers.link as string | undefined)
    }
    expect(seen).toEqual(made.toReversed())
  })

  it('can be marked read only by its owner, idempotently', async () => {
    const postId = await social.addPost(test.db, { author_id: ann.user.id })
    await social.addLike(test.db, postId, ben.user.id)
    await happen('post.liked', { postId, userId: ben.user.id })
    const [only] = await list(ann)
    expect((await test.request('POST', `/api/notifications/${only?.id}/read`, ben)).statusCode).toBe(404)
    expect(await unread(ann)).toBe(1)
    for (let again = 0; again < 2; again++) {
      expect((await test.request('POST', `/api/notifications/${only?.id}/read`, ann)).json()).toEqual({ count: 0 })
      expect((await test.request('POST', '/api/notifications/mark-all-read', ann)).json()).toEqual({ count: 0 })
    }
    expect(await list(ann)).toMatchObject([{ isRead: true }])
  })
})

it('can store every type and topic of the contract', async () => {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where conname in ('notifications_type_check', 'notification_choices_topic_check') order by conname desc`.execute(test.db)
  const allowed = rows.map(({ definition }) => [...definition.matchAll(/'(\w+)'::text/g)].map(([, name]) => name).toSorted())
  expect(allowed).toEqual([[...notificationTypes].toSorted(), [...notificationTopics].toSorted()])
})
