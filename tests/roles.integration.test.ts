import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { endpoints } from '#contracts/index.ts'
import { huntMatrix, type Row } from './support/hunt-matrix.ts'
import { roleMatrix } from './support/role-matrix.ts'
import { roleRequest } from './support/role-requests.ts'
import { type Except, type Outcome, ownerRoles, type Role, type RuleName, refusals, roles, rules } from './support/role-rules.ts'
import { addRoleWorld, type RoleWorld } from './support/role-world.ts'
import { giveRole } from './support/roles.ts'
import { blockPerson, followPerson } from './support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'
import { createUndoableDatabase, type UndoableDatabase } from './support/undoable-database.ts'

/** Makes every call as each role. Writes are undone, so every call sees the same data. A call without a row fails a test. */

let database: UndoableDatabase
let t: TestApp
const people = new Map<Role, TestPerson>()
const worlds = new Map<Role, RoleWorld>()

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const ofHunts: Record<Row['needs'], RuleName> = {
  nothing: 'members',
  secret: 'everyone',
  view: 'growersHidden',
  write: 'growersHidden',
  own: 'huntOwnerHidden',
}
const rows: [name: string, rule: RuleName, except: Except][] = [
  ...Object.entries(roleMatrix).flatMap(([rule, calls]) =>
    Object.entries(calls).map(([name, except]): [string, RuleName, Except] => [name, rule as RuleName, except]),
  ),
  ...Object.entries(huntMatrix).map(([name, { needs, except = '' }]): [string, RuleName, Except] => [name, ofHunts[needs], except]),
]
const rowOf = new Map(rows.map(([name, rule, except]) => [name, { rule, except }]))

const person = (role: Role) => people.get(role) as TestPerson
const world = (role: Role) => worlds.get(role) as RoleWorld

beforeAll(async () => {
  database = await createUndoableDatabase()
  t = await startTestApp({ database })
  for (const role of roles) if (role !== 'visitor') people.set(role, await t.signUp())
  const id = (role: Role) => person(role).user.id
  const [other, requester, outsider] = [(await t.signUp()).user.id, (await t.signUp()).user.id, (await t.signUp()).user.id]
  const cast = {
    ...{ manager: id('manager'), staff: id('staff'), communityModerator: id('communityModerator'), grower: id('grower') },
    ...{ other, requester, outsider, invited: { id: id('member'), email: person('member').email } },
  }
  const common = await addRoleWorld(t, person('owner'), cast)
  for (const role of roles) worlds.set(role, common)
  for (const role of ownerRoles) worlds.set(role, await addRoleWorld(t, person(role), cast, role === 'demo'))

  const blocked = { business_id: common.business, person_id: id('blocked'), blocked_by: id('owner') }
  await blockPerson(t.db, id('owner'), id('blocked'))
  await t.db.insertInto('business_person_blocks').values(blocked).execute()
  await followPerson(t.db, outsider, id('communityModerator'))
  await giveRole(t, person('moderator'), 'moderator')
  await giveRole(t, person('admin'), 'admin')
  const change = (role: Role, set: object) => t.db.updateTable('users').set(set).where('id', '=', id(role)).execute()
  const later = new Date(t.clock.now().getTime() + 86_400_000)
  await change('ageless', { birthday: null, has_completed_onboarding: false })
  await change('muted', { muted_until: later })
  await change('suspended', { suspended_until: later })
  await change('demo', { is_demo: true })
}, 60_000)
afterAll(() => t?.close())

async function send(endpoint: Endpoint, role: Role, of: RoleWorld): Promise<LightMyRequestResponse> {
  const { headers, ...request } = roleRequest(endpoint, of, t.clock.now())
  const cookie = role === 'visitor' ? {} : { cookie: person(role).cookie }
  const call = () => t.app.inject({ ...request, headers: { ...headers, ...cookie } })
  return endpoint.method === 'GET' ? call() : database.undone(call)
}

function outcomeOf(answer: LightMyRequestResponse): Outcome {
  expect(answer.statusCode, answer.body).toBeLessThan(500)
  if (answer.statusCode < 400) return 'ok'
  const { code, message } = answer.json() as { code: Outcome; message: string }
  if (message.startsWith('Demo accounts only work with demo content')) return 'demo'
  return refusals.includes(code as (typeof refusals)[number]) ? code : 'ok'
}

function expected(role: Role, { rule, except }: { rule: RuleName; except: Except }): Outcome {
  const outcome = rules[rule][role]
  return (role === 'muted' || role === 'demo') && except.includes(role) ? role : outcome
}

it('has exactly one row in the role matrix for each call', () => {
  const names = endpoints.map(nameOf)
  const howTo = 'Add it to tests/support/role-matrix.ts, or to hunt-matrix.ts if it is about growing, under the rule of who may make it.'
  expect(names.filter((name) => !rowOf.has(name)).map((name) => `${name} has no row. ${howTo}`)).toEqual([])
  expect(rows.map(([name]) => name).filter((name) => !names.includes(name))).toEqual([])
  expect(rows.length, 'A call has two rows.').toBe(rowOf.size)
})

describe.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  it('responds to each role according to its row', async () => {
    const row = rowOf.get(name)
    if (!row) throw new Error(`${name} has no row.`)
    const answers: [Role, Outcome][] = []
    for (const role of roles) answers.push([role, outcomeOf(await send(endpoint, role, world(role)))])
    expect(Object.fromEntries(answers), row.rule).toEqual(Object.fromEntries(roles.map((role) => [role, expected(role, row)])))
  })
})

it('lets demo accounts undo their actions on real content, but change nothing else there', async () => {
  const settings = [
    'PUT /api/user/age-confirmation',
    'PATCH /api/user/preferences',
    'PATCH /api/message-settings',
    'PATCH /api/ai/progress',
  ]
  const itsOwn = [
    ...settings,
    'POST /api/ai/onboarding',
    'POST /api/ai/questions',
    'POST /api/billing/checkouts',
    'POST /api/businesses',
    'POST /api/media',
    'POST /api/notifications/mark-all-read',
    'PATCH /api/notification-preferences',
    'PUT /api/notification-preferences/device-time-zone',
  ]
  const takesBack = [
    'DELETE /api/businesses/:id/follow',
    'DELETE /api/businesses/:id/mute',
    'DELETE /api/businesses/:id/rating',
    'DELETE /api/communities/:id/membership',
    'DELETE /api/community-posts/:id/vote',
    'DELETE /api/events/:id/rsvp',
    'DELETE /api/favorites/:businessId',
    'DELETE /api/people/:id/follow',
    'DELETE /api/people/:id/mute',
    'DELETE /api/posts/:id/hidden',
    'DELETE /api/posts/:id/like',
    'DELETE /api/posts/:id/save',
    'DELETE /api/ratings/:id/helpful',
    'DELETE /api/subscriptions/:businessId',
  ]
  const answered: string[] = []
  for (const endpoint of endpoints.filter(({ method, access }) => method !== 'GET' && access !== 'public')) {
    if (outcomeOf(await send(endpoint, 'demo', world('owner'))) === 'ok') answered.push(nameOf(endpoint))
  }
  expect(answered.sort()).toEqual([...itsOwn, ...takesBack].sort())
})
