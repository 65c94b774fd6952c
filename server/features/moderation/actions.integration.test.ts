import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OwnDecision } from '#contracts/moderation.endpoints.ts'
import type { ModerationAction, ReportSubject } from '#contracts/moderation.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { addReportableContent, decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { giveRole } from '#tests/support/roles.ts'
import { addPost } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let api: ReturnType<typeof moderationCalls>
let moderator: TestPerson
let other: TestPerson
let admin: TestPerson
let published: [string, unknown][] = []

beforeAll(async () => {
  test = await startTestApp()
  api = moderationCalls(test)
  const publish = test.ctx.events.publish
  test.ctx.events.publish = async (tx, name, data) => {
    published.push([name, data])
    return publish(tx, name, data)
  }
  moderator = await api.moderator()
  other = await api.moderator()
  admin = await api.moderator('admin')
})
afterAll(async () => {
  expect(test && (await findWrongCounters(test.db))).toEqual([])
  expect(test && (await findAuditBreak(test.db))).toBeNull()
  await test?.close()
})

const ownDecisions = async (as: TestPerson) => (await test.request('GET', '/api/standing/actions', as)).json() as OwnDecision[]
const standing = async (as: TestPerson) => (await test.request('GET', '/api/standing', as)).json()
const postOf = (person: TestPerson) => addPost(test.db, { author_id: person.user.id, title: 'Buy now', content: 'Canary words' })
const shownPost = async (person: TestPerson) => {
  const id = await postOf(person)
  await test.db
    .updateTable('users')
    .set((eb) => ({ posts_count: eb('posts_count', '+', 1) }))
    .where('id', '=', person.user.id)
    .execute()
  return id
}
const auditOf = (subjectId: string) =>
  test.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'details'])
    .where('subject_id', '=', subjectId)
    .orderBy('sequence')
    .execute()

const deciding: Record<Exclude<ModerationAction, 'approve' | 'dismiss'>, object> = {
  hide: {},
  remove: {},
  warn: {},
  mute: { days: 3 },
  suspend: { days: 3 },
  ban: {},
}
const standingAfter = (action: string) => ({
  mutedUntil: action === 'mute' ? expect.any(String) : null,
  suspendedUntil: action === 'suspend' ? expect.any(String) : null,
  isBanned: action === 'ban',
})
const nothing = { mutedUntil: null, suspendedUntil: null, isBanned: false }

for (const [name, more] of Object.entries(deciding)) {
  const action = name as keyof typeof deciding
  it(`applies ${action}, announces it, and lets it be appealed and undone as specified`, async () => {
    const writer = await test.signUp()
    const post = await shownPost(writer)
    const id = await api.reported('post', post)
    const decision = { ...decisionWith({ action, ...more }), note: 'Among us' }

    expect((await api.decide(null, id, decision)).statusCode).toBe(401)
    expect((await api.decide(writer, id, decision)).statusCode).toBe(404)
    expect((await api.decide(await test.signUp(), id, decision)).statusCode).toBe(404)
    const withoutFactor = await test.signUp()
    await test.db.updateTable('users').set({ role: 'admin' }).where('id', '=', withoutFactor.user.id).execute()
    expect((await api.decide(withoutFactor, id, decision)).json()).toMatchObject({ code: 'second_factor_required' })
    await test.db.updateTable('users').set({ role: 'member' }).where('id', '=', withoutFactor.user.id).execute()
    await giveRole(test, writer, 'moderator')
    expect((await api.decide(writer, id, decision)).json()).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('about you'),
    })
    expect((await api.decide(moderator, id, decision)).json()).toMatchObject({ code: 'forbidden' })
    await giveRole(test, writer, 'admin')
    expect((await api.decide(moderator, id, decision)).statusCode).toBe(403)
    await giveRole(test, writer, 'member')

    published = []
    const [taken] = await api.decided(moderator, id, decision)
    expect(taken).toMatchObject({ action, reason: 'spam', moderator: { id: moderator.user.id }, note: 'Among us', mayUndo: true })
    const banned = action === 'ban' ? [['person.banned', { userId: writer.user.id }]] : []
    expect(published).toEqual([...banned, ['moderation.acted', { actionId: taken?.id }]])
    expect(await auditOf(post)).toEqual([
      {
        action: `moderation.${action}`,
        actor_id: moderator.user.id,
        details: expect.objectContaining({ actionId: taken?.id, reason: 'spam' }),
      },
    ])

    const notice = await test.request('GET', '/api/standing/actions', writer)
    expect(notice.json()).toEqual([
      expect.objectContaining({
        id: taken?.id,
        action,
        // Identifies the author's content even if they can no longer see it.
        title: 'Buy now',
        path: action === 'remove' ? null : `/post/${post}`,
        explanation: 'This is advertising.',
        stands: true,
        mayAppeal: true,
        appeal: null,
      }),
    ])
    for (const secret of [moderator.user.id, 'Among us', 'reporter', 'Canary words']) expect(notice.body).not.toContain(secret)
    expect(await standing(writer)).toEqual(standingAfter(action))
    const seen = await test.request('GET', `/api/posts/${post}`, other)
    expect(seen.statusCode).toBe(action === 'hide' || action === 'remove' ? 404 : 200)
    const said = (await test.request('POST', '/api/posts', writer, { title: 'Again', content: 'Words', businessId: null })).json()
    if (['mute', 'suspend', 'ban'].includes(action)) expect(said.code).toBe(action === 'mute' ? 'muted' : 'suspended')
    else expect(said.id).toBeDefined()

    expect((await api.appeal(moderator, taken?.id as string)).statusCode).toBe(404)
    const made = await api.appeal(writer, taken?.id as string)
    expect(made.statusCode).toBe(201)
    expect((await api.appeal(writer, taken?.id as string)).statusCode).toBe(409)
    const appealId = made.json().id
    expect((await api.decideAppeal(writer, appealId, 'overturned')).statusCode).toBe(403)
    expect((await api.decideAppeal(moderator, appealId, 'overturned')).json().message).toContain('another moderator')
    published = []
    expect((await api.decideAppeal(other, appealId, 'overturned')).json()).toMatchObject({
      outcome: 'overturned',
      decision: { appeal: 'overturned' },
    })
    expect(published).toEqual([['appeal.decided', { appealId }]])
    expect((await api.decideAppeal(admin, appealId, 'upheld')).statusCode).toBe(409)
    expect(await standing(writer)).toEqual(nothing)
    expect((await test.request('GET', `/api/posts/${post}`, other)).statusCode).toBe(200)
    expect((await ownDecisions(writer))[0]).toMatchObject({ stands: false, appeal: { outcome: 'overturned', answer: 'We looked again' } })
  })

  it(`lets only a moderator undo ${action}, once, and notifies the person`, async () => {
    const writer = await test.signUp()
    const post = await shownPost(writer)
    const [decision] = await api.decided(moderator, await api.reported('post', post), decisionWith({ action, ...more }))
    const id = decision?.id as string
    expect((await api.undo(await test.signUp(), id)).statusCode).toBe(404)
    expect((await api.undo(writer, id)).statusCode).toBe(action === 'suspend' || action === 'ban' ? 403 : 404)
    expect((await api.undo(null, id)).statusCode).toBe(401)
    published = []
    expect((await api.undo(other, id)).json()).toMatchObject({
      undoneAt: expect.any(String),
      undoneBy: { id: other.user.id },
      mayUndo: false,
    })
    expect((await api.undo(moderator, id)).json()).toMatchObject({ undoneBy: { id: other.user.id } })
    expect(published).toEqual([['moderation.acted', { actionId: id }]])
    expect((await auditOf(post)).map((entry) => entry.action)).toEqual([`moderation.${action}`, 'moderation.undone'])
    expect(await standing(writer)).toEqual(nothing)
    expect((await test.request('GET', `/api/posts/${post}`, other)).statusCode).toBe(200)
    expect((await api.appeal(writer, id)).statusCode).toBe(409)
  })
}

it('dismisses a case without notifying the author, and reopens it when the dismissal is undone', async () => {
  const writer = await test.signUp()
  const post = await shownPost(writer)
  const id = await api.reported('post', post)
  published = []
  const [decision] = await api.decided(moderator, id, { actions: [{ action: 'dismiss' }] })
  expect(published).toEqual([])
  expect(await ownDecisions(writer)).toEqual([])
  expect(await api.cases(moderator)).not.toContainEqual(expect.objectContaining({ id }))
  expect((await api.undo(other, decision?.id as string)).statusCode).toBe(200)
  expect(await api.cases(moderator)).toContainEqual(expect.objectContaining({ id, status: 'open' }))
})

it('hides, removes, and restores content, profiles, and businesses, and keeps all counters accurate', async () => {
  const writer = await test.signUp()
  const { ids } = await addReportableContent(test, writer)
  const address: Record<string, string> = {
    post: `/api/posts/${ids.post}`,
    hunt: `/api/pheno-hunts/${ids.hunt}`,
    business: `/api/businesses/${ids.business}`,
  }
  const kinds = ['comment', 'hunt_comment', 'review', 'post', 'hunt', 'person', 'business'] as const
  for (const subject of kinds) {
    for (const action of ['hide', 'remove'] as const) {
      const decider = subject === 'business' || subject === 'person' ? moderator : other
      const [decision] = await api.decided(decider, await api.reported(subject, ids[subject]), decisionWith({ action }))
      expect(await findWrongCounters(test.db), `${action} ${subject}`).toEqual([])
      if (address[subject]) expect((await test.request('GET', address[subject], other)).statusCode, subject).toBe(404)
      expect((await api.undo(moderator, decision?.id as string)).statusCode).toBe(200)
      expect(await findWrongCounters(test.db), `undone ${action} ${subject}`).toEqual([])
      if (address[subject]) expect((await test.request('GET', address[subject], other)).statusCode, subject).toBe(200)
    }
  }
})

it('replaces a hidden name for others but not for its owner', async () => {
  const writer = await test.signUp({ firstName: 'Rude', lastName: 'Name' })
  await test.db.updateTable('users').set({ bio: 'Rude bio', is_profile_public: true }).where('id', '=', writer.user.id).execute()
  const post = await shownPost(writer)
  await api.decided(moderator, await api.reported('person', writer.user.id), decisionWith({ action: 'hide' }))
  const profile = await test.request('GET', `/api/people/${writer.user.id}`, other)
  expect(profile.json()).toMatchObject({ name: 'Member', bio: null, imageUrl: null, isProfilePublic: false })
  expect(profile.body + (await test.request('GET', `/api/posts/${post}`, other)).body).not.toContain('Rude')
  expect((await test.request('GET', `/api/people/${writer.user.id}`, writer)).json()).toMatchObject({ name: 'Rude Name', bio: 'Rude bio' })
})

it('hides a business from everyone outside its team', async () => {
  const writer = await test.signUp()
  const { own } = await addReportableContent(test, writer)
  await test.db.updateTable('businesses').set({ name: 'Rude Store', search_text: 'rude store' }).where('id', '=', own.id).execute()
  const post = await addPost(test.db, { author_id: writer.user.id, business_id: own.id })
  const addresses = [
    `/api/businesses/${own.slug}`,
    `/api/businesses/${own.id}/ratings`,
    `/api/businesses/${own.id}/posts`,
    `/api/posts/${post}`,
  ]
  const found = async () =>
    Promise.all(
      ['/api/businesses?search=rude', '/api/businesses/map?search=rude&zoom=4&bbox=-120,30,-90,50'].map(async (url) =>
        (await test.request('GET', url, other)).body.includes('Rude Store'),
      ),
    )
  const statuses = async (as: TestPerson | null) =>
    Promise.all(addresses.map(async (url) => (await test.request('GET', url, as)).statusCode))
  expect(await found()).toEqual([true, true])
  expect(await statuses(other)).toEqual([200, 200, 200, 200])
  const [decision] = await api.decided(moderator, await api.reported('business', own.id), decisionWith({ action: 'hide' }))
  expect(await found()).toEqual([false, false])
  expect(await statuses(other)).toEqual([404, 404, 404, 404])
  expect(await statuses(null)).toEqual([404, 404, 404, 401])
  expect(await statuses(writer)).toEqual([200, 200, 200, 200])
  expect(await statuses(other)).toEqual([404, 404, 404, 404])
  expect((await test.request('PUT', `/api/businesses/${own.id}/follow`, other)).statusCode).toBe(404)
  const edited = await test.request('PATCH', `/api/businesses/${own.id}`, writer, { description: 'Better words' })
  expect(edited.statusCode, edited.body).toBe(200)
  await api.undo(moderator, decision?.id as string)
  expect(await found()).toEqual([true, true])
  expect(await statuses(other)).toEqual([200, 200, 200, 200])
})

it('undoes exactly the changes of an action, in any order', async () => {
  const writer = await test.signUp()
  const post = await shownPost(writer)
  const state = async () =>
    (await test.db.selectFrom('posts').select('moderation').where('id', '=', post).executeTakeFirstOrThrow()).moderation
  const act = async (action: 'hide' | 'remove') => {
    await test.db.deleteFrom('reports').execute()
    return (await api.decided(moderator, await api.reported('post', post), decisionWith({ action })))[0]?.id as string
  }
  const hidden = await act('hide')
  const id = await openAgain(post)
  const [removed] = await api.decided(moderator, id, decisionWith({ action: 'remove' }))
  expect(await state()).toBe('removed')
  await api.undo(other, hidden)
  expect(await state()).toBe('removed')
  await api.undo(other, removed?.id as string)
  expect(await state()).toBeNull()
  // The content was approved in the meantime, so there is nothing to undo.
  const again = await act('hide')
  await api.decided(moderator, await openAgain(post), { actions: [{ action: 'approve' }] })
  await api.undo(other, again)
  expect(await state()).toBeNull()
})

/** Reopens the case of hidden content, which can't be reported. */
async function openAgain(postId: string): Promise<string> {
  const id = await api.caseOf('post', postId)
  await test.db.updateTable('moderation_cases').set({ status: 'open', decided_at: null, decided_by: null }).where('id', '=', id).execute()
  return id
}

it('applies the longest of several mutes', async () => {
  const writer = await test.signUp()
  const muted = async (days: number) =>
    (await api.decided(moderator, await api.reported('post', await shownPost(writer)), decisionWith({ action: 'mute', days })))[0]
      ?.id as string
  const until = async () => Math.round((Date.parse((await standing(writer)).mutedUntil) - test.clock.now().getTime()) / 86_400_000)
  await muted(5)
  const long = await muted(30)
  await muted(2)
  expect(await until()).toBe(30)
  await api.undo(other, long)
  expect(await until()).toBe(5)
})

it('hides a banned person’s content in batches and restores exactly that content', async () => {
  const writer = await test.signUp()
  const { ids } = await addReportableContent(test, writer)
  for (let i = 0; i < 60; i++) await shownPost(writer)
  const before = await shownPost(writer)
  await api.decided(moderator, await api.reported('post', before), decisionWith({ action: 'remove' }))
  const [ban] = await api.decided(
    moderator,
    await api.reported('person', writer.user.id),
    decisionWith({ action: 'ban', hideContent: true }),
  )
  await test.runJobs()
  const shown = async () =>
    (await test.db.selectFrom('posts').select('id').where('author_id', '=', writer.user.id).where('moderation', 'is', null).execute())
      .length
  expect(await shown()).toBe(0)
  expect(await findWrongCounters(test.db)).toEqual([])
  for (const id of [ids.review, ids.comment, ids.hunt_comment]) {
    expect(await test.db.selectFrom('moderation_effects').select('after').where('subject_id', '=', id).execute()).toEqual([
      { after: 'hidden' },
    ])
  }
  await api.undo(other, ban?.id as string)
  await test.runJobs()
  expect(await shown()).toBe(61)
  expect(await findWrongCounters(test.db)).toEqual([])
  expect(await standing(writer)).toEqual(nothing)
})

it('lets one of two concurrent decisions win, and shows the other moderator its outcome', async () => {
  for (let round = 0; round < 5; round++) {
    const writer = await test.signUp()
    const id = await api.reported('post', await shownPost(writer))
    const answers = await Promise.all([
      api.decide(moderator, id, decisionWith({ action: 'hide' }, { action: 'warn' })),
      api.decide(other, id, { actions: [{ action: 'dismiss' }] }),
    ])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409])
    const isHidden = answers[0]?.statusCode === 200
    const refused = answers.find((answer) => answer.statusCode === 409)?.json()
    expect(refused.message).toContain(isHidden ? 'hidden, the person warned' : 'dismissed')
    expect(await ownDecisions(writer)).toHaveLength(isHidden ? 2 : 0)
  }
})

it('applies an action once per idempotency key, and keeps two admins from banning each other', async () => {
  const writer = await test.signUp()
  const id = await api.reported('post', await shownPost(writer))
  const send = () =>
    test.app.inject({
      method: 'POST',
      url: `/api/moderation/cases/${id}/decide`,
      headers: { cookie: moderator.cookie, 'idempotency-key': 'one decision' },
      payload: decisionWith({ action: 'warn' }),
    })
  const [first, second] = [await send(), await send()]
  expect(second.json()).toEqual(first.json())
  expect(await ownDecisions(writer)).toHaveLength(1)

  const [one, two] = [await api.moderator('admin'), await api.moderator('admin')]
  const about = [await api.reported('person', two.user.id), await api.reported('person', one.user.id)] as const
  const bans = await Promise.all([
    api.decide(one, about[0], decisionWith({ action: 'ban' })),
    api.decide(two, about[1], decisionWith({ action: 'ban' })),
  ])
  expect(bans.map((answer) => answer.statusCode).sort()).toEqual([200, 403])
})

it('requires a valid combination of actions, and a reason, an explanation, and days where they apply', async () => {
  const id = await api.reported('post', await shownPost(await test.signUp()))
  const wrong = [
    { actions: [] },
    { actions: [{ action: 'hide' }] },
    { actions: [{ action: 'hide' }], reason: 'spam' },
    { actions: [{ action: 'hide' }], explanation: 'Because' },
    decisionWith({ action: 'mute' }),
    decisionWith({ action: 'warn', days: 3 }),
    decisionWith({ action: 'suspend', days: 366 }),
    decisionWith({ action: 'hide' }, { action: 'remove' }),
    decisionWith({ action: 'warn' }, { action: 'ban' }),
    decisionWith({ action: 'approve' }, { action: 'warn' }),
    decisionWith({ action: 'ban', days: 3 }),
  ]
  for (const decision of wrong) expect((await api.decide(moderator, id, decision as never)).statusCode, JSON.stringify(decision)).toBe(400)
  expect((await api.decide(moderator, id, { actions: [{ action: 'approve' }] })).statusCode).toBe(409)
  expect(await api.decided(moderator, id, decisionWith({ action: 'remove' }, { action: 'suspend', days: 7 }))).toHaveLength(2)
})

it('doesn’t let a team member decide about the business or its reviews', async () => {
  const writer = await test.signUp()
  const { shop, ids } = await addReportableContent(test, writer)
  const ofTeam = await api.moderator()
  await test.db.insertInto('business_members').values({ business_id: shop.id, user_id: ofTeam.user.id, role: 'staff' }).execute()
  for (const [subject, id] of [
    ['business', shop.id],
    ['review', ids.review],
  ] as [ReportSubject, string][]) {
    const answer = await api.decide(ofTeam, await api.reported(subject, id), decisionWith({ action: 'remove' }))
    expect(answer.json().message, subject).toContain('this business’s team')
  }
})
