import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { BusinessGroup, GroupedBusiness, GroupMember } from '#contracts/groups.endpoints.ts'
import { maxTeamSize, type Team } from '#contracts/team.ts'
import { up as restoreLostOwners } from '#server/db/migrations/20261129T1602-restore-lost-owners.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { dissolveTeam } from '#server/features/team/index.ts'
import { addEvent } from '#tests/support/business-events.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { addProduct } from '#tests/support/menus.ts'
import { addPeople } from '#tests/support/people.ts'
import { addReview, blockPerson, joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let manager: TestPerson
let stranger: TestPerson
let shops: TestBusiness[]

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  ;[owner, manager, stranger] = await Promise.all([test.signUp(), test.signUp(), test.signUp()])
  shops = []
  for (const city of ['Denver', 'Denver', 'Boulder']) {
    const shop = await addBusiness(test.db, { name: 'Zips', city, address: `${shops.length + 1} Main St` })
    await join(shop, owner, 'owner')
    shops.push(shop)
  }
  await join(shop(0), manager, 'manager')
})

const shop = (at: number) => shops[at] as TestBusiness
const join = (of: TestBusiness, { user }: TestPerson, role: 'owner' | 'manager' | 'staff') =>
  test.db.insertInto('business_members').values({ business_id: of.id, user_id: user.id, role }).execute()
const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', rest: string, body?: object, as = owner) =>
  test.request(method, `/api/groups${rest}`, as, body)
async function create(...businesses: TestBusiness[]): Promise<BusinessGroup> {
  const answer = await call('POST', '', { name: 'Zips of Colorado', businessIds: businesses.map(({ id }) => id) })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as BusinessGroup
}
const overview = async (id: string, as = owner) => (await call('GET', `/${id}/businesses`, undefined, as)).json() as GroupedBusiness[]
const rolesOf = async ({ user }: TestPerson) => {
  const rows = await test.db.selectFrom('business_members').select(['business_id', 'role']).where('user_id', '=', user.id).execute()
  return shops.map(({ id }) => rows.find((row) => row.business_id === id)?.role ?? null)
}
const groupsOf = async (person: TestPerson) => (await call('GET', '', undefined, person)).json() as BusinessGroup[]

describe('a group', () => {
  it('contains only businesses of one owner', async () => {
    const group = await create(shop(0), shop(1))
    expect(group).toMatchObject({ name: 'Zips of Colorado', isOwner: true, businessCount: 2 })
    expect((await call('PUT', `/${group.id}/businesses/${shop(2).id}`)).json()).toMatchObject({ businessCount: 3 })
    const foreign = await addBusiness(test.db)
    await join(foreign, stranger, 'owner')
    expect((await call('PUT', `/${group.id}/businesses/${foreign.id}`)).statusCode).toBe(403)
    await join(foreign, owner, 'manager')
    expect((await call('PUT', `/${group.id}/businesses/${foreign.id}`)).statusCode).toBe(403)
    expect((await call('POST', '', { name: 'Second', businessIds: [shop(0).id] })).json()).toMatchObject({
      code: 'conflict',
      message: 'Zips is in another group. Remove it there first.',
    })
    expect(await groupsOf(owner)).toHaveLength(1)
  })

  it('is invisible to others, and shows team members only the businesses they work for', async () => {
    const group = await create(shop(0), shop(1))
    expect((await call('GET', `/${group.id}`, undefined, stranger)).statusCode).toBe(404)
    expect((await call('GET', `/${group.id}/businesses`, undefined, stranger)).statusCode).toBe(404)
    expect(await groupsOf(stranger)).toEqual([])
    expect(await groupsOf(manager)).toMatchObject([{ id: group.id, isOwner: false }])
    expect((await overview(group.id, manager)).map(({ id }) => id)).toEqual([shop(0).id])
    for (const [method, rest, body] of [
      ['PATCH', '', { name: 'Mine' }],
      ['GET', '/members', undefined],
      ['PUT', '/hours', { businesses: [{ businessId: shop(0).id, hours: null }] }],
      ['DELETE', `/businesses/${shop(0).id}`, undefined],
    ] as const) {
      expect((await call(method, `/${group.id}${rest}`, body, manager)).statusCode, rest).toBe(403)
    }
  })

  it('is deleted with its last business', async () => {
    const group = await create(shop(0))
    for (let i = 0; i < 2; i++) {
      const left = await call('DELETE', `/${group.id}/businesses/${shop(0).id}`)
      expect(left.statusCode).toBe(i === 0 ? 204 : 404)
    }
    expect(await groupsOf(owner)).toEqual([])
  })

  it('loses a business that changes owners', async () => {
    const group = await create(shop(0), shop(1))
    const transferred = await test.request('POST', `/api/businesses/${shop(0).id}/team/transfer`, owner, { userId: manager.user.id })
    expect(transferred.statusCode, transferred.body).toBe(200)
    expect((await overview(group.id)).map(({ id }) => id)).toEqual([shop(1).id])
    await inTransaction(test.db, (tx) => dissolveTeam(tx, shop(1).id, test.clock.now()))
    expect(await groupsOf(owner)).toEqual([])
  })

  it('can lose a business to someone who helped run it through the group', async () => {
    const group = await create(shop(0), shop(1))
    expect((await call('PUT', `/${group.id}/members/${manager.user.id}`, { role: 'staff' })).statusCode).toBe(200)
    const transferred = await test.request('POST', `/api/businesses/${shop(1).id}/team/transfer`, owner, { userId: manager.user.id })
    expect(transferred.statusCode, transferred.body).toBe(200)
    expect((await rolesOf(manager))[1]).toBe('owner')
    expect((await rolesOf(owner))[1]).toBe('manager')
    expect((await overview(group.id)).map(({ id }) => id)).toEqual([shop(0).id])
  })

  it('gets a business’s owner back if an older release lost them in a transfer within the group', async () => {
    const group = await create(shop(0), shop(1), shop(2))
    await test.db
      .updateTable('businesses')
      .set({ claimed_at: test.clock.now() })
      .where(
        'id',
        'in',
        shops.map(({ id }) => id),
      )
      .execute()
    await call('PUT', `/${group.id}/members/${manager.user.id}`, { role: 'staff' })
    const transfer = (of: TestBusiness, to: TestPerson, as = owner) =>
      test.request('POST', `/api/businesses/${of.id}/team/transfer`, as, { userId: to.user.id })
    for (const of of [shop(1), shop(2)]) expect((await transfer(of, manager)).statusCode).toBe(200)
    expect((await transfer(shop(2), owner, manager)).statusCode).toBe(200)
    const lost = test.db.deleteFrom('business_members').where('user_id', '=', manager.user.id).where('business_id', '=', shop(1).id)
    await lost.execute()
    const unclaimed = await addBusiness(test.db)
    await join(unclaimed, owner, 'owner')
    await join(unclaimed, manager, 'staff')
    expect((await transfer(unclaimed, manager)).statusCode).toBe(200)
    await inTransaction(test.db, (tx) => dissolveTeam(tx, unclaimed.id, test.clock.now()))
    for (let i = 0; i < 2; i++) {
      await restoreLostOwners(test.db as unknown as Kysely<unknown>)
      expect(await rolesOf(manager)).toEqual(['manager', 'owner', 'manager'])
      expect(await rolesOf(owner)).toEqual(['owner', 'manager', 'owner'])
    }
    const rest = test.db.selectFrom('business_members').selectAll().where('business_id', '=', unclaimed.id)
    expect(await rest.execute()).toEqual([])
  })

  it('has one owner, who also owns its businesses, as enforced by database constraints', async () => {
    const group = await create(shop(0))
    const foreign = await addBusiness(test.db)
    await join(foreign, stranger, 'owner')
    const put = (role: string) =>
      sql`update business_members set group_id = ${group.id}::uuid, role = ${role} where business_id = ${foreign.id}::uuid`.execute(test.db)
    await expect(put('owner')).rejects.toThrow('groups_have_one_owner')
    await expect(put('manager')).rejects.toThrow('owners_group_businesses')
  })

  it('records who changed it', async () => {
    const group = await create(shop(0))
    await call('PATCH', `/${group.id}`, { name: 'New name' })
    await call('PUT', `/${group.id}/members/${manager.user.id}`, { role: 'staff' })
    await call('DELETE', `/${group.id}/businesses/${shop(0).id}`)
    const log = await test.db.selectFrom('audit_log').select('action').where('actor_id', '=', owner.user.id).orderBy('sequence').execute()
    expect(log.map(({ action }) => action)).toEqual(['group.joined', 'group.renamed', 'group.role_set', 'group.left'])
  })
})

describe('the overview', () => {
  it('shows what each business needs, under distinct names', async () => {
    const group = await create(...shops)
    const confirmedAt = new Date('2026-11-01T00:00:00Z')
    await addProduct(test.db, shop(2).id, { confirmed_at: confirmedAt })
    await addProduct(test.db, shop(2).id, { confirmed_at: new Date('2026-10-01T00:00:00Z'), moderation: 'hidden' })
    await addReview(test.db, { business_id: shop(2).id, user_id: stranger.user.id, review: 'Good' })
    await test.db
      .insertInto('business_follows')
      .values({ business_id: shop(2).id, user_id: stranger.user.id })
      .execute()
    const found: GroupedBusiness[] = []
    for (let url: string | null = `/api/groups/${group.id}/businesses?limit=1`; url; ) {
      const answer = await test.request('GET', url, owner)
      found.push(...(answer.json() as GroupedBusiness[]))
      url = nextPage(answer.headers.link as string | undefined)
    }
    expect(found.map(({ id }) => id).sort()).toEqual(shops.map(({ id }) => id).sort())
    const all = await overview(group.id)
    expect(all.map(({ label }) => label).sort()).toEqual([
      'Zips, Boulder, CO',
      'Zips, Denver, CO, 1 Main St',
      'Zips, Denver, CO, 2 Main St',
    ])
    expect(all.find(({ id }) => id === shop(2).id)).toMatchObject({
      role: 'owner',
      followerCount: 1,
      menu: { itemCount: 1, confirmedAt: confirmedAt.toISOString() },
      unansweredReviewCount: 1,
      unreadMessageCount: 0,
      license: { status: 'none', expiresOn: null },
      hours: null,
      timeZone: 'America/Denver',
      openNow: null,
    })
  })
})

describe('a role for a group', () => {
  const setRole = (id: string, role: string, person = manager) => call('PUT', `/${id}/members/${person.user.id}`, { role })

  it('applies at every business, including those that join later, and ends with the group', async () => {
    const group = await create(shop(0), shop(1))
    for (const { id } of shops) await test.request('PUT', `/api/businesses/${id}/rating`, stranger, { rating: 5 })
    const rated = async () => {
      await test.runJobs()
      return (await test.db.selectFrom('reviews').select('business_id').where('user_id', '=', stranger.user.id).execute()).map(
        (row) => row.business_id,
      )
    }
    await join(shop(0), stranger, 'staff')
    const given = await setRole(group.id, 'staff', stranger)
    expect(given.json()).toMatchObject({
      role: 'staff',
      businesses: expect.arrayContaining([
        { id: shop(0).id, role: 'staff', isFromGroup: false },
        { id: shop(1).id, role: 'staff', isFromGroup: true },
      ]),
    })
    expect(await rolesOf(stranger)).toEqual(['staff', 'staff', null])
    expect(await rated()).toEqual([shop(2).id])
    expect((await test.request('GET', `/api/businesses/${shop(1).id}/menu-items`, stranger)).statusCode).toBe(200)
    await call('PUT', `/${group.id}/businesses/${shop(2).id}`)
    expect(await rolesOf(stranger)).toEqual(['staff', 'staff', 'staff'])
    expect(await rated()).toEqual([])
    await setRole(group.id, 'manager', stranger)
    // A role at a single business takes precedence.
    expect(await rolesOf(stranger)).toEqual(['staff', 'manager', 'manager'])
    await call('DELETE', `/${group.id}/businesses/${shop(1).id}`)
    expect(await rolesOf(stranger)).toEqual(['staff', null, 'manager'])
    expect((await test.request('GET', `/api/businesses/${shop(1).id}/menu-items`, stranger)).statusCode).toBe(403)
    for (let i = 0; i < 2; i++) expect((await call('DELETE', `/${group.id}/members/${stranger.user.id}`)).statusCode).toBe(204)
    expect(await rolesOf(stranger)).toEqual(['staff', null, null])
  })

  it('no longer keeps RSVPs of someone the owner has blocked once it ends', async () => {
    const group = await create(shop(0), shop(1), shop(2))
    await setRole(group.id, 'staff')
    await blockPerson(test.db, owner.user.id, manager.user.id)
    for (const { id } of shops) {
      const event_id = await addEvent(test.db, id, { going_count: 1 })
      await test.db.insertInto('event_rsvps').values({ event_id, user_id: manager.user.id, created_at: new Date() }).execute()
    }
    const going = async () => {
      await test.runJobs()
      const rows = await test.db
        .selectFrom('event_rsvps')
        .innerJoin('events', 'events.id', 'event_id')
        .select('business_id')
        .where('user_id', '=', manager.user.id)
        .execute()
      return rows.map(({ business_id }) => business_id).sort()
    }
    expect(await going()).toEqual([shop(0).id, shop(1).id, shop(2).id].sort())
    await call('DELETE', `/${group.id}/businesses/${shop(2).id}`)
    expect(await going()).toEqual([shop(0).id, shop(1).id].sort())
    await call('DELETE', `/${group.id}/members/${manager.user.id}`)
    expect(await going()).toEqual([shop(0).id])
  })

  it('is only for people on one of its teams, and never for the owner', async () => {
    const group = await create(shop(0), shop(1))
    expect((await setRole(group.id, 'staff', stranger)).statusCode).toBe(404)
    expect((await setRole(group.id, 'staff', owner)).statusCode).toBe(409)
    expect((await setRole(group.id, 'owner')).statusCode).toBe(400)
    expect((await call('GET', `/${group.id}/members`)).json() as GroupMember[]).toMatchObject([{ id: manager.user.id, role: null }])
  })

  it('cancels the pending invitations of a manager who becomes staff, except where they remain a manager', async () => {
    const group = await create(shop(0), shop(1))
    await setRole(group.id, 'manager')
    const team = (at: number) => `/api/businesses/${shop(at).id}/team`
    for (const at of [0, 1]) {
      const invited = await test.request('POST', `${team(at)}/invitations`, manager, { email: `new-${at}@example.com`, role: 'staff' })
      expect(invited.statusCode, invited.body).toBe(201)
    }
    await setRole(group.id, 'staff')
    expect(await rolesOf(manager)).toEqual(['manager', 'staff', null])
    const invitationsTo = async (at: number) => ((await test.request('GET', team(at), owner)).json() as Team).invitations
    expect(await invitationsTo(0)).toHaveLength(1)
    expect(await invitationsTo(1)).toEqual([])
  })

  it('isn’t given at a business whose team is full', async () => {
    const group = await create(shop(0), shop(1))
    await setRole(group.id, 'staff')
    for (const id of await addPeople(test.db, maxTeamSize - 1)) await joinBusiness(test.db, id, shop(2).id, 'staff')
    const refused = await call('PUT', `/${group.id}/businesses/${shop(2).id}`)
    expect(refused.json()).toMatchObject({ code: 'conflict', message: 'The team at Zips is full.' })
    expect((await overview(group.id)).map(({ id }) => id)).not.toContain(shop(2).id)
  })

  it('becomes a separate role when it is changed at one business', async () => {
    const group = await create(shop(0), shop(1))
    await setRole(group.id, 'manager')
    const changed = await test.request('PATCH', `/api/businesses/${shop(1).id}/team/members/${manager.user.id}`, owner, { role: 'staff' })
    expect(changed.statusCode, changed.body).toBe(200)
    await call('DELETE', `/${group.id}/members/${manager.user.id}`)
    expect(await rolesOf(manager)).toEqual(['manager', 'staff', null])
  })
})

describe('removing someone with a role for the group', () => {
  const members = async (id: string) => (await call('GET', `/${id}/members`)).json() as GroupMember[]
  const remove = (at: number, as = owner) => test.request('DELETE', `/api/businesses/${shop(at).id}/team/members/${manager.user.id}`, as)

  it('ends that role, so that no business gives it again, and keeps separate roles at the others', async () => {
    const group = await create(shop(0), shop(1))
    await call('PUT', `/${group.id}/members/${manager.user.id}`, { role: 'manager' })
    expect((await remove(0)).statusCode).toBe(204)
    expect(await members(group.id)).toMatchObject([
      { id: manager.user.id, role: null, businesses: [{ id: shop(1).id, role: 'manager', isFromGroup: false }] },
    ])
    await call('DELETE', `/${group.id}/businesses/${shop(0).id}`)
    for (const at of [0, 2]) await call('PUT', `/${group.id}/businesses/${shop(at).id}`)
    expect(await rolesOf(manager)).toEqual([null, 'manager', null])
    expect((await remove(1, manager)).statusCode).toBe(204)
    expect(await members(group.id)).toEqual([])
  })

  it('shows the owner any people whose role an older release kept', async () => {
    const group = await create(shop(0), shop(1))
    await call('PUT', `/${group.id}/members/${manager.user.id}`, { role: 'manager' })
    await test.db.deleteFrom('business_members').where('user_id', '=', manager.user.id).execute()
    expect(await members(group.id)).toMatchObject([{ id: manager.user.id, role: 'manager', businesses: [] }])
    expect((await call('DELETE', `/${group.id}/members/${manager.user.id}`)).statusCode).toBe(204)
    expect(await members(group.id)).toEqual([])
  })
})

describe('copying hours', () => {
  const nine = Array.from({ length: 7 }, () => [{ opens: 540, closes: 1260 }])

  it('replaces the hours of other businesses in the group, and can be undone', async () => {
    const group = await create(shop(0), shop(1))
    const set = (businesses: object[]) => call('PUT', `/${group.id}/hours`, { businesses })
    await set([{ businessId: shop(0).id, hours: nine }])
    const copied = await set([{ businessId: shop(1).id, hours: nine }])
    expect(copied.json()).toEqual({ before: [{ businessId: shop(1).id, hours: null }] })
    expect((await overview(group.id)).map(({ hours }) => hours)).toEqual([nine, nine])
    await set(copied.json().before)
    const hours = new Map((await overview(group.id)).map((each) => [each.id, each.hours]))
    expect(hours.get(shop(0).id)).toEqual(nine)
    expect(hours.get(shop(1).id)).toBeNull()
  })

  it('changes nothing if one of the businesses isn’t in the group', async () => {
    const group = await create(shop(0))
    const businesses = [shop(0), shop(1)].map(({ id }) => ({ businessId: id, hours: nine }))
    expect((await call('PUT', `/${group.id}/hours`, { businesses })).statusCode).toBe(409)
    expect((await overview(group.id)).map(({ hours }) => hours)).toEqual([null])
  })

  it('doesn’t block a change to a team while it waits for the team’s business', async () => {
    const group = await create(shop(0), shop(1))
    const calls = await test.db.transaction().execute(async (tx) => {
      await sql`select from businesses where id = ${shop(0).id} for no key update`.execute(tx)
      const setting = call('PUT', `/${group.id}/hours`, { businesses: [{ businessId: shop(0).id, hours: nine }] })
      await untilWaiting(test.db)
      const member = sql`select from business_members where business_id = ${shop(0).id} and user_id = ${owner.user.id} for update nowait`
      await member.execute(tx)
      return { setting }
    })
    expect((await calls.setting).statusCode).toBe(200)
  })
})
