import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ModerationAppeal, ModerationCaseDetail } from '#contracts/moderation.ts'
import { up as fillBusinessesOfCases } from '#server/db/migrations/20261201T0861-fill-businesses-of-cases.ts'
import { pictureSizes } from '#server/kernel/media-address.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { addPostMedia } from '#tests/support/media-uses.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { pictureWithSecrets } from '#tests/support/pictures.ts'
import { giveRole } from '#tests/support/roles.ts'
import { addComment, addPost } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'

let test: TestApp
let api: ReturnType<typeof moderationCalls>
let moderator: TestPerson
let other: TestPerson
let admin: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  api = moderationCalls(test)
  moderator = await api.moderator()
  other = await api.moderator()
  admin = await api.moderator('admin')
})
afterAll(() => test?.close())

/** Changes an account during one of its requests, which sees the change once it locks the account. */
async function changedMeanwhile<Answer>(
  { user }: TestPerson,
  change: { role?: 'member'; banned_at?: Date },
  request: () => Promise<Answer>,
): Promise<Answer> {
  let answer: Promise<Answer> | undefined
  await test.db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set(change).where('id', '=', user.id).execute()
    answer = request()
    await untilWaiting(test.db)
  })
  return answer as Promise<Answer>
}

const mayDecideAppeal = async (as: TestPerson, id: string): Promise<boolean | undefined> =>
  ((await test.request('GET', '/api/moderation/appeals?limit=100', as)).json() as ModerationAppeal[]).find((each) => each.id === id)
    ?.mayDecide

it('lets no moderator undo a decision about another moderator', async () => {
  const peer = await api.moderator()
  const post = await addPost(test.db, { author_id: peer.user.id })
  const [decision] = await api.decided(admin, await api.reported('post', post), decisionWith({ action: 'mute', days: 3 }))
  const mayUndo = async (as: TestPerson) => (await api.case(as, decision?.caseId as string)).decisions.map((each) => each.mayUndo)
  expect(await mayUndo(moderator)).toEqual([false])
  expect((await api.undo(moderator, decision?.id as string)).json()).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('an admin has to decide'),
  })
  const otherAdmin = await api.moderator('admin')
  expect(await mayUndo(otherAdmin)).toEqual([true])
  expect((await api.undo(otherAdmin, decision?.id as string)).statusCode).toBe(200)
})

it('lets a community’s other moderators release its owner’s held content, but do nothing more', async () => {
  const [owner, keeper, member] = [await test.signUp(), await test.signUp(), await test.signUp()]
  const created_at = new Date(test.clock.now().getTime() - 40 * 86_400_000)
  await test.db.updateTable('users').set({ created_at, email_verified: true }).execute()
  const people = { owner: owner.user.id, moderators: [keeper.user.id], members: [member.user.id] }
  const community = await addCommunity(test.db, people)
  const write = async (as: TestPerson, title: string, content: string) => {
    const post = { communityId: community.id, postType: 'discussion', title, content }
    const answer = (await test.request('POST', '/api/community-posts', as, post)).json()
    expect(answer.moderation).toBe('held')
    return api.caseOf('post', answer.id)
  }
  const id = await write(owner, 'Good news', 'It cures cancer')
  const sale = await write(owner, 'Offer', 'Selling two ounces, text me at 303 555 0199')
  const queue = async (as: TestPerson, scope: string) => (await api.cases(as, `scope=${scope}&kind=held`)).map((each) => each.id)
  for (const as of [owner, keeper]) expect(await queue(as, community.id)).toEqual([id])
  expect(await queue(moderator, 'site')).toEqual(expect.arrayContaining([id, sale]))
  expect((await test.request('GET', `/api/moderation/cases?scope=${community.id}`, member)).statusCode).toBe(404)

  expect(await api.case(owner, id)).toMatchObject({ mayDo: [], refusal: expect.stringContaining('about you') })
  expect(await api.case(keeper, id)).toMatchObject({ mayDo: ['approve'], refusal: null })
  const approval = { actions: [{ action: 'approve' as const }] }
  expect((await api.decide(owner, id, approval)).statusCode).toBe(403)
  expect((await api.decide(keeper, id, decisionWith({ action: 'remove' }))).statusCode).toBe(403)
  expect((await api.decide(keeper, sale, approval)).statusCode).toBe(404)
  const [released] = await api.decided(keeper, id, approval)
  expect(released?.mayUndo).toBe(false)
  expect((await api.undo(keeper, released?.id as string)).statusCode).toBe(403)

  await test.runJobs()
  const [notice] = (await test.request('GET', '/api/notifications', owner)).json()
  expect(notice).toMatchObject({ type: 'moderation_notice', title: expect.stringContaining('approved') })
  const audited = await test.db.selectFrom('audit_log').select(['action', 'actor_id']).where('action', '=', 'moderation.approve').execute()
  expect(audited).toContainEqual({ action: 'moderation.approve', actor_id: keeper.user.id })
  const [seen] = (await test.request('GET', `/api/community-posts?communityId=${community.id}`, member)).json()
  expect(seen).toMatchObject({ title: 'Good news', moderation: null })

  const reported = await write(owner, 'More news', 'It cures diabetes')
  await test.db.updateTable('moderation_cases').set({ reports_count: 1 }).where('id', '=', reported).execute()
  expect(await api.case(keeper, reported)).toMatchObject({ mayDo: [], refusal: expect.stringContaining('owner of the community') })
})

it('lets no moderator review a decision about an admin', async () => {
  const [one, two] = [await api.moderator('admin'), await api.moderator('admin')]
  const [ban] = await api.decided(one, await api.reported('person', two.user.id), decisionWith({ action: 'ban' }))
  const appeal = (await api.appeal(two, ban?.id as string)).json().id as string
  expect((await api.undo(moderator, ban?.id as string)).statusCode).toBe(403)
  expect(await mayDecideAppeal(moderator, appeal)).toBe(false)
  expect(await mayDecideAppeal(admin, appeal)).toBe(true)
  expect((await api.decideAppeal(moderator, appeal, 'overturned')).json().message).toContain('another admin has to decide')
  expect((await api.decideAppeal(admin, appeal, 'overturned')).statusCode).toBe(200)
})

it('hides reporters, their words and moderators’ notes from the moderator a case is about, who can’t claim it', async () => {
  const [reported, reporter, ofTeam] = [await api.moderator(), await test.signUp(), await api.moderator()]
  const shop = await addBusiness(test.db)
  await test.db.insertInto('business_members').values({ business_id: shop.id, user_id: ofTeam.user.id, role: 'staff' }).execute()
  const post = await addPost(test.db, { author_id: reported.user.id })
  for (const [subject, id, concerned] of [['post', post, reported] as const, ['business', shop.id, ofTeam] as const]) {
    await api.report(reporter, subject, id, 'harassment', 'Secret details')
    const caseId = await api.caseOf(subject, id)
    const read = (as: TestPerson) => test.request('GET', `/api/moderation/cases/${caseId}`, as)
    const claim = (as: TestPerson, isMine: boolean) => test.request('POST', `/api/moderation/cases/${caseId}/assign`, as, { isMine })
    const hidden = async () => {
      const { body } = await read(concerned)
      expect(JSON.parse(body), subject).toMatchObject({ id: caseId, reportsCount: 1, reports: [], history: null, mayDo: [] })
      for (const secret of [reporter.user.id, 'Secret details', 'Known from elsewhere']) expect(body, subject).not.toContain(secret)
    }
    await hidden()
    expect((await read(other)).json()).toMatchObject({ reports: [{ details: 'Secret details', reporter: { id: reporter.user.id } }] })
    expect((await claim(concerned, true)).json()).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('another moderator'),
    })
    expect((await claim(concerned, false)).statusCode, subject).toBe(200)
    expect((await claim(other, true)).statusCode, subject).toBe(200)
    await api.decided(admin, caseId, { actions: [{ action: 'dismiss' }], note: 'Known from elsewhere' })
    await hidden()
  }
})

it('hides moderators and their notes from the moderator a case is about, also in lists and with the appeal', async () => {
  const [reported, colleague] = [await api.moderator(), await test.signUp()]
  const shop = await addBusiness(test.db)
  for (const { user } of [reported, colleague]) {
    await test.db.insertInto('business_members').values({ business_id: shop.id, user_id: user.id, role: 'staff' }).execute()
  }
  const own = await addPost(test.db, { author_id: reported.user.id })
  const ofTeam = await addPost(test.db, { author_id: colleague.user.id, business_id: shop.id })
  for (const [post, author] of [[own, reported] as const, [ofTeam, colleague] as const]) {
    const id = await api.reported('post', post)
    const body = async (url: string) => (await test.request('GET', `/api/moderation/${url}`, reported)).body
    const inList = async (url: string, key: string) => {
      const found = (JSON.parse(await body(url)) as { id: string }[]).find((each) => each.id === key)
      expect(found, url).toBeDefined()
      return JSON.stringify(found)
    }
    const seesNone = (...seen: string[]) => {
      for (const text of seen)
        for (const secret of [other.user.id, admin.user.id, 'Known from elsewhere']) expect(text).not.toContain(secret)
    }
    await test.request('POST', `/api/moderation/cases/${id}/assign`, other, { isMine: true })
    expect(await api.case(moderator, id)).toMatchObject({ assignedTo: { id: other.user.id } })
    seesNone(await body(`cases/${id}`), await inList('cases?limit=100', id))
    const [decision] = await api.decided(admin, id, { ...decisionWith({ action: 'warn' }), note: 'Known from elsewhere' })
    const appeal = (await api.appeal(author, decision?.id as string)).json().id as string
    seesNone(await body(`cases/${id}`), await inList('appeals?limit=100', appeal))
    await api.decideAppeal(other, appeal, 'overturned')
    seesNone(await body(`cases/${id}`), await inList('appeals?limit=100&status=decided', appeal))
    const elsewhere = (await api.case(reported, await api.reported('person', colleague.user.id))).history
    seesNone(JSON.stringify(elsewhere))
  }
})

it('still hides reports and notes from a business’s team after the reported content was deleted', async () => {
  const [colleague, ofTeam, reporter] = [await test.signUp(), await api.moderator(), await test.signUp()]
  const shop = await addBusiness(test.db)
  for (const { user } of [colleague, ofTeam]) {
    await test.db.insertInto('business_members').values({ business_id: shop.id, user_id: user.id, role: 'staff' }).execute()
  }
  const added = { author_id: colleague.user.id, business_id: shop.id }
  const [open, decided, early] = [await addPost(test.db, added), await addPost(test.db, added), await addPost(test.db, added)]
  const withoutBusiness = (post: string) =>
    test.db.updateTable('moderation_cases').set({ business_id: null }).where('subject_id', '=', post).execute()
  for (const post of [open, decided, early]) await api.report(reporter, 'post', post, 'harassment', 'Secret details')
  // A server of the previous release opened this case during the upgrade.
  await withoutBusiness(open)
  await api.report(reporter, 'post', open, 'harassment', 'Secret details')
  await withoutBusiness(early)
  await fillBusinessesOfCases(test.db as unknown as Kysely<unknown>)
  const decision = { ...decisionWith({ action: 'warn' }), note: 'Known from elsewhere' }
  const [warning] = await api.decided(other, await api.caseOf('post', decided), decision)
  const appeal = (await api.appeal(colleague, warning?.id as string)).json().id as string
  for (const post of [open, decided, early]) {
    await test.db.deleteFrom('posts').where('id', '=', post).execute()
    const id = await api.caseOf('post', post)
    const { body } = await test.request('GET', `/api/moderation/cases/${id}`, ofTeam)
    expect(JSON.parse(body)).toMatchObject({ isThere: false, reports: [], history: null, mayDo: [] })
    for (const secret of [reporter.user.id, 'Secret details', 'Known from elsewhere', other.user.id]) expect(body).not.toContain(secret)
    expect(await api.case(other, id)).toMatchObject({ reports: [{ details: 'Secret details' }] })
    const claim = await test.request('POST', `/api/moderation/cases/${id}/assign`, ofTeam, { isMine: true })
    expect(claim.json().message).toContain('this business’s team')
  }
  expect((await api.decide(ofTeam, await api.caseOf('post', open), { actions: [{ action: 'dismiss' }] })).statusCode).toBe(403)
  expect((await api.undo(ofTeam, warning?.id as string)).json().message).toContain('this business’s team')
  expect(await mayDecideAppeal(ofTeam, appeal)).toBe(false)
})

it('lets no team member undo or review a decision about their business’s post', async () => {
  const [colleague, ofTeam] = [await test.signUp(), await api.moderator()]
  const shop = await addBusiness(test.db)
  for (const { user } of [colleague, ofTeam]) {
    await test.db.insertInto('business_members').values({ business_id: shop.id, user_id: user.id, role: 'staff' }).execute()
  }
  const post = await addPost(test.db, { author_id: colleague.user.id, business_id: shop.id })
  const [decision] = await api.decided(moderator, await api.reported('post', post), decisionWith({ action: 'remove' }))
  const appeal = (await api.appeal(colleague, decision?.id as string)).json().id as string
  expect((await api.undo(ofTeam, decision?.id as string)).json().message).toContain('this business’s team')
  expect(await mayDecideAppeal(ofTeam, appeal)).toBe(false)
  expect((await api.decideAppeal(ofTeam, appeal, 'overturned')).json().message).toContain('this business’s team')
  expect((await api.decideAppeal(other, appeal, 'overturned')).statusCode).toBe(200)
})

it('lets no one decide the appeal against a decision about what they reported', async () => {
  const [writer, reporter] = [await test.signUp(), await api.moderator()]
  const post = await addPost(test.db, { author_id: writer.user.id })
  await api.report(reporter, 'post', post)
  const [decision] = await api.decided(moderator, await api.caseOf('post', post), decisionWith({ action: 'warn' }))
  const appeal = (await api.appeal(writer, decision?.id as string)).json().id as string
  expect([await mayDecideAppeal(reporter, appeal), await mayDecideAppeal(other, appeal)]).toEqual([false, true])
  expect((await api.decideAppeal(reporter, appeal, 'upheld')).json()).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('You reported this'),
  })
  expect((await api.decideAppeal(other, appeal, 'upheld')).statusCode).toBe(200)
})

it('shows a removed comment to its author and with the appeal, and names its author in the audit log', async () => {
  const writer = await test.signUp()
  const post = await addPost(test.db, { author_id: other.user.id, title: 'Blue Dream' })
  const comment = await addComment(test.db, { post_id: post, author_id: writer.user.id, content: 'Half an ounce for you' })
  await test.db.updateTable('posts').set({ comments_count: 1 }).where('id', '=', post).execute()
  const [decision] = await api.decided(moderator, await api.reported('comment', comment), decisionWith({ action: 'remove' }))
  const named = { title: 'Blue Dream', excerpt: 'Half an ounce for you' }
  expect((await test.request('GET', '/api/standing/actions', writer)).json()).toMatchObject([{ ...named, path: null }])
  const [entry] = (await test.request('GET', `/api/admin/audit?subject=${comment}`, admin)).json()
  expect(entry).toMatchObject({ action: 'moderation.remove', person: { id: writer.user.id } })
  await api.appeal(writer, decision?.id as string)
  const appeals = (await test.request('GET', '/api/moderation/appeals?limit=100', other)).json()
  expect(appeals).toContainEqual(expect.objectContaining(named))
})

it('checks the role again after locking the subject of the decision', async () => {
  const [one, two] = [await api.moderator('admin'), await api.moderator('admin')]
  const case_ = await api.reported('person', one.user.id)
  const ban = await changedMeanwhile(two, { role: 'member' }, () => api.decide(two, case_, decisionWith({ action: 'ban' })))
  expect(ban.statusCode).toBe(404)
  const writer = await test.signUp()
  const post = await addPost(test.db, { author_id: writer.user.id })
  const [decision] = await api.decided(moderator, await api.reported('post', post), decisionWith({ action: 'warn' }))
  const undoing = await api.moderator()
  expect((await changedMeanwhile(undoing, { banned_at: new Date() }, () => api.undo(undoing, decision?.id as string))).statusCode).toBe(403)
  const appeal = (await api.appeal(writer, decision?.id as string)).json().id as string
  const judging = await api.moderator()
  const judged = await changedMeanwhile(judging, { role: 'member' }, () => api.decideAppeal(judging, appeal, 'overturned'))
  expect(judged.statusCode).toBe(403)
})

it('stops an admin who was banned in the meantime from removing a role', async () => {
  const [one, two] = [await api.moderator('admin'), await api.moderator('admin')]
  const demote = () => test.request('PUT', `/api/admin/people/${one.user.id}/role`, two, { role: 'member' })
  expect((await changedMeanwhile(two, { banned_at: new Date() }, demote)).statusCode).toBe(403)
})

it('keeps a rejoined member when an old ban is undone', async () => {
  const [owner, member] = [await test.signUp(), await test.signUp()]
  const { id: communityId } = await addCommunity(test.db, { owner: owner.user.id, members: [member.user.id] })
  const banned = async () => {
    const post = await addPost(test.db, { author_id: member.user.id, community_id: communityId, post_type: 'discussion' })
    const [decision] = await api.decided(owner, await api.reported('post', post), decisionWith({ action: 'ban', days: 1 }))
    test.clock.advance({ days: 2 })
    const joined = await test.request('POST', `/api/communities/${communityId}/join`, member, {})
    expect(joined.json()).toMatchObject({ myRole: 'member' })
    return decision?.id as string
  }
  const first = await banned()
  await banned()
  expect((await api.undo(owner, first)).statusCode).toBe(200)
  expect((await test.request('GET', `/api/communities/${communityId}`, member)).json()).toMatchObject({ myRole: 'member' })
})

it('lets a community’s mute be undone or overturned while another applies, even if the person has become a moderator', async () => {
  const [owner, member] = [await test.signUp(), await test.signUp()]
  const { id: communityId } = await addCommunity(test.db, { owner: owner.user.id, members: [member.user.id] })
  const muted = async (days: number) => {
    const post = await addPost(test.db, { author_id: member.user.id, community_id: communityId, post_type: 'discussion' })
    return (await api.decided(owner, await api.reported('post', post), decisionWith({ action: 'mute', days })))[0]?.id as string
  }
  const [short, medium, long] = [await muted(3), await muted(10), await muted(30)]
  const appeal = (await api.appeal(member, medium)).json().id as string
  const setRole = (role: 'moderator' | 'member') =>
    test.request('PUT', `/api/communities/${communityId}/members/${member.user.id}/role`, owner, { role })
  expect((await setRole('moderator')).statusCode).toBe(200)
  expect((await api.undo(owner, long)).statusCode).toBe(200)
  expect((await api.decideAppeal(moderator, appeal, 'overturned')).statusCode).toBe(200)
  const { mutedUntil } = (await setRole('member')).json()
  expect(Math.round((Date.parse(mutedUntil) - test.clock.now().getTime()) / 86_400_000)).toBe(3)
  expect((await api.undo(owner, short)).statusCode).toBe(200)
  expect((await setRole('member')).json()).toMatchObject({ mutedUntil: null })
})

it('lets a person who moderates both the site and a community act for either', async () => {
  const [owner, both, peer, member] = [await test.signUp(), await api.moderator('admin'), await api.moderator(), await test.signUp()]
  const people = { owner: owner.user.id, moderators: [both.user.id], members: [peer.user.id, member.user.id] }
  const { id: communityId } = await addCommunity(test.db, people)
  const reported = async ({ user }: TestPerson) =>
    api.reported('post', await addPost(test.db, { author_id: user.id, community_id: communityId, post_type: 'discussion' }))
  const standing = async (as: TestPerson) => (await test.request('GET', '/api/standing', as)).json()

  const ofPeer = await reported(peer)
  expect(await api.case(both, ofPeer)).toMatchObject({ actsFor: 'community', mayDo: [] })
  expect(await api.case(both, ofPeer, '?actsFor=site')).toMatchObject({
    actsFor: 'site',
    mayDo: expect.arrayContaining(['suspend']),
    history: { accountStatus: { isBanned: false } },
    reports: [{ reporter: { id: expect.any(String) } }],
  })
  const suspension = decisionWith({ action: 'suspend', days: 1 })
  expect((await api.decide(both, ofPeer, suspension)).statusCode).toBe(403)
  expect((await api.decide(owner, ofPeer, { ...suspension, actsFor: 'site' })).statusCode).toBe(404)
  const [suspended] = await api.decided(both, ofPeer, { ...suspension, actsFor: 'site' })
  expect(suspended).toMatchObject({ community: null, mayUndo: true })
  expect(await standing(peer)).toMatchObject({ suspendedUntil: expect.any(String) })

  const ofMember = await reported(member)
  const mute = { ...decisionWith({ action: 'mute', days: 1 }), actsFor: 'community' as const }
  expect((await api.decide(moderator, ofMember, mute)).statusCode).toBe(404)
  const [muted] = await api.decided(both, ofMember, mute)
  expect(muted).toMatchObject({ community: { id: communityId } })
  expect(await standing(member)).toMatchObject({ mutedUntil: null })
  await giveRole(test, member, 'moderator')
  expect((await api.case(both, ofMember)).decisions).toMatchObject([{ mayUndo: true }])
  expect((await api.undo(both, muted?.id as string)).statusCode).toBe(200)
})

it('leaves suspected sales in a community to the site’s moderators', async () => {
  const [owner, member] = [await test.signUp(), await test.signUp()]
  const { id: communityId } = await addCommunity(test.db, { owner: owner.user.id, members: [member.user.id] })
  const held = async (content: string) => {
    const words = { communityId, postType: 'discussion', title: 'From my garden', content }
    const post = (await test.request('POST', '/api/community-posts', member, words)).json()
    expect(post).toMatchObject({ moderation: 'held' })
    return api.caseOf('post', post.id)
  }
  const approve = { actions: [{ action: 'approve' as const }] }
  const sale = await held('Clones for sale, $20 each, I ship everywhere')
  expect((await api.decide(owner, sale, approve)).statusCode).toBe(404)
  expect(await api.cases(moderator, 'kind=held')).toContainEqual(expect.objectContaining({ id: sale, isForSite: true }))
  expect((await api.decide(owner, await held('This oil cures cancer'), approve)).statusCode).toBe(200)
})

it('shows community moderators the site’s action in their case without its moderator or notes', async () => {
  const [owner, member] = [await test.signUp(), await test.signUp()]
  const { id: communityId } = await addCommunity(test.db, { owner: owner.user.id, members: [member.user.id] })
  const post = await addPost(test.db, { author_id: member.user.id, community_id: communityId, post_type: 'discussion' })
  const id = await api.reported('post', post)
  await api.decided(moderator, id, { ...decisionWith({ action: 'warn' }), note: 'Known from elsewhere' })
  const answer = await test.request('GET', `/api/moderation/cases/${id}`, owner)
  expect((answer.json() as ModerationCaseDetail).decisions).toMatchObject([{ action: 'warn', moderator: null, note: '', mayUndo: false }])
  expect(answer.body).not.toContain(moderator.user.id)
})

it('keeps a banned person from seeing private pictures and from writing', async () => {
  const [owner, member] = [await test.signUp(), await test.signUp()]
  const media = await uploadsOf(test).upload(owner, await pictureWithSecrets('jpeg'))
  const { id: communityId } = await addCommunity(test.db, { owner: owner.user.id, members: [member.user.id] }, { visibility: 'private' })
  const post = await addPost(test.db, { author_id: owner.user.id, community_id: communityId, post_type: 'discussion' })
  await addPostMedia(test.db, post, [media.id])
  const look = () => test.request('GET', `/media/${media.id}/${pictureSizes[0]}.webp`, member)
  expect((await look()).statusCode).toBe(200)
  await api.decided(moderator, await api.reported('person', member.user.id), decisionWith({ action: 'ban' }))
  expect((await look()).statusCode).toBe(404)
  for (const url of ['/api/businesses', '/api/user/profile']) {
    expect((await test.request('POST', url, member, {})).json(), url).toMatchObject({ code: 'suspended' })
  }
})
