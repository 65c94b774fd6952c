import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Community } from '#contracts/communities.ts'
import type { CommunityInvitation, CommunityMember, ReceivedInvitation } from '#contracts/community-members.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { addPeople, blockPerson } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { communityModeration } from './community.moderated.ts'

let t: TestApp
let owner: TestPerson
let moderator: TestPerson
let member: TestPerson
let stranger: TestPerson
let community: Community

beforeAll(async () => {
  t = await startTestApp()
  ;[owner, moderator, member, stranger] = (await Promise.all([t.signUp(), t.signUp(), t.signUp(), t.signUp()])) as [
    TestPerson,
    TestPerson,
    TestPerson,
    TestPerson,
  ]
  for (const person of [moderator, member, stranger]) await call('PUT', `/api/people/${person.user.id}/follow`, owner)
})
afterAll(() => t?.close())

beforeEach(async () => {
  await t.db.deleteFrom('communities').execute()
  community = await open('invite_only')
})

type Visibility = Community['visibility']

async function open(visibility: Visibility): Promise<Community> {
  await t.db.deleteFrom('communities').execute()
  const made = { name: 'The long table', description: 'Words', category: 'general', visibility }
  const { id } = (await call('POST', '/api/communities', owner, made)).json() as Community
  for (const [person, role] of [
    [moderator, 'moderator'],
    [member, 'member'],
  ] as const) {
    await t.db
      .insertInto('community_members')
      .values({ community_id: id, user_id: person.user.id, role, joined_at: t.clock.now() })
      .execute()
  }
  await t.db.updateTable('communities').set({ member_count: 3 }).where('id', '=', id).execute()
  community = (await t.request('GET', `/api/communities/${id}`, owner)).json() as Community
  return community
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'
const at = (path = '') => `/api/communities/${community.id}${path}`
const status = async (method: Method, path: string, as: TestPerson | null, body?: object) =>
  (await t.request(method, path, as, body)).statusCode
async function call(method: Method, path: string, as: TestPerson, body?: object) {
  const answer = await t.request(method, path, as, body)
  expect(answer.statusCode, `${method} ${path}: ${answer.body}`).toBeLessThan(300)
  return answer
}
const seen = async (as: TestPerson) => (await call('GET', at(), as)).json() as Community
const events = async () =>
  (await t.db.selectFrom('audit_log').select('action').where('subject_id', '=', community.id).execute()).map((row) => row.action)

async function counts(): Promise<[number, number]> {
  const { member_count } = await t.db
    .selectFrom('communities')
    .select('member_count')
    .where('id', '=', community.id)
    .executeTakeFirstOrThrow()
  const rows = await t.db.selectFrom('community_members').select('user_id').where('community_id', '=', community.id).execute()
  return [member_count, rows.length]
}

it('lets anyone join and leave a public community repeatedly', async () => {
  await open('public')
  expect((await call('POST', at('/join'), stranger)).json()).toMatchObject({ myRole: 'member', memberCount: 4, abilities: { leave: true } })
  expect((await call('POST', at('/join'), stranger, {})).json()).toMatchObject({ memberCount: 4 })
  await call('DELETE', at('/membership'), stranger)
  await call('DELETE', at('/membership'), stranger)
  expect(await seen(stranger)).toMatchObject({ myRole: null, memberCount: 3, abilities: { join: true, post: false, read: true } })
  expect(await counts()).toEqual([3, 3])
})

it('keeps the owner from leaving, and revokes a leaving moderator’s links', async () => {
  const link = (await call('POST', at('/invitation-links'), moderator, {})).json() as { token: string }
  expect(await status('DELETE', at('/membership'), owner)).toBe(409)
  await call('DELETE', at('/membership'), moderator)
  expect((await call('GET', `/api/communities/invitations/${link.token}`, stranger)).json()).toMatchObject({ state: 'revoked' })
})

it('accepts one request to join an invite-only community, which moderators accept or decline', async () => {
  const asked = (await call('POST', at('/join'), stranger, { message: 'I grow too' })).json() as Community
  expect(asked).toMatchObject({ isRequested: true, myRole: null, postCount: null, abilities: { read: false, join: false, request: false } })
  await call('POST', at('/join'), stranger, { message: 'Again' })
  const list = (await call('GET', at('/requests'), moderator)).json()
  expect(list).toEqual([
    { person: expect.objectContaining({ id: stranger.user.id }), message: 'I grow too', createdAt: expect.any(String) },
  ])
  expect(await seen(moderator)).toMatchObject({ requestsCount: 1 })
  expect(await seen(member)).toMatchObject({ requestsCount: null })
  const one = at(`/requests/${stranger.user.id}`)
  for (const [person, code] of [
    [member, 403],
    [stranger, 403],
    [null, 401],
  ] as const) {
    expect(await status('GET', at('/requests'), person)).toBe(code)
    expect(await status('POST', one, person)).toBe(code)
    expect(await status('DELETE', one, person)).toBe(code)
  }
  await call('DELETE', one, moderator)
  await call('DELETE', one, moderator)
  expect(await seen(stranger)).toMatchObject({ isRequested: false })
  expect(await status('POST', one, moderator)).toBe(404)
  await call('POST', at('/join'), stranger)
  await call('POST', one, moderator)
  await call('POST', one, moderator)
  expect(await seen(stranger)).toMatchObject({ myRole: 'member', isRequested: false, memberCount: 4 })
  expect(await events()).toEqual(['community.request_declined', 'community.request_accepted'])
})

it('lets a person withdraw their own request', async () => {
  await call('POST', at('/join'), stranger)
  await call('DELETE', at('/membership'), stranger)
  expect((await call('GET', at('/requests'), owner)).json()).toEqual([])
})

it('drops requests when the community stops being invite-only', async () => {
  await call('POST', at('/join'), stranger)
  await call('PATCH', at(), owner, { visibility: 'private' })
  expect(await status('GET', at(), stranger)).toBe(404)
  await call('PATCH', at(), owner, { visibility: 'public' })
  expect(await seen(stranger)).toMatchObject({ isRequested: false, abilities: { join: true } })
  expect(await events()).toEqual(['community.visibility_changed', 'community.visibility_changed'])
})

it('accepts a join request from a person muted on the site only if it has no message', async () => {
  await t.db
    .updateTable('users')
    .set({ muted_until: new Date(t.clock.now().getTime() + 3_600_000) })
    .where('id', '=', stranger.user.id)
    .execute()
  expect((await t.request('POST', at('/join'), stranger, { message: 'Let me in' })).json()).toMatchObject({ code: 'muted' })
  await call('POST', at('/join'), stranger)
  await t.db.updateTable('users').set({ muted_until: null }).where('id', '=', stranger.user.id).execute()
})

it('shows members to members, and the team to everyone who can read the community', async () => {
  await open('public')
  const list = async (query: string, as: TestPerson) => (await call('GET', at(`/members?${query}`), as)).json() as CommunityMember[]
  expect((await list('limit=2', member)).length).toBe(2)
  const first = await t.request('GET', at('/members?limit=2'), member)
  const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] as string
  const all = [...(first.json() as CommunityMember[]), ...((await call('GET', next, member)).json() as CommunityMember[])]
  expect(new Set(all.map(({ person }) => person.id))).toEqual(new Set([owner, moderator, member].map(({ user }) => user.id)))
  expect((await list('only=team', stranger)).map(({ role }) => role).sort()).toEqual(['moderator', 'owner'])
  expect(await status('GET', at('/members'), stranger)).toBe(403)
  const name = member.user.displayName ?? `${member.user.lastName}`
  expect((await list(`search=${encodeURIComponent(name.slice(0, 20))}`, owner)).map(({ person }) => person.id)).toContain(member.user.id)
})

it('hides members across a block, except from those who may remove them', async () => {
  const list = async (query: string, as: TestPerson) =>
    ((await call('GET', at(`/members?${query}`), as)).json() as CommunityMember[]).map(({ person }) => person.id)
  await blockPerson(t.db, member.user.id, moderator.user.id)
  await blockPerson(t.db, moderator.user.id, owner.user.id)
  expect(await list('', member)).not.toContain(moderator.user.id)
  expect(await list('', moderator)).toEqual(expect.arrayContaining([member.user.id, moderator.user.id]))
  expect(await list('', moderator)).not.toContain(owner.user.id)
  expect(await list('only=team', owner)).toContain(moderator.user.id)
  const demoted = await t.request('PUT', at(`/members/${moderator.user.id}/role`), owner, { role: 'member' })
  expect([demoted.statusCode, demoted.json()]).toMatchObject([200, { role: 'member', abilities: { remove: true } }])
  expect(await list('only=team', owner)).toEqual([owner.user.id])
  await t.db.deleteFrom('person_blocks').execute()
  expect(await events()).toEqual(['community.role_changed'])
})

it('lets only the owner change roles, and revokes a removed moderator’s links', async () => {
  const role = (person: TestPerson) => at(`/members/${person.user.id}/role`)
  for (const [person, code] of [
    [moderator, 403],
    [member, 403],
    [stranger, 403],
  ] as const) {
    expect(await status('PUT', role(member), person, { role: 'moderator' })).toBe(code)
  }
  expect(await status('PUT', role(stranger), owner, { role: 'moderator' })).toBe(404)
  expect(await status('PUT', role(owner), owner, { role: 'member' })).toBe(409)
  expect((await call('PUT', role(member), owner, { role: 'moderator' })).json()).toMatchObject({ role: 'moderator' })
  await call('PUT', role(member), owner, { role: 'moderator' })
  const { token } = (await call('POST', at('/invitation-links'), member, { days: 3 })).json() as { token: string }
  await call('PUT', role(member), owner, { role: 'member' })
  expect(await status('POST', `/api/communities/invitations/${token}/accept`, stranger)).toBe(409)
  expect(await events()).toEqual(['community.role_changed', 'community.link_made', 'community.role_changed'])
})

it('lets moderators remove members and the owner remove moderators', async () => {
  const one = (person: TestPerson) => at(`/members/${person.user.id}`)
  expect(await status('DELETE', one(moderator), member)).toBe(403)
  expect(await status('DELETE', one(owner), moderator)).toBe(403)
  expect(await status('DELETE', one(moderator), moderator)).toBe(409)
  await call('DELETE', one(member), moderator)
  await call('DELETE', one(member), moderator)
  expect(await counts()).toEqual([2, 2])
  await call('DELETE', one(moderator), owner)
  expect(await counts()).toEqual([1, 1])
})

it('transfers a community to a moderator and always keeps one owner', async () => {
  const hand = (to: TestPerson, as = owner) => t.request('PUT', at('/owner'), as, { personId: to.user.id })
  expect((await hand(member)).statusCode).toBe(409)
  expect((await hand(stranger)).statusCode).toBe(404)
  expect((await hand(moderator, moderator)).statusCode).toBe(403)
  expect((await hand(moderator)).json()).toMatchObject({ myRole: 'moderator' })
  expect(await seen(moderator)).toMatchObject({ myRole: 'owner', abilities: { edit: true } })
  expect((await hand(moderator)).statusCode).toBe(403)
  expect(await events()).toEqual(['community.handed_over'])
})

it('invites acquaintances by name and lets them in once', async () => {
  await open('private')
  const invite = (person: { user: { id: string } }, as = owner) =>
    t.request('POST', at('/invitations'), as, { personId: person.user.id, days: 3 })
  const people = () => call('GET', at('/people'), owner).then((answer) => (answer.json() as { id: string }[]).map(({ id }) => id))
  expect(await status('GET', at(), stranger)).toBe(404)
  expect(await people()).toEqual([stranger.user.id])
  const first = (await invite(stranger)).json() as CommunityInvitation
  expect(((await invite(stranger)).json() as CommunityInvitation).id).toBe(first.id)
  expect(await people()).toEqual([])
  expect((await invite(member)).statusCode).toBe(409)
  expect((await invite(stranger, member)).statusCode).toBe(403)
  const [unknown] = await addPeople(t.db, 1)
  expect((await invite({ user: { id: unknown as string } })).statusCode).toBe(403)
  expect(await seen(stranger)).toMatchObject({ isInvited: true, postCount: null, abilities: { read: false, join: true } })
  const received = (await call('GET', '/api/communities/invitations', stranger)).json() as ReceivedInvitation[]
  expect(received).toMatchObject([{ state: 'open', community: { id: community.id }, invitedBy: { id: owner.user.id } }])
  expect(await status('POST', `/api/communities/invitations/${first.id}/accept`, member)).toBe(404)
  await call('POST', `/api/communities/invitations/${first.id}/accept`, stranger)
  expect((await call('POST', `/api/communities/invitations/${first.id}/accept`, stranger)).json()).toMatchObject({ memberCount: 4 })
  await call('DELETE', at('/membership'), stranger)
  expect(await status('GET', at(), stranger)).toBe(404)
  expect(await status('POST', `/api/communities/invitations/${first.id}/accept`, stranger)).toBe(409)
  expect(await counts()).toEqual([3, 3])
})

it('accepts an open invitation through the normal join call, but not a declined one', async () => {
  await open('private')
  await call('POST', at('/invitations'), owner, { personId: stranger.user.id })
  const [received] = (await call('GET', '/api/communities/invitations', stranger)).json() as { id: string }[]
  await call('DELETE', `/api/communities/invitations/${received?.id}`, stranger)
  expect(await status('POST', at('/join'), stranger)).toBe(404)
  await call('POST', at('/invitations'), owner, { personId: stranger.user.id })
  await call('POST', at('/join'), stranger)
  expect((await call('GET', at('/invitations'), owner)).json()).toEqual([])
})

it('ends invitations when they expire or are withdrawn', async () => {
  await open('private')
  const { token, invitation } = (await call('POST', at('/invitation-links'), owner, { days: 1 })).json()
  expect(await status('POST', at('/invitation-links'), owner, { days: 31 })).toBe(400)
  const look = () => call('GET', `/api/communities/invitations/${token}`, stranger).then((answer) => answer.json() as ReceivedInvitation)
  expect(await look()).toMatchObject({ state: 'open', community: { name: 'The long table', postCount: null } })
  t.clock.advance({ hours: 25 })
  expect(await look()).toMatchObject({ state: 'expired', community: null, invitedBy: null })
  expect(await status('POST', `/api/communities/invitations/${token}/accept`, stranger)).toBe(409)
  await call('POST', at('/invitations'), owner, { personId: stranger.user.id, days: 1 })
  t.clock.advance({ hours: 25 })
  expect(await status('GET', at(), stranger)).toBe(404)
  const again = (await call('POST', at('/invitations'), owner, { personId: stranger.user.id, days: 1 })).json() as CommunityInvitation
  expect((await call('GET', at('/invitations'), owner)).json()).toHaveLength(1)
  await call('DELETE', at(`/invitations/${again.id}`), moderator)
  expect(await status('GET', at(), stranger)).toBe(404)
  expect(await status('DELETE', at(`/invitations/${invitation.id}`), member)).toBe(403)
  expect(await status('GET', '/api/communities/invitations/nothing-like-it', stranger)).toBe(404)
})

it('stores only the hash of a link', async () => {
  const { token } = (await call('POST', at('/invitation-links'), owner, {})).json()
  const rows = await t.db.selectFrom('community_invitations').select('token_hash').where('community_id', '=', community.id).execute()
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(JSON.stringify((await call('GET', at('/invitations'), owner)).json())).not.toContain(token)
})

it('refuses invitations across a block and ends open ones', async () => {
  await open('private')
  await call('POST', at('/invitations'), owner, { personId: stranger.user.id })
  const { token } = (await call('POST', at('/invitation-links'), owner, {})).json()
  await call('PUT', `/api/people/${owner.user.id}/block`, stranger)
  expect(await status('GET', at(), stranger)).toBe(404)
  expect(await status('GET', `/api/communities/invitations/${token}`, stranger)).toBe(404)
  expect(await status('POST', at('/invitations'), owner, { personId: stranger.user.id })).toBe(404)
  await call('DELETE', `/api/people/${owner.user.id}/block`, stranger)
  await call('PUT', `/api/people/${stranger.user.id}/follow`, owner)
})

it('keeps banned people out until the ban ends', async () => {
  const { token } = (await call('POST', at('/invitation-links'), owner, { days: 30 })).json()
  const ban = (until: Date | 'forever' | null, userId = stranger.user.id) =>
    t.db.transaction().execute((tx) => communityModeration.setBan(tx, t.ctx, { communityId: community.id, userId }, until))
  await ban('forever', member.user.id)
  expect(await counts()).toEqual([2, 2])
  await ban(new Date(t.clock.now().getTime() + 3_600_000))
  await expect(ban('forever', owner.user.id)).rejects.toMatchObject({ code: 'conflict' })
  expect(await seen(stranger)).toMatchObject({ abilities: { read: false, join: false, request: false } })
  expect(await status('POST', at('/join'), stranger)).toBe(403)
  expect(await status('POST', `/api/communities/invitations/${token}/accept`, stranger)).toBe(409)
  expect(await status('POST', at('/invitations'), owner, { personId: stranger.user.id })).toBe(409)
  t.clock.advance({ hours: 2 })
  await call('POST', at('/join'), stranger)
  await ban(null, member.user.id)
  expect(await seen(member)).toMatchObject({ myRole: null, abilities: { request: true } })
})

it('keeps a member muted in a community after they leave and rejoin', async () => {
  await open('public')
  const mute = (until: Date | null, userId = member.user.id) =>
    t.db.transaction().execute((tx) => communityModeration.setMute(tx, t.ctx, { communityId: community.id, userId }, until))
  const end = new Date(t.clock.now().getTime() + 3_600_000)
  await mute(end)
  expect(await seen(member)).toMatchObject({ mutedUntil: end.toISOString(), abilities: { read: true, post: false } })
  await call('DELETE', at('/membership'), member)
  await call('POST', at('/join'), member)
  expect(await seen(member)).toMatchObject({ abilities: { post: false } })
  const listed = (await call('GET', at('/members'), owner)).json() as CommunityMember[]
  expect(listed.find(({ person }) => person.id === member.user.id)?.mutedUntil).toBe(end.toISOString())
  const asMember = (await call('GET', at('/members'), member)).json() as CommunityMember[]
  expect(asMember.every(({ mutedUntil }) => mutedUntil === null)).toBe(true)
  await expect(mute(end, moderator.user.id)).rejects.toMatchObject({ code: 'conflict' })
  await mute(null)
  expect(await seen(member)).toMatchObject({ mutedUntil: null, abilities: { post: true } })
})

it('shows a community only to its owner while moderators of the site hide it', async () => {
  await open('public')
  await t.db.updateTable('communities').set({ moderation: 'hidden' }).where('id', '=', community.id).execute()
  expect(await seen(owner)).toMatchObject({ isHidden: true, abilities: { read: true, post: false, edit: false } })
  for (const person of [moderator, member, stranger]) expect(await status('GET', at(), person)).toBe(404)
  expect((await call('GET', '/api/communities/my', member)).json()).toEqual([])
  expect(await communityModeration.moderates(t.db, { id: moderator.user.id }, community.id, t.clock.now())).toBe(false)
})

it('lets members leave, and people withdraw requests, even if site moderators hid the community', async () => {
  await open('invite_only')
  await call('POST', at('/join'), stranger)
  await t.db.updateTable('communities').set({ moderation: 'hidden' }).where('id', '=', community.id).execute()
  for (const person of [member, stranger]) expect(await status('DELETE', at('/membership'), person)).toBe(204)
  expect(await counts()).toEqual([2, 2])
  const requests = await t.db.selectFrom('community_requests').select('user_id').where('community_id', '=', community.id).execute()
  expect(requests).toEqual([])
  // Others don't learn that it exists.
  expect(await status('DELETE', at('/membership'), await t.signUp())).toBe(404)
})

it('responds to outsiders as if a private community didn’t exist', async () => {
  await open('private')
  const none = `/api/communities/${newId()}`
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['POST', '/join', {}],
    ['DELETE', '/membership', undefined],
    ['GET', '/members', undefined],
    ['GET', '/requests', undefined],
    ['POST', '/invitation-links', {}],
  ] as const) {
    const [real, absent] = [await t.request(method, at(path), stranger, body), await t.request(method, none + path, stranger, body)]
    expect(real.statusCode).toBe(404)
    expect(real.body).toBe(absent.body)
  }
})

it('counts exactly while 25 people join, request, and leave concurrently', async () => {
  await open('public')
  const crowd = await Promise.all(Array.from({ length: 25 }, () => t.signUp()))
  const join = (person: TestPerson) => t.request('POST', at('/join'), person)
  const leave = (person: TestPerson) => t.request('DELETE', at('/membership'), person)
  const answers = await Promise.all(crowd.flatMap((person) => [join(person), leave(person), join(person), join(person)]))
  expect(answers.filter(({ statusCode }) => statusCode >= 300)).toEqual([])
  const [stored, actual] = await counts()
  expect(stored).toBe(actual)
  await Promise.all(crowd.map(leave))
  await call('PATCH', at(), owner, { visibility: 'invite_only' })
  await Promise.all(crowd.map(join))
  const accept = (person: TestPerson) => t.request('POST', at(`/requests/${person.user.id}`), moderator)
  const accepted = await Promise.all(crowd.flatMap((person) => [accept(person), accept(person), accept(person), accept(person)]))
  expect(accepted.filter(({ statusCode }) => statusCode !== 204)).toEqual([])
  expect(await counts()).toEqual([28, 28])
}, 60_000)

it('lets in only one of twenty people who open the same link concurrently', async () => {
  await open('private')
  const { token } = (await call('POST', at('/invitation-links'), owner, {})).json()
  const crowd = await Promise.all(Array.from({ length: 20 }, () => t.signUp()))
  const answers = await Promise.all(crowd.map((person) => t.request('POST', `/api/communities/invitations/${token}/accept`, person)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  expect(await counts()).toEqual([4, 4])
}, 60_000)
