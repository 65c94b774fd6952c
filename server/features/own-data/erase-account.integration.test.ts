import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { deletionPhrase } from '#contracts/limits.ts'
import { eraseSteps } from '#server/app/registries.ts'
import { up as showEmptiedPosts } from '#server/db/migrations/20261201T0822-show-emptied-posts.ts'
import { erasePosts } from '#server/features/posts/posts.own-data.ts'
import { type EraseStep, formerMemberId } from '#server/kernel/own-data.ts'
import { ProviderUnavailable } from '#server/kernel/payments.ts'
import { billingOf } from '#tests/support/billing.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { Crash, crashAt } from '#tests/support/crash.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { eraseAccount } from './erase-account.ts'

let test: TestApp
let friend: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  friend = await test.signUp()
})
afterAll(() => test?.close())

const ok = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, as: TestPerson, payload?: object) => {
  const answer = await test.request(method, url, as, payload)
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
  return answer.body === '' ? {} : answer.json()
}
/** Requests deletion, marks the reminder as sent, and advances to the due date, without expiring other people's sessions. */
async function comeDue(person: TestPerson): Promise<void> {
  await ok('POST', '/api/user/deletion', person, { password: person.password, confirmation: deletionPhrase })
  await test.runJobs().catch(() => {})
  test.clock.advance({ days: 15 })
  await test.db
    .updateTable('sessions')
    .set({ expires_at: new Date('2060-01-01') })
    .execute()
  await test.db
    .updateTable('account_deletions')
    .set({ reminded_at: new Date(0) })
    .where('user_id', '=', person.user.id)
    .execute()
}
const leaving = ({ user, email }: TestPerson) => ({ id: user.id, email })
const erase = (person: TestPerson, steps = eraseSteps, ctx = test.ctx) => eraseAccount(ctx, steps, leaving(person))
const isThere = async ({ user }: TestPerson) =>
  (await test.db.selectFrom('users').select('id').where('id', '=', user.id).executeTakeFirst()) !== undefined
const write = (as: TestPerson, title: string) => ok('POST', '/api/posts', as, { title, content: 'Words' })
const comment = (as: TestPerson, postId: string, content: string, parentId: string | null = null) =>
  ok('POST', `/api/posts/${postId}/comments`, as, { content, parentId })

it('resumes after any crash and ends with exact counts', async () => {
  const person = await test.signUp()
  const business = await addBusiness(test.db)
  await ok('POST', '/api/subscriptions', person, { businessId: business.id })
  await ok('PUT', `/api/businesses/${business.id}/rating`, person, { rating: 5 })
  await ok('PUT', `/api/people/${friend.user.id}/follow`, person)
  await ok('PUT', `/api/people/${person.user.id}/follow`, friend)
  const post = await write(friend, 'Soil')
  await ok('PUT', `/api/posts/${post.id}/like`, person)
  const said = await comment(person, post.id, 'Yes')
  await comment(friend, post.id, 'No', said.id)
  await write(person, 'Mine')
  const messages = messagesOf(test)
  const talk = await messages.openWith(person, friend)
  await messages.send(person, talk.id, 'Hello')
  await messages.send(friend, talk.id, 'Hello yourself')
  await test.runJobs()
  await comeDue(person)

  let crashes = 0
  for (let point = 2; await isThere(person); point += 9) {
    await erase(person, eraseSteps, crashAt(test.ctx, point).ctx).catch((error: unknown) => {
      expect(error).toBeInstanceOf(Crash)
      crashes += 1
    })
    expect(await findWrongCounters(test.db), `after a crash at step ${point}`).toEqual([])
  }
  expect(crashes).toBeGreaterThan(5)
  expect((await ok('GET', `/api/posts/${post.id}`, friend)).commentsCount).toBe(1)
  expect((await messages.inbox(friend))[0]).toMatchObject({ participant: { kind: 'gone' }, unreadCount: 0 })
})

const eraseTeams = () => eraseSteps.find(({ name }) => name === 'teams') as EraseStep

/** Runs a step twice at once: both runs read the current state before either deletes anything, as two processes might. */
async function byTwo(step: EraseStep, person: TestPerson, businessId: string): Promise<void> {
  let both: Promise<unknown> | undefined
  await test.db.transaction().execute(async (tx) => {
    await sql`select from businesses where id = ${businessId}::uuid for update`.execute(tx)
    await sql`select from users where id = ${person.user.id}::uuid for update`.execute(tx)
    both = Promise.all([1, 2].map(() => step.eraseSome(test.ctx, leaving(person))))
    const waiting = sql`select distinct pid from pg_locks where not granted`
    await expect.poll(async () => (await waiting.execute(tx)).rows.length).toBeGreaterThanOrEqual(2)
  })
  await both
}

it('ends with exact counts under two concurrent processes', async () => {
  const person = await test.signUp()
  const post = await write(person, 'Soil')
  await comment(friend, post.id, 'It is alive.')
  await write(person, 'Mine')
  await comment(person, (await write(friend, 'Light')).id, 'Yes')
  await ok('PUT', `/api/people/${friend.user.id}/follow`, person)
  await comeDue(person)
  const business = await addBusiness(test.db, { claimed_at: test.clock.now() })
  await joinBusiness(test.db, person.user.id, business.id)
  for (const each of [friend, await test.signUp()]) await joinBusiness(test.db, each.user.id, business.id, 'staff')

  for (const step of [erasePosts, eraseTeams()]) await byTwo(step, person, business.id)
  expect(await findWrongCounters(test.db)).toEqual([])
  const team = await test.db.selectFrom('business_members').select('role').where('business_id', '=', business.id).execute()
  expect(team.map(({ role }) => role).sort()).toEqual(['owner', 'staff'])
  await Promise.all([erase(person), erase(person)])
  expect(await isThere(person)).toBe(false)
})

it('shows other people’s comments again under held and hidden posts, which no longer have any text', async () => {
  const [person, api] = [await test.signUp(), moderationCalls(test)]
  const members = [person.user.id, friend.user.id]
  const { id: communityId } = await addCommunity(test.db, { owner: (await test.signUp()).user.id, members })
  const words = { communityId, postType: 'discussion', title: 'Soil', content: 'Is it alive?', tags: ['soil'] }
  const held: string = (await ok('POST', '/api/community-posts', person, words)).id
  const [hidden, removed]: string[] = [(await write(person, 'Light')).id, (await write(person, 'Water')).id]
  const hiddenLater: string = (await write(person, 'Air')).id
  const posts = [held, hidden as string]
  for (const id of [...posts, removed as string, hiddenLater]) await comment(friend, id, 'Words of a friend')
  const edited = await ok('PATCH', `/api/posts/${held}`, person, { content: 'Clones for sale, $20 each, I ship everywhere' })
  expect(edited.moderation).toBe('held')
  const moderator = await api.moderator()
  await api.decided(moderator, await api.reported('post', hidden as string), decisionWith({ action: 'hide' }))
  await api.decided(moderator, await api.reported('post', removed as string), decisionWith({ action: 'remove' }))
  const isShown = async () => {
    for (const id of posts) {
      expect(await ok('GET', `/api/posts/${id}`, friend)).toMatchObject({ title: 'Deleted post', moderation: null, commentsCount: 1 })
      expect(await ok('GET', `/api/posts/${id}/comments`, friend)).toMatchObject([{ content: 'Words of a friend' }])
    }
    const listed = await ok('GET', `/api/community-posts?communityId=${communityId}&sort=active`, friend)
    expect((listed as unknown as { id: string }[]).map(({ id }) => id)).toEqual([held])
    expect(await findWrongCounters(test.db)).toEqual([])
  }
  await comeDue(person)
  await erase(person)
  await isShown()
  expect((await test.request('GET', `/api/posts/${removed}`, friend)).statusCode).toBe(404)

  await api.decided(moderator, await api.reported('post', hiddenLater), decisionWith({ action: 'hide' }))
  // Accounts deleted before the upgrade left their posts hidden.
  await test.db.updateTable('posts').set({ moderation: 'held' }).where('id', 'in', posts).execute()
  await test.db.updateTable('communities').set({ post_count: 0 }).where('id', '=', communityId).execute()
  await test.db.deleteFrom('community_post_ranks').where('post_id', '=', held).execute()
  await sql`update users set posts_count = posts_count - 1 where id = ${formerMemberId}::uuid`.execute(test.db)
  await showEmptiedPosts(test.db as unknown as Kysely<unknown>)
  await isShown()
  expect((await test.request('GET', `/api/posts/${hiddenLater}`, friend)).statusCode).toBe(404)
})

it('includes others’ last-moment actions in the counts', async () => {
  const person = await test.signUp()
  await comeDue(person)
  let hasFollowed = false
  const steps = [
    ...eraseSteps,
    {
      name: 'someone follows',
      async eraseSome() {
        if (hasFollowed) return 0
        hasFollowed = true
        await ok('PUT', `/api/people/${person.user.id}/follow`, friend)
        return 0
      },
    },
  ]
  await erase(person, steps)
  expect(hasFollowed).toBe(true)
  expect(await isThere(person)).toBe(false)
  expect(await findWrongCounters(test.db)).toEqual([])
})

it('passes a business to someone who joins its team at the last moment', async () => {
  const person = await test.signUp()
  await comeDue(person)
  const business = await addBusiness(test.db, { claimed_at: test.clock.now() })
  await joinBusiness(test.db, person.user.id, business.id)
  let hasJoined = false
  const joins: EraseStep = {
    name: 'someone joins',
    async eraseSome() {
      if (!hasJoined) await joinBusiness(test.db, friend.user.id, business.id, 'manager')
      hasJoined = true
      return 0
    },
  }
  await erase(
    person,
    eraseSteps.flatMap((step) => (step === eraseTeams() ? [joins, step] : [step])),
  )
  const { claimed_at } = await test.db.selectFrom('businesses').select('claimed_at').where('id', '=', business.id).executeTakeFirstOrThrow()
  const team = await test.db.selectFrom('business_members').select(['user_id', 'role']).where('business_id', '=', business.id).execute()
  expect(team).toEqual([{ user_id: friend.user.id, role: 'owner' }])
  expect(claimed_at).not.toBeNull()
})

it('deletes personal drafts, and leaves a business’s to the rest of its team', async () => {
  const person = await test.signUp()
  const [business, alone] = [await addBusiness(test.db), await addBusiness(test.db, { claimed_at: test.clock.now() })]
  await joinBusiness(test.db, friend.user.id, business.id)
  await joinBusiness(test.db, person.user.id, business.id, 'staff')
  await joinBusiness(test.db, person.user.id, alone.id, 'staff')
  const draft = (businessId: string | null) => ok('POST', '/api/drafts', person, { title: 'Later', content: 'Words', businessId })
  const [own, ofAlone, ofTeam, scheduled] = [await draft(null), await draft(alone.id), await draft(business.id), await draft(business.id)]
  const publishAt = new Date(test.clock.now().getTime() + 60 * 86_400_000).toISOString()
  await ok('PUT', `/api/drafts/${scheduled.id}/schedule`, person, { publishAt })
  await comeDue(person)
  await erase(person)
  expect(await isThere(person)).toBe(false)
  for (const { id } of [own, ofAlone]) {
    expect(await test.db.selectFrom('post_drafts').select('id').where('id', '=', id).executeTakeFirst()).toBeUndefined()
  }
  expect(await ok('GET', `/api/drafts/${ofTeam.id}`, friend)).toMatchObject({ status: 'draft', title: 'Later', content: 'Words' })
  const error = 'The person who scheduled this left. Schedule it again.'
  expect(await ok('GET', `/api/drafts/${scheduled.id}`, friend)).toMatchObject({ status: 'failed', error })
  await test.runJobs()
  const notifications = (await ok('GET', '/api/notifications', friend)) as { type: string; content: string }[]
  expect(notifications.filter(({ type }) => type === 'draft_failed')).toMatchObject([{ content: error }])
  await ok('PUT', `/api/drafts/${scheduled.id}/schedule`, friend, { publishAt })
})

it('leaves none of an erased post’s text in search', async () => {
  const person = await test.signUp()
  const post = await write(person, 'Kanarienvogel')
  await comment(friend, post.id, 'It sings.')
  const found = async () => {
    await test.ctx.jobs.enqueue('search.index', {})
    await test.runJobs()
    const { rows } = await sql<{ folded: string }>`select folded from search_documents where post_id = ${post.id}::uuid`.execute(test.db)
    return rows.map(({ folded }) => folded)
  }
  expect(await found()).toEqual(['kanarienvogel'])
  await comeDue(person)
  await erase(person)
  expect(await found()).toEqual(['deleted post'])
})

it('delays erasure by at most a day if the mailbox rejects mail', async () => {
  const person = await test.signUp()
  await comeDue(person)
  const { send } = test.ctx.mail
  test.ctx.mail.send = async () => {
    throw new Error('550 no such mailbox')
  }
  try {
    await expect(erase(person)).rejects.toThrow('550')
    expect(await isThere(person)).toBe(true)
    test.clock.advance({ hours: 25 })
    await erase(person)
    expect(await isThere(person)).toBe(false)
  } finally {
    test.ctx.mail.send = send
  }
})

it('cancels purchases even while the provider is down, and closes them once it is back', async () => {
  const person = await test.signUp()
  const billing = billingOf(test)
  const { id } = await billing.buy(person, { planId: 'vip' })
  const subscription = await billing.subscriptionOf(id)
  const { provider } = billing
  const { cancelSubscription } = provider
  provider.cancelSubscription = async () => {
    throw new ProviderUnavailable('away')
  }
  expect((await ok('GET', '/api/user/deletion', person)).subscriptions).toHaveLength(1)
  await comeDue(person)
  await erase(person)
  expect(await isThere(person)).toBe(false)
  const agreement = () => test.db.selectFrom('agreements').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(await agreement()).toMatchObject({ payer_id: null, closed_at: null })
  expect((await agreement()).canceled_at).not.toBeNull()

  // The provider works again: the nightly reconciliation closes the agreement.
  provider.cancelSubscription = cancelSubscription
  await test.ctx.jobs.enqueue('billing.reconcile', {})
  await test.runJobs()
  expect((await agreement()).closed_at).not.toBeNull()
  const { rows } = await sql<{ state: string }>`select state from test_provider_subscriptions where id = ${subscription}`.execute(test.db)
  expect(rows).toEqual([{ state: 'canceled' }])
  expect(await test.db.selectFrom('payments').select('id').where('agreement_id', '=', id).execute()).toHaveLength(1)
})

it('accepts a deletion whose purchases can’t be canceled yet, and retries without delaying other deletions', async () => {
  const due = await test.signUp()
  await comeDue(due)
  const person = await test.signUp()
  const { id } = await billingOf(test).buy(person, { planId: 'vip' })
  const sweep = async () => {
    await test.ctx.jobs.enqueue('own-data.sweep', {})
    await test.runJobs()
  }
  const canceledAt = async () =>
    (await test.db.selectFrom('agreements').select('canceled_at').where('id', '=', id).executeTakeFirstOrThrow()).canceled_at

  const { enqueue } = test.ctx.jobs
  test.ctx.jobs.enqueue = async (name, ...rest) => {
    if (name === 'billing.settle') throw new Error('The queue is down.')
    return enqueue(name, ...rest)
  }
  const logged = vi.spyOn(test.ctx.log, 'error').mockImplementation(() => {})
  try {
    await ok('POST', '/api/user/deletion', person, { password: person.password, confirmation: deletionPhrase })
    await sweep()
  } finally {
    test.ctx.jobs.enqueue = enqueue
    logged.mockRestore()
  }
  expect(await canceledAt()).toBeNull()
  expect(await isThere(due)).toBe(false)
  await sweep()
  expect(await canceledAt()).not.toBeNull()
})
