import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Team } from '#contracts/team.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { latestMailTo, mailsTo } from '#tests/support/mailbox.ts'
import { addPeople } from '#tests/support/people.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let owner: TestPerson
let manager: TestPerson
let staff: TestPerson
let stranger: TestPerson
let otherOwner: TestPerson
let business: { id: string; slug: string }

beforeAll(async () => {
  t = await startTestApp()
  owner = await t.signUp({ firstName: 'Olive', lastName: 'Owner' })
  manager = await t.signUp()
  staff = await t.signUp()
  stranger = await t.signUp()
  otherOwner = await t.signUp()
  await t.request('POST', '/api/businesses', otherOwner, { businessName: 'Elsewhere', location: 'Boulder, CO' })
})
afterAll(async () => {
  expect(await findAuditBreak(t.db)).toBeNull()
  await t.close()
})

beforeEach(async () => {
  business = (await t.request('POST', '/api/businesses', owner, { businessName: 'Terrace', location: 'Denver, CO' })).json()
  for (const [person, role] of [
    [manager, 'manager'],
    [staff, 'staff'],
  ] as const) {
    await t.db.insertInto('business_members').values({ business_id: business.id, user_id: person.user.id, role }).execute()
  }
  // An account may own at most 20, and these tests create more.
  await t.db.deleteFrom('businesses').where('id', '!=', business.id).where('name', '=', 'Terrace').execute()
})

const path = (rest = '') => `/api/businesses/${business.slug}/team${rest}`
const member = (person: TestPerson) => path(`/members/${person.user.id}`)
const invite = (as: TestPerson | null, email: string, role: string) => t.request('POST', path('/invitations'), as, { email, role })
const rolesNow = async () =>
  Object.fromEntries(
    (await t.db.selectFrom('business_members').select(['user_id', 'role']).where('business_id', '=', business.id).execute()).map((row) => [
      row.user_id,
      row.role,
    ]),
  )
const actions = async () =>
  (await t.db.selectFrom('audit_log').select('action').where('business_id', '=', business.id).orderBy('sequence').execute()).map(
    ({ action }) => action,
  )

async function tokenFor(email: string): Promise<string> {
  const { text } = await latestMailTo(t, email)
  return /\/invitations\/([\w-]+)/.exec(text)?.[1] as string
}

let addresses = 0
const newAddress = () => `invited-${++addresses}-${process.pid}@example.com`

describe('access', () => {
  const everyRole = () => ({ owner, manager, staff, stranger, otherOwner, visitor: null })
  const invitationId = async (role: string) => {
    const email = newAddress()
    const team = (await invite(owner, email, role)).json() as Team
    return team.invitations.find((invitation) => invitation.email === email)?.id
  }

  const another = async (role: 'manager' | 'staff') => {
    const [id] = (await addPeople(t.db, 1)) as [string]
    await t.db.insertInto('business_members').values({ business_id: business.id, user_id: id, role }).execute()
    return id
  }

  it.each<[string, () => Promise<[method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object]>, number[]]>([
    ['see the team', async () => ['GET', path()], [200, 200, 200, 403, 403, 401]],
    ['invite staff', async () => ['POST', path('/invitations'), { email: newAddress(), role: 'staff' }], [201, 201, 403, 403, 403, 401]],
    [
      'invite a manager',
      async () => ['POST', path('/invitations'), { email: newAddress(), role: 'manager' }],
      [201, 403, 403, 403, 403, 401],
    ],
    [
      'resend an invitation to staff',
      async () => ['POST', path(`/invitations/${await invitationId('staff')}/resend`)],
      [200, 200, 403, 403, 403, 401],
    ],
    [
      'resend an invitation to a manager',
      async () => ['POST', path(`/invitations/${await invitationId('manager')}/resend`)],
      [200, 403, 403, 403, 403, 401],
    ],
    [
      'cancel an invitation to staff',
      async () => ['DELETE', path(`/invitations/${await invitationId('staff')}`)],
      [200, 200, 403, 403, 403, 401],
    ],
    [
      'cancel an invitation to a manager',
      async () => ['DELETE', path(`/invitations/${await invitationId('manager')}`)],
      [200, 403, 403, 403, 403, 401],
    ],
    ['change a role', async () => ['PATCH', member(staff), { role: 'staff' }], [200, 403, 403, 403, 403, 401]],
    ['transfer the business', async () => ['POST', path('/transfer'), { userId: owner.user.id }], [200, 403, 403, 403, 403, 401]],
    ['remove staff', async () => ['DELETE', path(`/members/${await another('staff')}`)], [204, 204, 403, 403, 403, 401]],
    ['remove a manager', async () => ['DELETE', path(`/members/${await another('manager')}`)], [204, 403, 403, 403, 403, 401]],
    ['remove the owner', async () => ['DELETE', member(owner)], [409, 403, 403, 403, 403, 401]],
  ])('decides by role who may %s', async (_, requestFor, statuses) => {
    const answers: number[] = []
    for (const person of Object.values(everyRole())) {
      const [method, url, body] = await requestFor()
      answers.push((await t.request(method, url, person, body)).statusCode)
    }
    expect(answers, Object.keys(everyRole()).join(', ')).toEqual(statuses)
  })

  it('shows each role its abilities, and shows staff no invitations or email addresses', async () => {
    await invite(owner, newAddress(), 'manager')
    const seen = async (person: TestPerson) => (await t.request('GET', path(), person)).json() as Team
    const asOwner = await seen(owner)
    expect(asOwner.members.map(({ role }) => role)).toEqual(['owner', 'manager', 'staff'])
    expect(asOwner.abilities).toEqual({ invite: ['manager', 'staff'], leave: false, block: true })
    expect(asOwner.invitations[0]).toMatchObject({ role: 'manager', canChange: true, invitedBy: 'Olive Owner', isExpired: false })
    const asManager = await seen(manager)
    expect(asManager.abilities).toEqual({ invite: ['staff'], leave: true, block: true })
    expect(asManager.invitations[0]?.canChange).toBe(false)
    expect(asManager.members.map(({ abilities }) => abilities.remove)).toEqual([false, false, true])
    const asStaff = await seen(staff)
    expect(asStaff).toMatchObject({ invitations: [], abilities: { invite: [], leave: true, block: false } })
    expect(JSON.stringify(asStaff)).not.toContain('@')
  })

  it('refuses the IDs of another business’s members', async () => {
    expect((await t.request('PATCH', member(otherOwner), owner, { role: 'staff' })).statusCode).toBe(404)
    expect((await t.request('POST', path('/transfer'), owner, { userId: otherOwner.user.id })).statusCode).toBe(404)
    expect((await t.request('GET', '/api/businesses/no-such-place/team', owner)).statusCode).toBe(404)
  })
})

describe('an invitation', () => {
  it('is emailed and adds the address’s owner to the team, once', async () => {
    const newcomer = await t.signUp()
    expect((await invite(owner, newcomer.email.toUpperCase(), 'manager')).statusCode).toBe(201)
    const mail = await latestMailTo(t, newcomer.email)
    expect(mail.subject).toBe('Sungrove: your invitation to join a team')
    expect(mail.text).toContain('Olive Owner invited you to help run “Terrace” as a manager')
    const token = await tokenFor(newcomer.email)
    const stored = await t.db.selectFrom('team_invitations').selectAll().where('email', '=', newcomer.email).executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain(token)

    expect((await t.request('GET', `/api/invitations/${token}`, newcomer)).json()).toMatchObject({
      state: 'open',
      role: 'manager',
      business: { slug: business.slug },
      sentTo: 'p…@example.com',
    })
    const seen = await t.request('GET', `/api/invitations/${token}`)
    expect(seen.json()).toMatchObject({ state: 'open', invitedBy: 'Olive Owner', sentTo: 'p…@example.com' })
    expect(seen.body).not.toContain(newcomer.email)
    expect((await t.request('POST', `/api/invitations/${token}/accept`)).statusCode).toBe(401)
    const accepted = await t.request('POST', `/api/invitations/${token}/accept`, newcomer)
    expect(accepted.json()).toMatchObject({ role: 'manager', business: { id: business.id } })
    expect((await t.request('POST', `/api/invitations/${token}/accept`, newcomer)).json()).toEqual(accepted.json())
    expect((await rolesNow())[newcomer.user.id]).toBe('manager')
    expect((await latestMailTo(t, owner.email)).subject).toBe('Sungrove: your invitation was accepted')
    expect(await actions()).toEqual(['team.invited', 'team.joined'])

    // The link is used up, so removed members can't rejoin with it.
    await t.request('DELETE', member(newcomer), owner)
    expect((await t.request('POST', `/api/invitations/${token}/accept`, newcomer)).statusCode).toBe(409)
    expect((await latestMailTo(t, newcomer.email)).subject).toBe('Sungrove: you were removed from a team')
  })

  it('takes a new member’s review off the page, and keeps it for their export', async () => {
    const [newcomer, customer] = [await t.signUp(), await t.signUp()]
    const rate = (as: TestPerson, rating: number) =>
      t.request('PUT', `/api/businesses/${business.slug}/rating`, as, { rating, review: 'Fine.' })
    await rate(newcomer, 5)
    await rate(customer, 2)
    await invite(owner, newcomer.email, 'staff')
    expect((await t.request('POST', `/api/invitations/${await tokenFor(newcomer.email)}/accept`, newcomer)).statusCode).toBe(200)
    await t.runJobs()
    const summary = await t.request('GET', `/api/businesses/${business.slug}/ratings/summary`, newcomer)
    expect(summary.json()).toMatchObject({ average: 2, total: 1, counts: [0, 1, 0, 0, 0], own: null, mayReview: false })
    expect((await t.request('GET', `/api/businesses/${business.slug}`)).json()).toMatchObject({ averageRating: 2, totalRatings: 1 })
    const kept = await t.db
      .selectFrom('merged_reviews')
      .select(['business_id', 'rating', 'review'])
      .where('user_id', '=', newcomer.user.id)
      .execute()
    expect(kept).toEqual([{ business_id: business.id, rating: 5, review: 'Fine.' }])
  })

  it('is listed for the account with its address once that address is confirmed, and can be accepted there', async () => {
    const [newcomer, other] = [await t.signUp(), await t.signUp()]
    const team = (await invite(owner, newcomer.email, 'staff')).json() as Team
    const id = team.invitations.find(({ email }) => email === newcomer.email)?.id
    const accept = (as: TestPerson) => t.request('POST', `/api/invitations/${id}/accept`, as)
    const listed = async (as: TestPerson) => (await t.request('GET', '/api/invitations', as)).json()
    const confirm = (isConfirmed: boolean) =>
      t.db.updateTable('users').set({ email_verified: isConfirmed }).where('id', 'in', [newcomer.user.id, other.user.id]).execute()
    await confirm(false)
    expect(await listed(newcomer)).toEqual([])
    expect((await accept(newcomer)).statusCode).toBe(404)
    await confirm(true)
    expect(await listed(other)).toEqual([])
    expect((await accept(other)).statusCode).toBe(404)
    expect((await t.request('GET', `/api/invitations/${id}`)).statusCode).toBe(404)
    expect(await listed(newcomer)).toMatchObject([{ id, role: 'staff', business: { id: business.id } }])
    expect((await accept(newcomer)).json()).toMatchObject({ role: 'staff', business: { id: business.id } })
    expect(await listed(newcomer)).toEqual([])
  })

  it('is only for the account with that address', async () => {
    const email = newAddress()
    await invite(owner, email, 'staff')
    const token = await tokenFor(email)
    expect((await t.request('GET', `/api/invitations/${token}`, stranger)).json().state).toBe('other_address')
    const refused = await t.request('POST', `/api/invitations/${token}/accept`, stranger)
    expect(refused.statusCode).toBe(403)
    expect(refused.json().message).toBe('This invitation was emailed to i…@example.com. Sign in with that address to accept it.')
    expect((await rolesNow())[stranger.user.id]).toBeUndefined()
    expect((await t.request('POST', `/api/invitations/${token}/accept`, null)).statusCode).toBe(401)
    expect((await t.request('GET', '/api/invitations/none', stranger)).statusCode).toBe(404)
  })

  it('works once when accepted concurrently', async () => {
    const newcomer = await t.signUp()
    await invite(owner, newcomer.email, 'staff')
    const token = await tokenFor(newcomer.email)
    const answers = await Promise.all(Array.from({ length: 8 }, () => t.request('POST', `/api/invitations/${token}/accept`, newcomer)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
    expect((await actions()).filter((action) => action === 'team.joined')).toHaveLength(1)
    expect(
      await mailsTo(t, owner.email).then((mails) => mails.filter(({ text }) => text.includes(`${newcomer.user.lastName} accepted`))),
    ).toHaveLength(1)
  })

  it('is never both accepted and canceled', async () => {
    for (let round = 0; round < 4; round++) {
      const newcomer = await t.signUp()
      const team = (await invite(owner, newcomer.email, 'staff')).json() as Team
      const id = team.invitations.find(({ email }) => email === newcomer.email)?.id
      const token = await tokenFor(newcomer.email)
      const [accepted, revoked] = await Promise.all([
        t.request('POST', `/api/invitations/${token}/accept`, newcomer),
        t.request('DELETE', path(`/invitations/${id}`), owner),
      ])
      expect([accepted.statusCode, revoked.statusCode].sort()).toEqual([200, 409])
      expect((await rolesNow())[newcomer.user.id]).toBe(accepted.statusCode === 200 ? 'staff' : undefined)
    }
  })

  it('expires after seven days and can be resent', async () => {
    const newcomer = await t.signUp()
    const team = (await invite(owner, newcomer.email, 'staff')).json() as Team
    const token = await tokenFor(newcomer.email)
    const before = t.clock.now()
    t.clock.advance({ days: 7, seconds: 1 })
    try {
      expect((await t.request('GET', `/api/invitations/${token}`, newcomer)).json().state).toBe('expired')
      expect((await t.request('POST', `/api/invitations/${token}/accept`, newcomer)).statusCode).toBe(409)
      const again = await t.request('POST', path(`/invitations/${team.invitations[0]?.id}/resend`), owner)
      expect((again.json() as Team).invitations[0]?.isExpired).toBe(false)
      const fresh = await tokenFor(newcomer.email)
      expect((await t.request('POST', `/api/invitations/${token}/accept`, newcomer)).statusCode).toBe(404)
      expect((await t.request('POST', `/api/invitations/${fresh}/accept`, newcomer)).statusCode).toBe(200)
    } finally {
      t.clock.set(before)
    }
  })

  it('isn’t emailed twice for the same request, nor to someone already on the team', async () => {
    const email = newAddress()
    await invite(owner, email, 'staff')
    expect((await invite(owner, email, 'staff')).json().invitations).toHaveLength(1)
    expect(await mailsTo(t, email)).toHaveLength(1)
    const token = await tokenFor(email)
    expect((await invite(owner, email, 'manager')).json().invitations).toMatchObject([{ role: 'manager' }])
    expect(await mailsTo(t, email)).toHaveLength(2)
    expect((await t.request('GET', `/api/invitations/${token}`, stranger)).statusCode).toBe(404)
    expect((await invite(manager, email, 'staff')).statusCode).toBe(403)
    expect((await invite(owner, staff.email, 'manager')).statusCode).toBe(409)
  })

  it('doesn’t count toward its recipient’s limit if it may not be sent', async () => {
    const consumed: string[] = []
    const { consume } = t.ctx.rateLimiter
    t.ctx.rateLimiter.consume = async (allowance, key) => void (allowance === 'mail-email' && consumed.push(key))
    try {
      for (const as of [stranger, otherOwner, staff]) expect((await invite(as, newAddress(), 'staff')).statusCode).toBe(403)
      expect((await invite(manager, newAddress(), 'manager')).statusCode).toBe(403)
      expect(consumed).toEqual([])
      const { invitations } = (await invite(owner, newAddress(), 'staff')).json() as Team
      const resend = (as: TestPerson) => t.request('POST', path(`/invitations/${invitations[0]?.id}/resend`), as)
      expect((await resend(stranger)).statusCode).toBe(403)
      expect(consumed).toHaveLength(1)
      expect((await resend(owner)).statusCode).toBe(200)
      expect(consumed).toHaveLength(2)
    } finally {
      t.ctx.rateLimiter.consume = consume
    }
  })

  it('is canceled once its sender loses the right to invite', async () => {
    const newcomer = await t.signUp()
    await invite(manager, newcomer.email, 'staff')
    const token = await tokenFor(newcomer.email)
    await t.request('PATCH', member(manager), owner, { role: 'staff' })
    expect((await t.request('POST', `/api/invitations/${token}/accept`, newcomer)).statusCode).toBe(409)
    expect((await t.request('GET', path(), owner)).json().invitations).toEqual([])
  })

  it('can’t be sent for a demo business, whose account is shared', async () => {
    await t.db.updateTable('businesses').set({ is_demo: true }).where('id', '=', business.id).execute()
    const email = newAddress()
    expect((await invite(owner, email, 'staff')).statusCode).toBe(403)
    expect((await t.request('POST', path('/transfer'), owner, { userId: manager.user.id })).statusCode).toBe(403)
    expect((await t.request('DELETE', member(manager), owner)).statusCode).toBe(403)
    expect(await mailsTo(t, email)).toEqual([])
  })
})

describe('a business', () => {
  it('is transferred in one step', async () => {
    const team = await t.request('POST', path('/transfer'), owner, { userId: manager.user.id })
    expect(team.json()).toMatchObject({ role: 'manager', members: [{ id: manager.user.id, role: 'owner' }, {}, {}] })
    expect(await rolesNow()).toMatchObject({ [owner.user.id]: 'manager', [manager.user.id]: 'owner', [staff.user.id]: 'staff' })
    expect((await t.request('POST', path('/transfer'), owner, { userId: staff.user.id })).statusCode).toBe(403)
    const [toNew, toOld] = [await latestMailTo(t, manager.email), await latestMailTo(t, owner.email)]
    expect(toNew.subject).toBe('Sungrove: a business was transferred to you')
    expect(toNew.text).toContain('they stay billed to Olive Owner until one of you cancels them')
    expect(toOld.subject).toBe('Sungrove: you transferred a business')
    expect(toOld.text).toContain('is now the owner of “Terrace”')
    expect(toOld.text).toContain('they stay billed to you until one of you cancels them')
    expect(await actions()).toEqual(['team.transferred'])
  })

  it('has one owner after concurrent transfers', async () => {
    const answers = await Promise.all(
      [manager, staff].map((person) => t.request('POST', path('/transfer'), owner, { userId: person.user.id })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403])
    expect(Object.values(await rolesNow()).sort()).toEqual(
      ['manager', 'owner', answers[0]?.statusCode === 200 ? 'staff' : 'manager'].sort(),
    )
  })

  it('can’t have a second owner, by a database constraint', async () => {
    const second = t.db
      .updateTable('business_members')
      .set({ role: 'owner' })
      .where('business_id', '=', business.id)
      .where('user_id', '=', staff.user.id)
      .execute()
    await expect(second).rejects.toThrow('business_members_one_owner')
  })

  it('can be left by anyone but its owner', async () => {
    expect((await t.request('DELETE', member(staff), staff)).statusCode).toBe(204)
    expect((await rolesNow())[staff.user.id]).toBeUndefined()
    const owners = await t.request('DELETE', member(owner), owner)
    expect(owners.json().message).toBe('The owner can’t leave. Transfer the business to a team member first.')
    // Leaving is idempotent, for clients that lost the response.
    for (let i = 0; i < 2; i++) expect((await t.request('DELETE', member(manager), manager)).statusCode).toBe(204)
    expect((await t.request('DELETE', `/api/businesses/none-such/team/members/${manager.user.id}`, manager)).statusCode).toBe(404)
    expect(await actions()).toEqual(['team.left', 'team.left'])
    expect((await t.request('GET', path(), manager)).statusCode).toBe(403)
  })

  it('leaves no open invitation from a person who is removed while sending it', async () => {
    const [removed, invited] = await Promise.all([t.request('DELETE', member(manager), owner), invite(manager, newAddress(), 'staff')])
    expect(removed.statusCode).toBe(204)
    expect([201, 403]).toContain(invited.statusCode)
    // Whichever comes first, none of the former member's invitations may remain open.
    expect((await t.request('GET', path(), owner)).json().invitations).toEqual([])
  })
})
