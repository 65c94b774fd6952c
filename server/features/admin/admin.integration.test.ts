import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type {
  AdminBusiness,
  AdminCommunity,
  AdminPerson,
  AdminPersonDetail,
  AuditRow,
  FailedJob,
  Health,
  PlanFigures,
  Waiting,
} from '#contracts/admin.endpoints.ts'
import { endpoints } from '#contracts/index.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { addListing } from '#tests/support/listings.ts'
import type { MemoryJobs } from '#tests/support/memory-jobs.ts'
import { addPeople } from '#tests/support/people.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let admin: TestPerson
let moderator: TestPerson
let member: TestPerson

beforeAll(async () => {
  t = await startTestApp()
  admin = await t.signUp({ firstName: 'Ada', lastName: 'Admin' })
  moderator = await t.signUp({ firstName: 'Mona', lastName: 'Moderator' })
  member = await t.signUp({ firstName: 'Wilhelmina', lastName: 'Underhill' })
  await giveRole(t, admin, 'admin')
  await giveRole(t, moderator, 'moderator')
})
afterAll(async () => {
  expect(await findAuditBreak(t.db)).toBeNull()
  await t.close()
})

const get = async <Answer>(url: string, as = admin) => {
  const answer = await t.request('GET', url, as)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as Answer
}
const entries = (subjectId: string) =>
  t.db.selectFrom('audit_log').select(['action', 'actor_id', 'details']).where('subject_id', '=', subjectId).orderBy('sequence').execute()
const roleOf = async (id: string) => (await t.db.selectFrom('users').select('role').where('id', '=', id).executeTakeFirstOrThrow()).role

it('refuses everyone but admins, except for the queue counts that moderators also see', async () => {
  const calls = endpoints.filter(({ path }) => path.startsWith('/api/admin/'))
  expect(calls.length).toBeGreaterThan(14)
  for (const { method, path, access } of calls) {
    expect(access, path).toBe(path === '/api/admin/waiting' ? 'moderator' : 'admin')
    const url = path.replace(/:\w+/g, newId())
    for (const as of [member, moderator]) {
      const isOpen = as === moderator && access === 'moderator'
      expect((await t.request(method, url, as, method === 'GET' ? undefined : {})).statusCode, `${method} ${path}`).toBe(isOpen ? 200 : 403)
    }
  }
})

describe('the list of people', () => {
  const found = async (query: string) => (await get<AdminPerson[]>(`/api/admin/people?${query}`)).map(({ id }) => id)

  it('searches by ID and by part of the name or email address', async () => {
    for (const q of ['wilhelm', 'UNDERHILL', member.email, member.email.slice(0, 12), member.user.id, member.user.id.toUpperCase()]) {
      expect(await found(`q=${encodeURIComponent(q)}`), q).toContain(member.user.id)
    }
    expect(await found('q=%25')).toEqual([])
    expect(await found(`q=${newId()}`)).toEqual([])
    expect(await found('role=moderator')).toEqual([moderator.user.id])
  })

  it('is paginated, newest first, and contains no addresses', async () => {
    await addPeople(t.db, 5, { first_name: 'Paged', name: 'Paged Person' })
    const first = await t.request('GET', '/api/admin/people?q=Paged&limit=2', admin)
    const seen = first.json() as AdminPerson[]
    for (let url = nextPage(first.headers.link as string); url; ) {
      const page = await t.request('GET', url, admin)
      seen.push(...(page.json() as AdminPerson[]))
      url = nextPage(page.headers.link as string | undefined)
    }
    expect(seen).toHaveLength(5)
    expect(seen.map(({ id }) => id)).toEqual([...seen.map(({ id }) => id)].sort().reverse())
    expect(JSON.stringify(await get('/api/admin/people?limit=100'))).not.toContain('@example.com')
  })

  it('shows an address to an admin and logs each view', async () => {
    for (let look = 0; look < 2; look++) {
      const detail = await get<AdminPersonDetail>(`/api/admin/people/${member.user.id}`)
      expect(detail).toMatchObject({
        email: member.email,
        role: 'member',
        sessionsCount: 1,
        signsInWith: ['password'],
        hasSecondFactor: false,
        businesses: [],
        mayGive: ['moderator', 'admin'],
      })
    }
    const looked = { action: 'person.looked_at', actor_id: admin.user.id, details: {} }
    expect(await entries(member.user.id)).toEqual([looked, looked])
    expect((await get<AdminPersonDetail>(`/api/admin/people/${admin.user.id}`)).mayGive).toEqual([])
    expect((await t.request('GET', `/api/admin/people/${newId()}`, admin)).statusCode).toBe(404)
  })

  it('shows every way a person signs in', async () => {
    const person = await t.signUp()
    const passkey = {
      id: newId(),
      user_id: person.user.id,
      credential_id: newId(),
      public_key: 'k',
      counter: 0,
      transports: [],
      aaguid: 'a',
    }
    await t.db
      .insertInto('passkeys')
      .values({ ...passkey, is_syncable: false, is_synced: false, name: 'Phone', created_at: t.clock.now() })
      .execute()
    const methods = async () => (await get<AdminPersonDetail>(`/api/admin/people/${person.user.id}`)).signsInWith
    expect(await methods()).toEqual(['password', 'passkey'])
    await t.db.deleteFrom('credentials').where('user_id', '=', person.user.id).execute()
    expect(await methods()).toEqual(['passkey'])
  })

  it('shows when a person was last active', async () => {
    const person = await t.signUp()
    const lastSeen = async () => (await get<AdminPersonDetail>(`/api/admin/people/${person.user.id}`)).lastSeenAt
    t.clock.advance({ minutes: 20 })
    const before = t.clock.now().toISOString()
    expect((await lastSeen())! < before).toBe(true)
    await t.request('GET', '/api/auth/user', person)
    expect((await lastSeen())! >= before).toBe(true)
  })

  it('lets an admin sign a person out everywhere', async () => {
    const person = await t.signUp()
    expect((await t.request('POST', `/api/admin/people/${person.user.id}/sign-out`, admin)).json()).toEqual({ ended: 1 })
    expect((await t.request('GET', '/api/auth/user', person)).statusCode).toBe(401)
    expect((await t.request('POST', `/api/admin/people/${person.user.id}/sign-out`, admin)).json()).toEqual({ ended: 0 })
    expect(await entries(person.user.id)).toEqual([{ action: 'person.signed_out', actor_id: admin.user.id, details: { sessions: 1 } }])
    expect((await t.request('POST', `/api/admin/people/${newId()}/sign-out`, admin)).statusCode).toBe(404)
  })
})

describe('a role', () => {
  const change = (as: TestPerson, id: string, role: string) => t.request('PUT', `/api/admin/people/${id}/role`, as, { role })

  it('can be changed only by other admins and takes effect after the second factor', async () => {
    const person = await t.signUp()
    expect((await change(admin, person.user.id, 'moderator')).statusCode).toBe(204)
    expect((await change(admin, person.user.id, 'moderator')).statusCode).toBe(204)
    expect((await t.request('GET', '/api/admin/waiting', person)).json()).toMatchObject({ code: 'second_factor_required' })
    const note = { action: 'role.changed', actor_id: admin.user.id }
    expect(await entries(person.user.id)).toEqual([{ ...note, details: { before: 'member', role: 'moderator' } }])
    // A second factor confirmed as a moderator doesn't count for an admin.
    await giveRole(t, person, 'moderator')
    expect((await change(admin, person.user.id, 'admin')).statusCode).toBe(204)
    expect((await t.request('GET', '/api/admin/health', person)).json()).toMatchObject({ code: 'second_factor_required' })
    expect((await change(admin, person.user.id, 'member')).statusCode).toBe(204)
    expect((await t.request('GET', '/api/admin/waiting', person)).json()).toMatchObject({ code: 'forbidden' })

    for (const role of ['member', 'moderator']) expect((await change(admin, admin.user.id, role)).statusCode).toBe(403)
    expect(await roleOf(admin.user.id)).toBe('admin')
    expect((await change(admin, newId(), 'admin')).statusCode).toBe(404)
    expect((await change(admin, person.user.id, 'owner')).statusCode).toBe(400)
  })

  it('can’t be given to a banned person', async () => {
    const person = await t.signUp()
    await t.db.updateTable('users').set({ banned_at: t.clock.now() }).where('id', '=', person.user.id).execute()
    expect((await change(admin, person.user.id, 'moderator')).statusCode).toBe(409)
    expect(await roleOf(person.user.id)).toBe('member')
  })

  it('is taken from only one of two admins who demote each other concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await t.signUp(), await t.signUp()]
      for (const person of [one, two]) await giveRole(t, person, 'admin')
      const answers = await Promise.all([change(one, two.user.id, 'member'), change(two, one.user.id, 'member')])
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 403])
      expect([await roleOf(one.user.id), await roleOf(two.user.id)].sort()).toEqual(['admin', 'member'])
      for (const person of [one, two]) await giveRole(t, person, 'member')
    }
  })
})

it('finds businesses by text and shows their owners', async () => {
  const listing = await addListing(t.db)
  const owned = (await t.request('POST', '/api/businesses', member, { businessName: 'Quartz Hollow', location: 'Denver, CO' })).json()
  const [quartz] = await get<AdminBusiness[]>('/api/admin/businesses?q=quartz hollow')
  expect(quartz).toMatchObject({ id: owned.id, owner: { id: member.user.id }, plans: [], isDemo: false, isHidden: false })
  expect((await get<AdminBusiness[]>(`/api/admin/businesses?q=${listing.id}`))[0]).toMatchObject({ id: listing.id, owner: null })
  const ids = async (owner: string) => (await get<AdminBusiness[]>(`/api/admin/businesses?limit=100&owned=${owner}`)).map(({ id }) => id)
  expect(await ids('yes')).toContain(owned.id)
  expect(await ids('yes')).not.toContain(listing.id)
  expect(await ids('no')).not.toContain(owned.id)
})

it('finds and counts public and invite-only communities, but no private ones', async () => {
  const add = (name: string, visibility: 'public' | 'private' | 'invite_only') =>
    t.db
      .insertInto('communities')
      .values({ id: newId(), slug: name.toLowerCase(), name, category: 'general', visibility, search_text: name.toLowerCase() })
      .returning('id')
      .executeTakeFirstOrThrow()
  const open = await add('Openglade', 'public')
  const invited = await add('Inviteglade', 'invite_only')
  const hidden = await add('Hiddenglade', 'private')
  const found = async (q: string) => (await get<AdminCommunity[]>(`/api/admin/communities?q=${q}`)).map(({ id }) => id)
  expect(await found('glade')).toEqual([invited.id, open.id])
  expect(await found('hiddenglade')).toEqual([])
  expect(await found(hidden.id)).toEqual([])
  expect((await get<Health>('/api/admin/health')).counts.communities).toBe(2)
})

it('reports health, pending work, and plan figures', async () => {
  const health = await get<Health>('/api/admin/health')
  expect(health).toMatchObject({ version: '0.1.0', mail: 'outbox', media: { storage: 'folder' } })
  expect(health.database).toMatchObject({ lastMigration: expect.stringMatching(/^\d{8}T\d{4}/), connections: expect.any(Number) })
  expect(health.database.bytes).toBeGreaterThan(1_000_000)
  expect(health.counts.people).toBeGreaterThan(5)
  expect(Date.parse(health.startedAt)).toBeLessThan(Date.now())
  const waiting = await get<Waiting>('/api/admin/waiting', moderator)
  expect(waiting).toEqual({ claims: 0, licenses: 0, cases: 0, overdue: 0, appeals: 0, corrections: 0 })
  const figures = await get<PlanFigures>('/api/admin/plans')
  expect(figures.plans.map(({ id }) => id)).toEqual(['starter', 'pro', 'vip', 'verified', 'pro_partner', 'business_tools'])
  expect(figures.plans.every(({ active }) => active === 0)).toBe(true)
})

describe('the audit log', () => {
  it('is searchable by action, subject, actor, business, and time, and paginated by sequence', async () => {
    const business = (await t.request('POST', '/api/businesses', member, { businessName: 'Logged', location: 'Denver, CO' })).json()
    const before = t.clock.now()
    t.clock.advance({ minutes: 5 })
    await t.request('PATCH', `/api/businesses/${business.id}`, member, { description: 'Changed' })
    const [edited] = await get<AuditRow[]>(`/api/admin/audit?business=${business.id}`)
    expect(edited).toMatchObject({
      action: 'business.edited',
      actor: { id: member.user.id, name: 'Wilhelmina Underhill' },
      business: { id: business.id, name: 'Logged', slug: business.slug },
      subjectName: 'Logged',
    })
    const rows = (query: string) => get<AuditRow[]>(`/api/admin/audit?limit=100&${query}`)
    expect((await rows('action=role.changed')).every(({ action }) => action === 'role.changed')).toBe(true)
    expect(new Set((await rows('action=person')).map(({ action }) => action))).toEqual(new Set(['person.looked_at', 'person.signed_out']))
    expect(await rows('action=perso')).toEqual([])
    expect((await rows(`subject=${business.id}`)).map(({ sequence }) => sequence)).toEqual([edited?.sequence])
    expect((await rows(`actor=${admin.user.id}`)).every(({ actor }) => actor?.id === admin.user.id)).toBe(true)
    expect((await rows(`business=${business.id}&from=${before.toISOString()}`)).map(({ sequence }) => sequence)).toEqual([edited?.sequence])
    expect(await rows(`business=${business.id}&to=${before.toISOString()}`)).toEqual([])
    expect((await t.request('GET', '/api/admin/audit?action=%25', admin)).statusCode).toBe(400)

    const all = (await rows('')).map(({ sequence }) => sequence)
    expect(all).toEqual([...all].sort((a, b) => b - a))
    const first = await t.request('GET', '/api/admin/audit?limit=3', admin)
    const second = (await t.request('GET', nextPage(first.headers.link as string) as string, admin)).json() as AuditRow[]
    expect([...(first.json() as AuditRow[]), ...second].map(({ sequence }) => sequence)).toEqual(all.slice(0, 6))
    expect(await get('/api/admin/audit/actions')).toEqual(['business.edited', 'person.looked_at', 'person.signed_out', 'role.changed'])
  })

  it('shows admins the names of people whose profile is hidden, in all lists', async () => {
    const person = await t.signUp({ firstName: 'Hester', lastName: 'Hidden' })
    const place = { businessName: 'Hidden Owner', location: 'Denver, CO' }
    const business = (await t.request('POST', '/api/businesses', person, place)).json()
    await t.db.updateTable('users').set({ profile_moderation: 'hidden' }).where('id', '=', person.user.id).execute()
    const detail = await get<AdminPersonDetail>(`/api/admin/people/${person.user.id}`)
    const [listed] = await get<AdminPerson[]>(`/api/admin/people?q=${encodeURIComponent(person.email)}`)
    expect([detail.name, listed?.name]).toEqual(['Hester Hidden', 'Hester Hidden'])
    const [row] = await get<AuditRow[]>(`/api/admin/audit?subject=${person.user.id}`)
    expect(row).toMatchObject({ action: 'person.looked_at', subjectName: 'Hester Hidden' })
    const businesses = await get<AdminBusiness[]>(`/api/admin/businesses?q=${encodeURIComponent(place.businessName)}`)
    expect(businesses.find(({ id }) => id === business.id)?.owner).toEqual({ id: person.user.id, name: 'Hester Hidden' })
  })

  it('shows no name for a deleted account', async () => {
    const [id] = await addPeople(t.db, 1)
    await get(`/api/admin/people/${id}`)
    await t.db
      .deleteFrom('users')
      .where('id', '=', id as string)
      .execute()
    const [row] = await get<AuditRow[]>(`/api/admin/audit?subject=${id}`)
    expect(row).toMatchObject({ action: 'person.looked_at', subjectName: null, actor: { name: 'Ada Admin' } })
  })
})

it('lists failed jobs without personal data and retries them', async () => {
  const { failed } = t.ctx.jobs as MemoryJobs
  const now = t.clock.now()
  const job = (name: string, error: string) => ({ id: newId(), name, queuedAt: now, failedAt: now, tries: 7, error })
  failed.push(job('accounts.mail-reset-link', '550 <ann@example.com> rejected'), job('media.make', 'broken'), job('media.make', 'broken'))
  const listed = await get<FailedJob[]>('/api/admin/jobs/failed')
  expect(listed.map(({ error }) => error)).toEqual(['550 <[address]> rejected', 'broken', 'broken'])
  expect((await get<{ name: string; failed: number }[]>('/api/admin/jobs')).find(({ name }) => name === 'media.make')?.failed).toBe(2)
  const retry = async (body: object) => (await t.request('POST', '/api/admin/jobs/retry', admin, body)).json()
  expect(await retry({ id: listed[1]?.id })).toEqual({ retried: 1 })
  expect(await retry({ id: listed[1]?.id })).toEqual({ retried: 0 })
  expect(await retry({ name: 'media.make' })).toEqual({ retried: 1 })
  expect(await retry({})).toEqual({ retried: 1 })
  const notes = (await entries(admin.user.id)).filter(({ action }) => action === 'job.retried').map(({ details }) => details)
  expect(notes).toEqual([
    { kinds: 'media.make', count: 1 },
    { kinds: 'media.make', count: 1 },
    { kinds: 'accounts.mail-reset-link', count: 1 },
  ])
})
