import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Community } from '#contracts/communities.ts'
import { connect } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { newId } from '#server/kernel/ids.ts'
import { actorOf } from '#tests/support/actors.ts'
import { joinCommunity } from '#tests/support/communities.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { addMedia } from '#tests/support/posts.ts'
import { giveRole } from '#tests/support/roles.ts'
import { addPeople, followPerson } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { banFromCommunity } from './community.moderated.ts'
import { mayReadCommunityPicture } from './read-communities.ts'
import { communityJobs, deleteCommunity, eraseCommunity, maxOwned } from './write-community.ts'

let t: TestApp
let owner: TestPerson
let viewer: TestPerson

beforeAll(async () => {
  t = await startTestApp()
  owner = await t.signUp()
  viewer = await t.signUp()
  // These accounts are old enough to own many communities.
  await t.db
    .updateTable('users')
    .set({ email_verified: true, created_at: new Date(t.clock.now().getTime() - 60 * 86_400_000) })
    .where('id', 'in', [owner.user.id, viewer.user.id])
    .execute()
})
afterAll(() => t?.close())

const words = { name: 'Slow Dry Club', description: 'Ten days at sixty and sixty.', category: 'growing', visibility: 'public', rules: [] }

async function create(details: object = {}, as = owner): Promise<Community> {
  const answer = await t.request('POST', '/api/communities', as, { ...words, ...details })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as Community
}
const read = async (id: string, as = viewer) => (await t.request('GET', `/api/communities/${id}`, as)).json() as Community
const names = async (query: string, as = viewer) =>
  ((await t.request('GET', `/api/communities?${query}`, as)).json() as Community[]).map(({ name }) => name)

it('creates a community for its owner with a slug made from its name', async () => {
  const community = await create({ name: 'Ladder & Lamp', rules: ['Bring a photo', 'Name the strain'] })
  expect(community).toMatchObject({
    slug: 'ladder-and-lamp',
    memberCount: 1,
    postCount: 0,
    myRole: 'owner',
    isVerified: false,
    rules: ['Bring a photo', 'Name the strain'],
    abilities: { read: true, post: true, join: false, request: false, leave: false, moderate: true, edit: true, delete: true },
  })
  expect((await read('ladder-and-lamp')).id).toBe(community.id)
  expect((await create({ name: 'Ladder & Lamp' })).slug).toMatch(/^ladder-and-lamp-[0-9a-f]{8}$/)
  expect((await create({ name: 'Create' })).slug).toBe('create-community')
}, 20_000)

it('reports each missing field next to that field', async () => {
  const answer = await t.request('POST', '/api/communities', owner, { ...words, name: ' ', description: '', category: 'sports' })
  expect(answer.statusCode).toBe(400)
  expect(Object.keys(answer.json().fields).sort()).toEqual(['category', 'description', 'name'])
})

it('does not reveal a private community of the same name through the slug', async () => {
  const first = await create({ name: 'Harbor Table', visibility: 'private' })
  expect(first.slug).toMatch(/^harbor-table-[0-9a-f]{8}$/)
  expect((await create({ name: 'Harbor Table' }, viewer)).slug).toBe('harbor-table')
})

it('lets newcomers own one community, and other members more', async () => {
  const newcomer = await t.signUp()
  await create({ name: 'First of mine' }, newcomer)
  const refused = await t.request('POST', '/api/communities', newcomer, { ...words, name: 'Second of mine' })
  expect(refused.statusCode).toBe(409)
  expect(refused.json().message).toContain('You can own one community for now')
  await t.db
    .updateTable('users')
    .set({ email_verified: true, created_at: new Date(t.clock.now().getTime() - 5 * 86_400_000) })
    .where('id', '=', newcomer.user.id)
    .execute()
  t.clock.advance({ minutes: 5 })
  for (let count = 1; count < maxOwned.known; count++) await create({ name: `Known ${count}` }, newcomer)
  expect((await t.request('POST', '/api/communities', newcomer, words)).statusCode).toBe(409)
})

it('creates one community per idempotency key', async () => {
  const send = () =>
    t.app.inject({
      method: 'POST',
      url: '/api/communities',
      headers: { cookie: owner.cookie, 'idempotency-key': 'one-community' },
      payload: { ...words, name: 'Sent twice' },
    })
  const [first, second] = [await send(), await send()]
  expect(first.statusCode).toBe(201)
  expect(second.json().id).toBe(first.json().id)
})

it('shows the owner’s upload as its picture to anyone who may see the community', async () => {
  const picture = await addMedia(t.db, owner.user.id)
  const foreign = await addMedia(t.db, viewer.user.id)
  const refused = await t.request('POST', '/api/communities', owner, { ...words, imageId: foreign.id })
  expect(refused.json().fields).toHaveProperty('imageId')
  const community = await create({ name: 'With a picture', visibility: 'private', imageId: picture.id })
  expect(community.imageUrl).toContain(picture.id)
  // The picture is in use, so it can't be swept or deleted.
  expect((await t.request('DELETE', `/api/media/${picture.id}`, owner)).statusCode).toBe(409)
  for (const person of [viewer, null]) expect((await t.request('GET', `/media/${picture.id}/small.webp`, person)).statusCode).toBe(404)
  const mayRead = (person: TestPerson) => mayReadCommunityPicture(t.db, actorOf(person.user.id), [community.id], t.clock.now())
  expect([await mayRead(owner), await mayRead(viewer)]).toEqual([true, false])
})

it('finds public and invite-only communities by text and category, but no private ones', async () => {
  const token = newId().slice(-8)
  await create({ name: `Alpha ${token}`, category: 'medical' })
  await create({ name: `beta ${token}`, visibility: 'invite_only', description: 'Bouffée and terpenes' })
  const secret = await create({ name: `Gamma ${token}`, visibility: 'private' })
  expect(await names(`q=${token}&sort=name`)).toEqual([`Alpha ${token}`, `beta ${token}`])
  expect(await names(`q=${token}&sort=newest`)).toEqual([`beta ${token}`, `Alpha ${token}`])
  expect(await names(`q=${token}&category=medical`)).toEqual([`Alpha ${token}`])
  expect(await names(`q=bouffee ${token}`)).toEqual([`beta ${token}`])
  expect(await names(`q=${token}`, owner)).not.toContain(`Gamma ${token}`)
  const mine = (await t.request('GET', '/api/communities/my?limit=100', owner)).json() as Community[]
  expect(mine.map(({ id }) => id)).toContain(secret.id)
  const counts = (await t.request('GET', '/api/communities/categories', viewer)).json()
  expect(counts).toHaveLength(5)
  expect(counts.find(({ category }: { category: string }) => category === 'medical').count).toBe(1)
})

it.each(['featured', 'newest', 'name'])('lists each community exactly once across all pages, sorted by "%s"', async (sort) => {
  const seen: Community[] = []
  let next: string | undefined = `/api/communities?sort=${sort}&limit=3`
  while (next) {
    const answer = await t.request('GET', next, viewer)
    seen.push(...(answer.json() as Community[]))
    next = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1]
  }
  const { count } = await t.db
    .selectFrom('communities')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('visibility', '<>', 'private')
    .executeTakeFirstOrThrow()
  expect(new Set(seen.map(({ id }) => id)).size).toBe(count)
  expect(seen).toHaveLength(count)
})

it('changes only the fields sent, and removes the badge on a rename', async () => {
  const community = await create({ name: 'Before', rules: ['One'] })
  await t.db.updateTable('communities').set({ is_verified: true }).where('id', '=', community.id).execute()
  const change = (body: object, as = owner) => t.request('PATCH', `/api/communities/${community.id}`, as, body)
  expect((await change({ description: 'Another one' })).json()).toMatchObject({ name: 'Before', rules: ['One'], isVerified: true })
  expect((await change({ name: 'After' })).json()).toMatchObject({ name: 'After', slug: 'before', isVerified: false })
  expect(await names('q=after')).toEqual(['After'])
  expect((await change({ name: 'Mine now' }, viewer)).statusCode).toBe(403)
})

it('lets the owner delete a community that site moderators hid, so that the account can be deleted', async () => {
  const { id } = await create({ name: 'Hidden Benches' })
  await t.request('POST', `/api/communities/${id}/join`, viewer)
  await t.db.updateTable('communities').set({ moderation: 'hidden' }).where('id', '=', id).execute()
  expect((await read(id, owner)).abilities).toMatchObject({ edit: false, moderate: false, delete: true })
  const remove = async (as: TestPerson) => (await t.request('DELETE', `/api/communities/${id}`, as, { name: 'Hidden Benches' })).statusCode
  expect([await remove(viewer), await remove(owner)]).toEqual([404, 204])
  expect((await t.request('GET', `/api/communities/${id}`, owner)).statusCode).toBe(404)
})

it('lets only the owner delete a community, by typing its name', async () => {
  const community = await create({ name: 'To be ended' })
  const remove = (name: string, as = owner) => t.request('DELETE', `/api/communities/${community.id}`, as, { name })
  expect((await remove('To be ended', viewer)).statusCode).toBe(403)
  expect((await remove('Another')).json().fields).toHaveProperty('name')
  expect((await remove('to be ended')).statusCode).toBe(204)
  expect((await t.request('GET', `/api/communities/${community.id}`, owner)).statusCode).toBe(404)
  const audit = await t.db.selectFrom('audit_log').select(['action', 'details']).where('subject_id', '=', community.id).execute()
  expect(audit).toEqual([{ action: 'community.deleted', details: { visibility: 'public' } }])
})

it('moves a community to the front when an admin gives it a badge', async () => {
  const admin = await t.signUp()
  await giveRole(t, admin, 'admin')
  const community = await create({ name: 'Badge of honor' })
  const verify = (id: string, as: TestPerson, isVerified = true) =>
    t.request('PUT', `/api/admin/communities/${id}/verified`, as, { isVerified })
  expect((await verify(community.id, owner)).statusCode).toBe(403)
  expect((await verify(community.id, admin)).json()).toMatchObject({ isVerified: true })
  expect((await verify(community.id, admin)).statusCode).toBe(200)
  expect((await names('limit=1'))[0]).toBe('Badge of honor')
  const secret = await create({ name: 'No one knows', visibility: 'private' })
  expect((await verify(secret.id, admin)).body).toBe((await verify(newId(), admin)).body)
  const audit = await t.db.selectFrom('audit_log').select('action').where('subject_id', '=', community.id).execute()
  expect(audit).toEqual([{ action: 'community.verified' }])
})

it('suggests communities based on followed people and categories, but never on fewer than three people or private data', async () => {
  const asking = await t.signUp()
  const suggestions = async () =>
    ((await t.request('GET', '/api/communities/suggestions', asking)).json() as { community: Community; because: string }[]).map(
      ({ community, because }) => [community.name, because],
    )
  const crowd = await create({ name: 'Where the crowd is', category: 'business' })
  const hidden = await create({ name: 'Where no one sees', category: 'strains', visibility: 'private' })
  const friends = await addPeople(t.db, 3, { is_profile_public: true })
  const shy = await addPeople(t.db, 3, { is_profile_public: false })
  const join = (communityId: string, userId: string) =>
    t.db.insertInto('community_members').values({ community_id: communityId, user_id: userId }).execute()
  for (const friend of [...friends, ...shy]) await followPerson(t.db, asking.user.id, friend)
  for (const friend of [friends[0], friends[1], ...shy]) await join(crowd.id, friend as string)
  await join(hidden.id, asking.user.id)
  // Two people with a public profile are too few, and the viewer's own private community doesn't count.
  expect((await suggestions()).map(([, because]) => because)).toEqual(['size', 'size', 'size', 'size', 'size'])
  await join(crowd.id, friends[2] as string)
  const mine = await create({ name: 'In strains', category: 'strains' })
  await join(mine.id, asking.user.id)
  const other = await create({ name: 'Also in strains', category: 'strains' })
  expect((await suggestions()).slice(0, 2)).toEqual([
    ['Where the crowd is', 'people'],
    ['Also in strains', 'category'],
  ])
  await t.db.transaction().execute((tx) => banFromCommunity(tx, other.id, asking.user.id, null, t.clock.now()))
  expect((await suggestions()).map(([name]) => name)).not.toContain('Also in strains')
  expect(await suggestions()).not.toContainEqual(['Where no one sees', expect.anything()])
})

it('counts a member’s visible activity', async () => {
  const writer = await t.signUp()
  const stats = async () => (await t.request('GET', '/api/communities/my/stats', writer)).json()
  expect(await stats()).toEqual({ communities: 0, posts: 0, comments: 0, likes: 0 })
  const community = await create({ name: 'Counted' }, writer)
  const post = { author_id: writer.user.id, title: 'A', content: 'B', post_type: 'discussion' as const, community_id: community.id }
  const shown = newId()
  await t.db
    .insertInto('posts')
    .values([
      { ...post, id: shown, likes_count: 3 },
      { ...post, id: newId(), moderation: 'hidden' },
    ])
    .execute()
  await t.db.insertInto('comments').values({ id: newId(), post_id: shown, author_id: writer.user.id, content: 'Mine' }).execute()
  expect(await stats()).toEqual({ communities: 1, posts: 1, comments: 1, likes: 3 })
})

it('refuses visitors', async () => {
  for (const path of ['', '/my', '/my/stats', '/categories', '/suggestions', '/invitations']) {
    expect((await t.request('GET', `/api/communities${path}`, null)).statusCode).toBe(401)
  }
})

it('limits a person’s memberships even if they join different communities at the same time', async () => {
  const joiner = await t.signUp()
  const others = Array.from({ length: 501 }, (_, i) => ({
    ...{ id: newId(), slug: `table-${i}`, name: `Table ${i}`, category: 'general' as const, visibility: 'public' as const },
    created_by: owner.user.id,
  }))
  await t.db.insertInto('communities').values(others).execute()
  await t.db
    .insertInto('community_members')
    .values(others.slice(0, 499).map(({ id }) => ({ community_id: id, user_id: joiner.user.id, role: 'member' })))
    .execute()
  const last = others.slice(499).map(({ id }) => id)
  const invitation = { invited_by: owner.user.id, invited_id: joiner.user.id, expires_at: new Date(t.clock.now().getTime() + 86_400_000) }
  await t.db
    .insertInto('community_invitations')
    .values(last.map((id) => ({ id: newId(), community_id: id, ...invitation })))
    .execute()
  const { joined } = await t.db.transaction().execute(async (tx) => {
    // Joining uses up the invitation after everything else.
    await tx.selectFrom('community_invitations').select('id').where('invited_id', '=', joiner.user.id).forUpdate().execute()
    const started = last.map((id) => t.request('POST', `/api/communities/${id}/join`, joiner, {}))
    await untilWaiting(t.db, { count: 2 })
    return { joined: started }
  })
  expect((await Promise.all(joined)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
})

/** Adds posts with two comments and a reply each. */
async function fill(communityId: string, posts: number): Promise<void> {
  const author = sql`${owner.user.id}::uuid`
  const comments = sql`select gen_random_uuid(), posts.id, ${author}, 'Yes' from posts cross join generate_series(1, 2)`
  await sql`
    insert into posts (id, author_id, community_id, post_type, title, content)
    select gen_random_uuid(), ${author}, ${communityId}::uuid, 'discussion', 'A title', 'Words' from generate_series(1, ${posts}::int)`.execute(
    t.db,
  )
  await sql`insert into comments (id, post_id, author_id, content) ${comments} where community_id = ${communityId}::uuid`.execute(t.db)
  await sql`
    insert into comments (id, post_id, author_id, content, parent_id)
    select distinct on (post_id) gen_random_uuid(), post_id, ${author}, 'No', comments.id
    from comments join posts on posts.id = post_id where community_id = ${communityId}::uuid`.execute(t.db)
}
const contentsOf = async (communityId: string) => {
  const { rows } = await sql<{ communities: number; posts: number; comments: number; members: number }>`
    select (select count(*) from communities where id = ${communityId}::uuid) as communities,
      (select count(*) from community_members where community_id = ${communityId}::uuid) as members,
      (select count(*) from posts where community_id = ${communityId}::uuid) as posts,
      (select count(*) from comments join posts on posts.id = post_id where community_id = ${communityId}::uuid) as comments`.execute(t.db)
  return rows[0]
}
const nothing = { communities: 0, posts: 0, comments: 0, members: 0 }
/** Runs `body` (PL/pgSQL) before a comment is deleted. */
async function onDeletedComment(body: string): Promise<() => Promise<unknown>> {
  await sql
    .raw(`create function on_deleted() returns trigger language plpgsql as $$ begin ${body}; return old; end $$;
      create trigger on_deleted before delete on comments for each row execute function on_deleted()`)
    .execute(t.db)
  return () => sql`drop function on_deleted cascade`.execute(t.db)
}

it('closes a large community at once, and erases it in statements that don’t take long', async () => {
  const community = await create({ name: 'Ten Thousand Jars' })
  await joinCommunity(t.db, community.id, viewer.user.id)
  await fill(community.id, 620)
  const impatient = connect(
    t.ctx.config.databaseUrl as string,
    { databasePoolSize: 2, statementTimeoutMs: 1_500, lockTimeoutMs: 500 },
    { warn() {} },
  )
  const speedUp = await onDeletedComment('perform pg_sleep(0.002)')
  await deleteCommunity({ ...t.ctx, db: impatient.db }, actorOf(owner.user.id), community.id, 'Ten Thousand Jars').finally(impatient.close)
  await speedUp()
  expect(await contentsOf(community.id)).toMatchObject({ communities: 1, posts: 120 })
  for (const as of [owner, viewer]) {
    expect((await t.request('GET', `/api/communities/${community.id}`, as)).statusCode).toBe(404)
    expect((await t.request('GET', `/api/communities/${community.id}/posts`, as)).statusCode).toBe(404)
    const joined = (await t.request('GET', '/api/communities/my', as)).json() as Community[]
    expect(joined.map(({ id }) => id)).not.toContain(community.id)
  }
  expect((await create({ name: 'Ten Thousand Jars' })).slug).toBe(community.slug)
  t.clock.advance({ minutes: 1 })
  await t.runJobs()
  expect(await contentsOf(community.id)).toEqual(nothing)
})

it('continues to erase a community after a failure, and erases nothing else', async () => {
  const [erased, kept] = [await create({ name: 'Erased' }), await create({ name: 'Kept' })]
  await joinCommunity(t.db, erased.id, viewer.user.id)
  await fill(erased.id, 7)
  await fill(kept.id, 3)
  await sql`update posts set title = 'Broken' where id = (
    select id from posts where community_id = ${erased.id}::uuid order by ctid desc limit 1)`.execute(t.db)
  const repair = await onDeletedComment(
    `if exists (select from posts where id = old.post_id and title = 'Broken') then raise 'broken'; end if`,
  )
  const erase = () => eraseCommunity(t.db, erased.id, { posts: 2, rows: 2 })
  await expect(erase()).rejects.toThrow('broken')
  const left = await contentsOf(erased.id)
  expect(left).toMatchObject({ communities: 1, members: 2 })
  expect(left?.posts).toBeLessThan(7)
  await repair()
  await erase()
  expect(await contentsOf(erased.id)).toEqual(nothing)
  expect(await contentsOf(kept.id)).toEqual({ communities: 1, posts: 3, comments: 9, members: 1 })
  await erase()
})

it('erases a community while another attempt is deleting some of it', async () => {
  const community = await create({ name: 'Erased twice' })
  await fill(community.id, 10)
  const posts = idsOf(await t.db.selectFrom('posts').select('id').where('community_id', '=', community.id).execute())
  const repair = await onDeletedComment(`if not exists (select from posts where id = old.post_id) then raise 'with its post'; end if`)
  const { erased } = await t.db.transaction().execute(async (tx) => {
    const some = sql`select id from comments where post_id = ${pageIds(posts)} limit 4`
    await sql`delete from comments where id in (${some})`.execute(tx)
    const started = eraseCommunity(t.db, community.id, { rows: 4 })
    started.catch(() => {})
    await untilWaiting(t.db, { statement: 'comments' })
    return { erased: started }
  })
  await erased.finally(repair)
  expect(await contentsOf(community.id)).toEqual(nothing)
})

it('erases a community in several jobs if it takes long, but only after the request', async () => {
  const community = await create({ name: 'Erased slowly' })
  await fill(community.id, 3)
  const repair = await onDeletedComment(`raise 'broken'`)
  await deleteCommunity(t.ctx, actorOf(owner.user.id), community.id, 'Erased slowly').finally(repair)
  await t.runJobs()
  expect(await contentsOf(community.id)).toMatchObject({ communities: 1, posts: 3 })
  await communityJobs(t.ctx, { maxMs: 0 })['communities.erase']({ communityId: community.id })
  expect(await contentsOf(community.id)).toMatchObject({ communities: 1 })
  await t.runJobs()
  expect(await contentsOf(community.id)).toEqual(nothing)
})
