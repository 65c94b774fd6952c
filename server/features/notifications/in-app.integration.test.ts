import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import { type NotificationTopic, type NotificationType, notificationTypes, topicOf } from '#contracts/notification-types.ts'
import type { Notification, NotificationPreferences } from '#contracts/notifications.ts'
import { notificationOwners } from '#server/app/registries.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addCommunity } from '#tests/support/communities.ts'
import * as social from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { shownRows } from './notifications.queries.ts'
import { toNotification } from './notifications.view.ts'
import { type NewNotification, notify } from './notify.ts'

let test: TestApp
let ann: TestPerson
let young: TestPerson
let ben: string
let cleo: string
let shop: string
let club: string

beforeAll(async () => {
  test = await startTestApp()
  ann = await test.signUp({ firstName: 'Ann', lastName: 'Ash' })
  young = await test.signUp({ firstName: 'Yan', lastName: 'Young', birthday: `${test.clock.now().getUTCFullYear() - 20}-01-01` })
})
afterAll(() => test?.close())

async function prepare(): Promise<void> {
  await test.db.deleteFrom('notifications').execute()
  await test.db.deleteFrom('notification_choices').execute()
  ;[ben, cleo] = (await social.addPeople(test.db, 2)) as [string, string]
  shop = (await addBusiness(test.db, { type: 'dispensary', name: 'Corner Leaf' })).id
  await social.joinBusiness(test.db, ben, shop)
  club = (await addCommunity(test.db, { owner: cleo, members: [ann.user.id] })).id
}

type Subject = { postId: string; commentId: string; reviewId: string }

const addSubject = async (by: string, post: Parameters<typeof social.addPost>[1]): Promise<Subject> => {
  const postId = await social.addPost(test.db, post)
  const commentId = await social.addComment(test.db, { post_id: postId, author_id: by })
  await test.db.deleteFrom('reviews').where('user_id', '=', by).execute()
  return { postId, commentId, reviewId: await social.addReview(test.db, { business_id: shop, user_id: by, review: 'Good' }) }
}

let subjects: Subject[]

const aboutPost: NotificationType[] = ['business_post', 'person_post', 'new_product', 'like', 'mention']
const aboutComment: NotificationType[] = ['comment', 'reply', 'answer_accepted', 'comment_mention']
const aboutReview: NotificationType[] = ['review', 'review_reply', 'helpful']
const told = [...aboutPost, ...aboutComment, ...aboutReview, 'follow', 'subscriber', 'license_verified', 'product_update'] as const

async function tell(type: NotificationType, { postId, commentId, reviewId }: Subject, by: string | null): Promise<void> {
  const isAboutPost = aboutPost.includes(type) || aboutComment.includes(type)
  const news: NewNotification = {
    userId: ann.user.id,
    type,
    groupKey: `${type}:${isAboutPost ? postId : 'one'}`,
    actorId: by,
    doneAt: test.clock.now(),
    isOnce: false,
    businessId: by === null || !isAboutPost ? shop : null,
    ...(isAboutPost ? { postId } : {}),
    ...(aboutComment.includes(type) ? { commentId } : {}),
    ...(aboutReview.includes(type) ? { reviewId } : {}),
  }
  // The subject may have been deleted.
  await inTransaction(test.db, (tx) => notify(tx, news, test.clock.now())).catch((error: { code?: string }) =>
    expect(error.code).toBe('23503'),
  )
}

const toggle = async (table: 'person_blocks' | 'person_mutes' | 'business_blocks' | 'business_mutes', row: Record<string, string>) => {
  const where = sql.join(
    Object.entries(row).map(([column, value]) => sql`${sql.ref(column)} = ${value}::uuid`),
    sql` and `,
  )
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${where}`.execute(test.db)
  if (numAffectedRows === 0n) {
    const values = sql.join(Object.values(row).map((value) => sql`${value}::uuid`))
    await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((column) => sql.ref(column)))}) values (${values})
      on conflict do nothing`.execute(test.db)
  }
}

const moderations = [null, 'held', 'hidden', 'removed'] as const

type Step = { what: keyof typeof steps; subject: number; by: number; kind: number }

const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item
const personOf = ({ by }: Step) => pick([ben, cleo], by)

const steps = {
  notify: (step: Step) => tell(pick(told, step.kind), pick(subjects, step.subject), pick([ben, cleo, null], step.by)),
  readOne: async ({ kind }: Step) => {
    const all = await list()
    if (all.length > 0) await test.request('POST', `/api/notifications/${pick(all, kind).id}/read`, ann)
  },
  readAll: () => test.request('POST', '/api/notifications/mark-all-read', ann),
  remove: async ({ subject, kind }: Step) => {
    const { postId, commentId, reviewId } = pick(subjects, subject)
    if (kind % 3 === 0) await test.db.deleteFrom('posts').where('id', '=', postId).execute()
    else if (kind % 3 === 1)
      await test.db.updateTable('comments').set({ is_deleted: true, content: '' }).where('id', '=', commentId).execute()
    else await test.db.deleteFrom('reviews').where('id', '=', reviewId).execute()
  },
  moderate: async ({ subject, kind, by }: Step) => {
    const { postId, commentId, reviewId } = pick(subjects, subject)
    const moderation = pick(moderations, by)
    const [table, id] = pick(
      [['posts', postId] as const, ['comments', commentId] as const, ['reviews', reviewId] as const, ['businesses', shop] as const],
      kind,
    )
    await test.db.updateTable(table).set({ moderation }).where('id', '=', id).execute()
  },
  block: (step: Step) => toggle('person_blocks', { blocker_id: ann.user.id, blocked_id: personOf(step) }),
  getBlocked: (step: Step) => toggle('person_blocks', { blocker_id: personOf(step), blocked_id: ann.user.id }),
  mute: (step: Step) => toggle('person_mutes', { user_id: ann.user.id, muted_id: personOf(step) }),
  blockShop: () => toggle('business_blocks', { user_id: ann.user.id, business_id: shop }),
  muteShop: () => toggle('business_mutes', { user_id: ann.user.id, business_id: shop }),
  changeAudience: async ({ subject, kind }: Step) => {
    const { postId } = pick(subjects, subject)
    const post = test.db.updateTable('posts').where('id', '=', postId)
    if (kind % 2 === 0) await post.where('business_id', 'is not', null).set({ is_exclusive: sql`not is_exclusive` }).execute()
    else await sql`delete from community_members where community_id = ${club}::uuid and user_id = ${ann.user.id}::uuid`.execute(test.db)
  },
  mention: async ({ subject }: Step) => {
    const { postId, commentId } = pick(subjects, subject)
    await sql`insert into mentions (post_id, person_id, start, length) select id, ${ann.user.id}::uuid, 0, 3 from posts where id = ${postId}::uuid
      on conflict do nothing`.execute(test.db)
    await sql`insert into mentions (comment_id, person_id, start, length) select id, ${ann.user.id}::uuid, 0, 3 from comments where id = ${commentId}::uuid
      on conflict do nothing`.execute(test.db)
  },
  accept: async ({ subject }: Step) => {
    const { postId, commentId } = pick(subjects, subject)
    await sql`update posts set accepted_comment_id = ${commentId}::uuid where id = ${postId}::uuid and post_type = 'question'
      and exists (select from comments where id = ${commentId}::uuid)`.execute(test.db)
  },
  choose: async ({ kind, by }: Step) => {
    const topic: NotificationTopic = pick(['posts', 'products', 'likes', 'comments', 'reviews', 'follows'], kind)
    await sql`insert into notification_choices (user_id, topic, channel, is_on) values (${ann.user.id}::uuid, ${topic}, 'in_app', ${by % 2 === 0})
      on conflict (user_id, topic, channel) do update set is_on = excluded.is_on`.execute(test.db)
  },
  leave: async (step: Step) => {
    if (step.kind % 4 === 0) await test.db.deleteFrom('notification_actors').where('user_id', '=', personOf(step)).execute()
    else await sql`update notifications set actor_id = null where actor_id = ${personOf(step)}::uuid`.execute(test.db)
  },
}

async function list(as = ann): Promise<Notification[]> {
  const all: Notification[] = []
  for (let url: string | null = '/api/notifications?limit=7'; url !== null; ) {
    const answer = await test.request('GET', url, as)
    expect(answer.statusCode).toBe(200)
    all.push(...(answer.json() as Notification[]))
    url = nextPage(answer.headers.link as string | undefined)
  }
  return all
}

/** The expected list by definition: each notification of a type that is turned on, if the feature that owns its subject shows it. */
async function byDefinition({ user }: TestPerson, age: number): Promise<Notification[]> {
  const answer = await test.request('GET', '/api/notification-preferences', ann)
  const { topics } = answer.json() as NotificationPreferences
  const off = topics.flatMap(({ topic, channels }) => (channels.in_app ? [] : [topic]))
  const types = notificationTypes.filter((type) => !off.includes(topicOf(type) as NotificationTopic))
  const viewer = { id: user.id, age, now: test.clock.now(), hasPlan: false }
  const { rows } = await shownRows(test.db, notificationOwners, viewer, { types }, { start: null, wanted: 1000 })
  return rows.map(toNotification)
}

async function check(): Promise<void> {
  const expected = await byDefinition(ann, 35)
  expect(await list()).toEqual(expected)
  const { count } = (await test.request('GET', '/api/notifications/unread-count', ann)).json() as { count: number }
  expect(count).toBe(expected.filter(({ isRead }) => !isRead).length)
}

const stepOf = fc.record({
  // Mostly notifications, so that there is something to hide.
  what: fc.oneof(
    { weight: 2, arbitrary: fc.constant('notify' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])) },
  ),
  subject: fc.nat(3),
  by: fc.nat(11),
  kind: fc.nat(59),
})

it('lists and counts exactly the subjects that the viewer may see, after any changes', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(stepOf, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 25 }), async (turns) => {
      await prepare()
      subjects = [
        await addSubject(ben, { author_id: ben, business_id: shop }),
        await addSubject(cleo, { author_id: cleo }),
        await addSubject(ben, { author_id: ann.user.id }),
        await addSubject(cleo, { author_id: cleo, community_id: club, post_type: 'question' }),
      ]
      for (const turn of turns) {
        await Promise.all(turn.map((step) => steps[step.what](step)))
        await check()
      }
    }),
    { numRuns: 20, endOnFailure: true },
  )
})

it('hides advertising from people who are too young for it', async () => {
  await prepare()
  const postId = await social.addPost(test.db, { author_id: ben, business_id: shop, post_type: 'promotion' })
  const add = ({ user }: TestPerson) =>
    test.db
      .insertInto('notifications')
      .values({ id: newId(), user_id: user.id, type: 'business_post', group_key: newId(), business_id: shop, post_id: postId })
      .execute()
  await add(ann)
  await add(young)
  const counts = await Promise.all(
    [ann, young].map(async (person) => (await test.request('GET', '/api/notifications/unread-count', person)).json()),
  )
  expect(counts).toEqual([{ count: 1 }, { count: 0 }])
  expect([(await list()).length, (await list(young)).length]).toEqual([1, 0])
})
