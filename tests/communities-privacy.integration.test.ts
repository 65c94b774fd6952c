import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { endpoints } from '#contracts/index.ts'
import { communityModeration } from '#server/features/communities/community.moderated.ts'
import { newId } from '#server/kernel/ids.ts'
import { type CommunityIds, callsOfCommunities, nowhere, requestOf } from './support/community-calls.ts'
import { addMedia } from './support/posts.ts'
import { giveRole } from './support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/**
 * A private community looks missing to everyone but its members, and only members see the content of an invite-only one. Both
 * have a canary in their text. Every nonmember and former member makes every call, and repeats it for a community that
 * never existed: the responses must be identical.
 */

/** Appears in all text of the private community, and in the content of the invite-only one, whose name and description are public. */
const canary = 'xanthorhizacanary'

let t: TestApp
let owner: TestPerson
let helper: TestPerson
let member: TestPerson
let hidden: CommunityIds
let closed: CommunityIds
/** People who must not learn about the communities, by their relation to them. */
const outsiders = new Map<string, TestPerson>()
const logged: string[] = []

const nameOf = ({ method, path: address }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${address}`

async function call(method: Endpoint['method'], url: string, as: TestPerson, payload?: object) {
  const response = await t.request(method, url, as, payload)
  expect(response.statusCode, `${method} ${url}: ${response.body}`).toBeLessThan(300)
  return response.body ? response.json() : undefined
}

beforeAll(async () => {
  t = await startTestApp({ env: { LOG_LEVEL: 'trace' }, logTo: (line) => logged.push(line) })
  owner = await t.signUp()
  helper = await t.signUp()
  member = await t.signUp()
  for (const who of ['ex-member', 'banned', 'blocked', 'blocking', 'follower', 'stranger', 'moderator', 'admin']) {
    outsiders.set(who, await t.signUp())
  }
  for (const role of ['moderator', 'admin'] as const) await giveRole(t, outsider(role), role)
  for (const person of [helper, member, ...outsiders.values()]) await call('PUT', `/api/people/${owner.user.id}/follow`, person)
  await t.db
    .updateTable('users')
    .set({ email_verified: true, created_at: new Date(t.clock.now().getTime() - 60 * 86_400_000) })
    .where('id', '=', owner.user.id)
    .execute()
  hidden = await fill('private', `${canary} of the back room`)
  closed = await fill('invite_only', 'The front room')
  await t.runJobs()
}, 60_000)
afterAll(() => t?.close())

const outsider = (who: string) => outsiders.get(who) as TestPerson

async function wantEverything(person: TestPerson) {
  const preferences = await call('GET', '/api/notification-preferences', person)
  const topics = preferences.topics.map(({ topic }: { topic: string }) => ({ topic, channels: { in_app: true, email: true, push: true } }))
  await call('PATCH', '/api/notification-preferences', person, { ...preferences, topics, isEmailOn: true, emailRhythm: 'each' })
}

/**
 * Creates a public community that members and future outsiders join. Then the outsiders lose access in different ways, and the community
 * becomes private or invite-only.
 */
async function fill(visibility: 'private' | 'invite_only', name: string): Promise<CommunityIds> {
  const isHidden = visibility === 'private'
  const { id: pictureId } = await addMedia(t.db, owner.user.id, { alt: `A picture of ${canary}` })
  const made = await call('POST', '/api/communities', owner, {
    name,
    description: isHidden ? `All about ${canary}` : 'For everyone to read',
    category: 'strains',
    visibility: 'public',
    rules: isHidden ? [`Say nothing of ${canary}`] : [],
    imageId: pictureId,
  })
  const community = `/api/communities/${made.id}`
  const lost = ['ex-member', 'banned', 'blocked', 'blocking'].map(outsider)
  for (const person of [helper, member, ...lost]) {
    await call('POST', `${community}/join`, person, {})
    await wantEverything(person)
  }
  await call('PUT', `${community}/members/${helper.user.id}/role`, owner, { role: 'moderator' })
  const { id: mediaId } = await addMedia(t.db, owner.user.id, { alt: `A photo of ${canary}` })
  // Unique text, because duplicates are held.
  const post = (kind: string) => ({
    communityId: made.id,
    tags: [canary],
    title: `${kind} ${canary} ${name}`,
    content: `${kind}, ${canary}`,
  })
  const question = await call('POST', '/api/community-posts', outsider('ex-member'), { ...post('Asking'), postType: 'question' })
  const shown = await call('POST', '/api/community-posts', owner, { ...post('Telling'), postType: 'discussion', mediaIds: [mediaId] })
  await call('POST', '/api/community-posts', owner, {
    ...post('Counting'),
    postType: 'poll',
    poll: { options: [`One ${canary}`, `Two ${canary}`] },
  })
  // Outsiders are notified of this content, and get replies to their own.
  await call('POST', `/api/posts/${question.id}/comments`, owner, { content: `An answer: ${canary}` })
  await call('PUT', `/api/posts/${question.id}/like`, owner)
  // Authors can delete their own content for good, so this comment is a member's.
  const comment = await call('POST', `/api/posts/${shown.id}/comments`, member, { content: `I say ${canary}` })
  await call('POST', `/api/posts/${shown.id}/comments`, outsider('banned'), { content: `I answer ${canary}`, parentId: comment.id })
  await call('POST', `/api/posts/${shown.id}/comments`, owner, { content: `I reply ${canary}`, parentId: comment.id })
  await call('PUT', `/api/community-posts/${shown.id}/pin`, owner)
  // The content was reported while it was public.
  for (const [subject, subjectId] of [
    ['community', made.id],
    ['post', shown.id],
    ['comment', comment.id],
  ]) {
    await call('POST', '/api/reports', outsider('stranger'), { subject, subjectId, reason: 'spam', details: 'Look at it' })
  }

  await call('DELETE', `${community}/membership`, outsider('ex-member'))
  const who = { communityId: made.id, userId: outsider('banned').user.id }
  await t.db.transaction().execute((tx) => communityModeration.setBan(tx, t.ctx, who, 'forever'))
  for (const each of ['blocked', 'blocking']) await call('DELETE', `${community}/membership`, outsider(each))
  await call('PUT', `/api/people/${outsider('blocked').user.id}/block`, owner)
  await call('PUT', `/api/people/${owner.user.id}/block`, outsider('blocking'))
  const changed = await call('PATCH', community, owner, { visibility })
  const { invitation, token } = await call('POST', `${community}/invitation-links`, owner, {})
  return {
    community: made.id,
    slug: changed.slug,
    post: shown.id,
    comment: comment.id,
    person: helper.user.id,
    invitation: invitation.id,
    token,
    media: [mediaId, pictureId],
  }
}

/** Replaces the IDs that differ between calls. */
const without = (body: string, of: CommunityIds) =>
  [of.community, of.slug, of.post, of.comment, of.invitation, ...of.media].reduce((text, id) => text.replaceAll(id, 'ID'), body)

test('covers every call about a community and its content', () => {
  const known = endpoints.filter((each) => /^\/api\/(communities|community-posts|posts|comments)\/:/.test(each.path))
  expect(known.map(nameOf).filter((name) => !callsOfCommunities.some((each) => name === nameOf(each.endpoint)))).toEqual([])
})

test('gives members full read access', async () => {
  for (const { community, post, slug } of [hidden, closed]) {
    for (const person of [owner, helper, member]) {
      for (const url of [`/api/community-posts?communityId=${community}`, `/api/posts/${post}`, `/api/posts/${post}/comments`]) {
        expect((await t.request('GET', url, person)).body, url).toContain(canary)
      }
      expect(await call('GET', `/api/communities/${slug}`, person)).toMatchObject({ memberCount: 3, postCount: 3 })
    }
  }
  expect((await t.request('GET', `/api/communities/${hidden.slug}`, member)).body).toContain(canary)
})

test('responds to outsiders as if the private community did not exist', async () => {
  const before = await fingerprint(hidden)
  const none = nowhere(hidden)
  for (const [who, person] of outsiders) {
    for (const each of callsOfCommunities) {
      const real = requestOf(each, hidden)
      const what = `${who}: ${each.endpoint.method} ${real.url}`
      const answer = await t.request(each.endpoint.method, real.url, person, real.body)
      expect((JSON.stringify(answer.headers) + answer.body).includes(canary), what).toBe(false)
      expect(answer.statusCode, `${what}: ${answer.body}`).toBeGreaterThanOrEqual(400)
      expect(answer.statusCode, `${what}: ${answer.body}`).toBeLessThan(500)
      const absent = requestOf(each, none)
      const other = await t.request(each.endpoint.method, absent.url, person, absent.body)
      expect(`${answer.statusCode} ${without(answer.body, hidden)}`, what).toBe(`${other.statusCode} ${without(other.body, none)}`)
    }
  }
  expect(await fingerprint(hidden)).toBe(before)
}, 120_000)

test('shows outsiders an invite-only community’s description but no content', async () => {
  const before = await fingerprint(closed)
  const none = nowhere(closed)
  for (const [who, person] of outsiders) {
    const seen = await call('GET', `/api/communities/${closed.slug}`, person)
    expect(seen, who).toMatchObject({
      name: 'The front room',
      postCount: null,
      requestsCount: null,
      abilities: { read: false, post: false },
    })
    for (const each of callsOfCommunities.filter(({ isOpen }) => !isOpen)) {
      const real = requestOf(each, closed)
      const what = `${who}: ${each.endpoint.method} ${real.url}`
      const answer = await t.request(each.endpoint.method, real.url, person, real.body)
      expect((JSON.stringify(answer.headers) + answer.body).includes(canary), what).toBe(false)
      expect([400, 403, 404], `${what}: ${answer.body}`).toContain(answer.statusCode)
      // Content of an invite-only community looks as missing as a private one's.
      if (/^\/api\/(posts|comments)\//.test(real.url)) {
        const absent = requestOf(each, none)
        const other = await t.request(each.endpoint.method, absent.url, person, absent.body)
        expect(without(answer.body, closed), what).toBe(without(other.body, none))
      }
    }
  }
  expect(await fingerprint(closed)).toBe(before)
}, 120_000)

test('asks visitors to sign in', async () => {
  for (const each of callsOfCommunities.filter(({ endpoint }) => endpoint.access !== 'public')) {
    const { url, body } = requestOf(each, hidden)
    expect((await t.request(each.endpoint.method, url, null, body)).statusCode, url).toBe(401)
  }
})

test('keeps members from making moderators’ calls, and moderators from making owners’ calls', async () => {
  const before = await fingerprint(hidden)
  for (const each of callsOfCommunities.filter(({ needs }) => needs === 'moderate' || needs === 'own')) {
    const { url, body } = requestOf(each, hidden)
    for (const person of each.needs === 'own' ? [member, helper] : [member]) {
      expect((await t.request(each.endpoint.method, url, person, body)).statusCode, `${each.endpoint.method} ${url}`).toBe(403)
    }
  }
  expect(await fingerprint(hidden)).toBe(before)
})

/** The state of a community and its content, without reports. */
async function fingerprint(of: CommunityIds): Promise<string> {
  const parts: string[] = []
  for (const [table, column] of [
    ['communities', 'id'],
    ['community_members', 'community_id'],
    ['community_requests', 'community_id'],
    ['community_invitations', 'community_id'],
    ['community_bans', 'community_id'],
    ['community_mutes', 'community_id'],
    ['posts', 'community_id'],
  ] as const) {
    const { rows } = await sql<{ text: string | null }>`
      select md5(string_agg(row::text, ',' order by row::text)) as text from ${sql.table(table)} as row
      where ${sql.ref(column)} = ${of.community}::uuid`.execute(t.db)
    parts.push(`${table} ${rows[0]?.text}`)
  }
  const { rows } = await sql<{ text: string | null }>`
    select md5(string_agg(comments::text, ',' order by comments::text)) as text from comments
    join posts on posts.id = comments.post_id where posts.community_id = ${of.community}::uuid`.execute(t.db)
  return [...parts, rows[0]?.text].join('\n')
}

/** Moderators of the site see reported content, which is the purpose of a report. */
const forModerators = /^\/api\/(moderation|standing|admin)\b/

test('leaks nothing through any other call, page, or file', async () => {
  const all = [hidden, closed]
  const ids = [hidden.community, hidden.post, hidden.comment, ...hidden.media, closed.post, owner.user.id]
  const addresses = endpoints
    .filter((each) => each.method === 'GET')
    .flatMap((each) => {
      const plain = each.path.includes(':') ? ids.map((id) => each.path.replace(/:\w+/g, id)) : [each.path]
      return each.query ? plain.flatMap((address) => [address, `${address}?q=${canary}&search=${canary}&tag=${canary}&limit=100`]) : plain
    })
  for (const { slug, community, post, media } of all) {
    addresses.push(
      `/api/communities/${slug}`,
      `/api/communities/${slug}/tags`,
      `/communities/${slug}`,
      `/communities/${community}`,
      `/communities/${slug}?section=members`,
      `/post/${post}`,
    )
    for (const id of media) for (const size of ['small', 'medium', 'large']) addresses.push(`/media/${id}/${size}.webp`)
  }
  addresses.push('/communities', '/communities?tab=feed', '/notifications', '/search?q=room', `/people/${owner.user.id}`)
  for (const [who, person] of [...outsiders, ['visitor', null] as const]) {
    for (const address of addresses) {
      if (forModerators.test(address) && (who === 'moderator' || who === 'admin')) continue
      const response = await t.request('GET', address, person)
      // A page contains its own address.
      const said = (JSON.stringify(response.headers) + response.body).replaceAll(hidden.slug, '')
      expect(said.includes(canary), `${who}: ${address}`).toBe(false)
      expect(response.statusCode, `${who}: ${address}: ${response.body}`).toBeLessThan(500)
      if (address.startsWith('/media/')) expect(response.statusCode, `${who}: ${address}`).toBe(404)
    }
  }
}, 240_000)

test('leaves the private community out of all lists and counts', async () => {
  const listed = await call('GET', '/api/communities?limit=100', outsider('stranger'))
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(['The front room'])
  const counts = await call('GET', '/api/communities/categories', outsider('stranger'))
  expect(counts.find(({ category }: { category: string }) => category === 'strains').count).toBe(1)
  for (const who of ['ex-member', 'banned']) {
    expect(await call('GET', '/api/communities/my', outsider(who))).toEqual([])
    expect(await call('GET', '/api/communities/my/stats', outsider(who))).toEqual({ communities: 0, posts: 0, comments: 0, likes: 0 })
    expect(await call('GET', '/api/community-posts', outsider(who))).toEqual([])
  }
  const profile = await call('GET', `/api/people/${owner.user.id}`, outsider('follower'))
  expect(profile.postsCount ?? 0).toBe(0)
})

test('responds the same to reports of invisible and missing subjects', async () => {
  for (const [who, person] of outsiders) {
    for (const subject of ['community', 'post', 'comment'] as const) {
      const report = (subjectId: string) => t.request('POST', '/api/reports', person, { subject, subjectId, reason: 'spam' })
      const [real, absent] = [await report(hidden[subject]), await report(newId())]
      expect(`${real.statusCode} ${real.body}`, `${who}: ${subject}`).toBe(`${absent.statusCode} ${absent.body}`)
      expect(real.statusCode).toBe(404)
    }
  }
})

test('never notifies or emails an outsider', async () => {
  t.clock.advance({ hours: 2 })
  await t.runJobs()
  const outbox = path.join(t.dataDir, 'outbox')
  const mails = fs.existsSync(outbox) ? fs.readdirSync(outbox).map((file) => fs.readFileSync(path.join(outbox, file), 'utf8')) : []
  for (const [who, person] of outsiders) {
    expect(
      mails.filter((mail) => mail.includes(person.email) && mail.includes(canary)),
      who,
    ).toEqual([])
    expect((await t.request('GET', '/api/notifications?limit=100', person)).body.includes(canary), who).toBe(false)
  }
})

test('leaks nothing into logs or other tables', async () => {
  expect(logged.length).toBeGreaterThan(0)
  // Logged addresses contain the search terms.
  expect(logged.map((line) => line.replace(/"url":"[^"]*"/, '')).filter((line) => line.includes(canary))).toEqual([])
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(t.db)
  const own = new Set(['communities', 'posts', 'comments', 'poll_options', 'community_tags', 'media'])
  for (const { name } of rows.filter((row) => !own.has(row.name))) {
    const found = await sql`select 1 from ${sql.table(name)} as row where row::text ilike ${`%${canary}%`} limit 1`.execute(t.db)
    expect(found.rows.length, name).toBe(0)
  }
})
