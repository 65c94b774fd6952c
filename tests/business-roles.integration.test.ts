import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../contracts/endpoint.ts'
import { endpoints } from '../contracts/index.ts'
import { roleMay } from '../server/features/team/index.ts'
import { newId } from '../server/kernel/ids.ts'
import { joinBusiness } from './support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/**
 * Every call about one business × everybody who might make it. What the roles may is said in team/roles.ts and nowhere else; a call
 * that is new and not on one of these lists fails a test.
 */

type Permission = Parameters<typeof roleMay>[1]
type Row = { permission: Permission; body?: object }

const nobody = newId()
const offer = { price: null, currency: 'USD', title: 'Subscriber', perks: [] }
const location = { name: 'Other', location: 'Denver, CO', timeZone: 'America/Denver' }

const rows: Record<string, Row> = {
  'GET /api/businesses/:id/plan': { permission: 'menu' },
  'GET /api/businesses/:id/subscription-report': { permission: 'insights' },
  'PUT /api/businesses/:id/subscription-offer': { permission: 'billing', body: offer },
  'GET /api/businesses/:id/payment-accounts': { permission: 'billing' },
  'PUT /api/businesses/:id/payment-accounts/paypal': {
    permission: 'billing',
    body: { clientId: 'a-client-id-of-nobody', clientSecret: 'a-secret-of-nobody' },
  },
  'PUT /api/businesses/:id/payment-accounts/invoice': { permission: 'billing', body: { instructions: 'To me' } },
  'DELETE /api/businesses/:id/payment-accounts/:provider': { permission: 'billing' },
  'GET /api/businesses/:id/invoice-checkouts': { permission: 'billing' },
  'POST /api/businesses/:id/invoice-payments': {
    permission: 'billing',
    body: { checkoutId: nobody, amount: '5', currency: 'USD', reference: 'none' },
  },
  'PATCH /api/businesses/:id': { permission: 'profile', body: { description: 'Changed' } },
  'POST /api/businesses/:id/events': {
    permission: 'posts',
    body: { title: 'Row', startsLocal: '2027-06-01T10:00', endsLocal: '2027-06-01T12:00', timeZone: 'Nowhere', city: 'Denver, CO' },
  },
  'GET /api/businesses/:id/best-times': { permission: 'posts' },
  'GET /api/businesses/:id/insights': { permission: 'insights' },
  'GET /api/businesses/:id/next-steps': { permission: 'insights' },
  'GET /api/businesses/:id/location-room': { permission: 'profile' },
  'POST /api/businesses/:id/locations': { permission: 'profile', body: location },
  'PUT /api/businesses/:id/locations/:locationId': { permission: 'profile', body: location },
  'DELETE /api/businesses/:id/locations/:locationId': { permission: 'profile' },
  'GET /api/businesses/:id/menu-imports': { permission: 'menu' },
  'POST /api/businesses/:id/menu-imports': { permission: 'menu', body: { fileName: 'menu.csv', byteSize: 10 } },
  'PUT /api/businesses/:id/menu-imports/:importId/bytes': { permission: 'menu' },
  'GET /api/businesses/:id/menu-imports/:importId': { permission: 'menu' },
  'PUT /api/businesses/:id/menu-imports/:importId/mapping': { permission: 'menu', body: { fields: [] } },
  'POST /api/businesses/:id/menu-imports/:importId/start': { permission: 'menu' },
  'POST /api/businesses/:id/menu-imports/:importId/undo': { permission: 'menu', body: {} },
  'GET /api/businesses/:id/menu-items': { permission: 'menu' },
  'POST /api/businesses/:id/menu-items': { permission: 'menu', body: { name: 'Row', price: '1' } },
  'PATCH /api/businesses/:id/menu-items': { permission: 'menu', body: { changes: [{ id: nobody, version: 1, name: 'Changed' }] } },
  'POST /api/businesses/:id/menu-items/removals': { permission: 'menu', body: { ids: [nobody] } },
  'POST /api/businesses/:id/menu-confirmations': { permission: 'menu', body: {} },
  'GET /api/businesses/:id/menu-settings': { permission: 'menu' },
  'PUT /api/businesses/:id/menu-settings': { permission: 'menu', body: { currency: 'USD', taxRate: null, pricesIncludeTax: true } },
  'GET /api/businesses/:id/menu-sharing': { permission: 'menu' },
  'PUT /api/businesses/:id/menu-sharing': { permission: 'menu', body: { isEmbedOn: true } },
  'PUT /api/businesses/:id/menu-feed': { permission: 'menu' },
  'POST /api/businesses/:id/menu-feed/rotations': { permission: 'menu' },
  'DELETE /api/businesses/:id/menu-feed': { permission: 'menu' },
  'GET /api/businesses/:id/team': { permission: 'colleagues' },
  'POST /api/businesses/:id/team/invitations': { permission: 'staff', body: { email: 'somebody@example.com', role: 'staff' } },
  'POST /api/businesses/:id/team/invitations/:invitationId/resend': { permission: 'staff' },
  'DELETE /api/businesses/:id/team/invitations/:invitationId': { permission: 'staff' },
  'PATCH /api/businesses/:id/team/members/:userId': { permission: 'team', body: { role: 'staff' } },
  'DELETE /api/businesses/:id/team/members/:userId': { permission: 'staff' },
  'POST /api/businesses/:id/team/transfer': { permission: 'team', body: { userId: nobody } },
  'GET /api/businesses/:id/blocked-people': { permission: 'blocks' },
  'PUT /api/businesses/:id/blocked-people/:personId': { permission: 'blocks' },
  'DELETE /api/businesses/:id/blocked-people/:personId': { permission: 'blocks' },
  'GET /api/businesses/:id/verification': { permission: 'license' },
  'POST /api/businesses/:id/verification': {
    permission: 'license',
    body: { licenseNumber: '1', state: 'CO', licenseName: 'A', businessType: 'farm' },
  },
}

/** What anybody may ask or do, each for themselves. */
const forAnybody = [
  'GET /api/businesses/:id',
  'GET /api/businesses/:id/status',
  'GET /api/businesses/:id/claim',
  'GET /api/businesses/:id/subscription-offer',
  'POST /api/businesses/:id/visits',
  'GET /api/businesses/:id/locations',
  'GET /api/businesses/:id/products',
  'GET /api/businesses/:id/menu',
  'PUT /api/businesses/:id/follow',
  'DELETE /api/businesses/:id/follow',
  'PUT /api/businesses/:id/block',
  'DELETE /api/businesses/:id/block',
  'GET /api/businesses/:id/posts',
  'GET /api/businesses/:id/events',
  'GET /api/businesses/:id/ratings',
  'GET /api/businesses/:id/ratings/summary',
  'PUT /api/businesses/:id/rating',
  'DELETE /api/businesses/:id/rating',
]

const roles = ['owner', 'manager', 'staff'] as const
const outsiders = ['owner of another', 'manager of another', 'stranger'] as const
type Who = (typeof roles)[number] | (typeof outsiders)[number]

let test: TestApp
const people = new Map<Who, TestPerson>()
let ours: { id: string; slug: string }
let theirs: { id: string; slug: string }

const as = (who: Who) => people.get(who) as TestPerson
async function made<Answer>(who: Who, method: 'POST' | 'GET' | 'PUT', url: string, body?: object): Promise<Answer> {
  const answer = await test.request(method, url, as(who), body)
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
  return (answer.body ? answer.json() : undefined) as Answer
}

beforeAll(async () => {
  test = await startTestApp()
  for (const who of [...roles, ...outsiders]) people.set(who, await test.signUp())
  ours = await made('owner', 'POST', '/api/businesses', { businessName: 'Our Yard', location: 'Denver, CO' })
  theirs = await made('owner of another', 'POST', '/api/businesses', { businessName: 'Their Yard', location: 'Denver, CO' })
  await joinBusiness(test.db, as('staff').user.id, ours.id, 'staff')
  const managers = [
    { user_id: as('manager').user.id, business_id: ours.id, role: 'manager' as const },
    { user_id: as('manager of another').user.id, business_id: theirs.id, role: 'manager' as const },
  ]
  await test.db.insertInto('business_members').values(managers).execute()
})
afterAll(() => test?.close())

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`

async function call(name: string, business: string, who: TestPerson | null, body?: object): Promise<number> {
  const [method, path] = name.split(' ') as [Endpoint['method'], string]
  const url = path.replace(':id', business).replace(':provider', 'paypal').replace(/:\w+/, nobody)
  if (!url.endsWith('/bytes')) return (await test.request(method, url, who, body)).statusCode
  const headers = { 'content-type': 'application/octet-stream', ...(who && { cookie: who.cookie }) }
  return (await test.app.inject({ method: 'PUT', url: `${url}?offset=0`, headers, payload: Buffer.from('name') })).statusCode
}

it('names every call about one business', () => {
  const all = endpoints.map(nameOf).filter((name) => / \/api\/businesses\/:id\b/.test(name))
  expect([...Object.keys(rows), ...forAnybody].sort()).toEqual(all.sort())
})

describe.each(Object.entries(rows))('%s', (name, { permission, body }) => {
  it('is for those alone who may', async () => {
    const answers = new Map<string, number>()
    // Those first who may not: whoever may changes something.
    for (const who of [...outsiders, 'staff', 'manager', 'owner'] as const) answers.set(who, await call(name, ours.id, as(who), body))
    answers.set('visitor', await call(name, ours.slug, null, body))
    const kinds = [...answers].map(([who, status]) => [who, status === 401 || status === 403 ? status : 'answered'])
    const may = (role: (typeof roles)[number]) => (roleMay(role, permission) ? 'answered' : 403)
    expect(Object.fromEntries(kinds)).toEqual({
      ...Object.fromEntries(outsiders.map((who) => [who, 403])),
      ...Object.fromEntries(roles.map((role) => [role, may(role)])),
      visitor: 401,
    })
  })
})

describe('by the way of their own business', () => {
  it('nobody reaches what is another’s', async () => {
    const rival = as('owner of another')
    const item = await made<{ id: string; version: number }>('owner', 'POST', `/api/businesses/${ours.id}/menu-items`, {
      name: 'Ours',
      price: '2',
    })
    const place = await made<{ id: string }>('owner', 'POST', `/api/businesses/${ours.id}/locations`, { ...location, name: 'Our second' })
    const list = await made<{ id: string }>('owner', 'POST', `/api/businesses/${ours.id}/menu-imports`, { fileName: 'm.csv', byteSize: 10 })
    const team = await made<{ invitations: { id: string }[] }>('owner', 'POST', `/api/businesses/${ours.id}/team/invitations`, {
      email: 'invited@example.com',
      role: 'staff',
    })
    const draft = await made<{ id: string; version: number }>('owner', 'POST', '/api/drafts', { title: 'Ours', businessId: ours.id })
    const invitation = team.invitations.at(-1)?.id as string
    const url = (path: string) => `/api/businesses/${theirs.id}${path}`
    const attempts: [Endpoint['method'], string, object?][] = [
      ['PATCH', url('/menu-items'), { changes: [{ id: item.id, version: item.version, name: 'Stolen' }] }],
      ['POST', url('/menu-items/removals'), { ids: [item.id] }],
      ['PUT', url(`/locations/${place.id}`), { ...location, name: 'Stolen' }],
      ['DELETE', url(`/locations/${place.id}`)],
      ['GET', url(`/menu-imports/${list.id}`)],
      ['PUT', url(`/menu-imports/${list.id}/mapping`), { fields: [] }],
      ['POST', url(`/menu-imports/${list.id}/start`)],
      ['POST', url(`/menu-imports/${list.id}/undo`), {}],
      ['POST', url(`/team/invitations/${invitation}/resend`)],
      ['DELETE', url(`/team/invitations/${invitation}`)],
      ['PATCH', url(`/team/members/${as('staff').user.id}`), { role: 'manager' }],
      ['DELETE', url(`/team/members/${as('staff').user.id}`)],
      ['POST', url('/team/transfer'), { userId: as('staff').user.id }],
      ['GET', `/api/drafts?business=${ours.id}`],
      ['PATCH', `/api/drafts/${draft.id}`, { title: 'Stolen', version: draft.version }],
      ['DELETE', `/api/drafts/${draft.id}`],
      ['GET', `/api/billing/agreements?business=${ours.id}`],
    ]
    const state = async () => ({
      items: (await made<{ name: string }[]>('owner', 'GET', `/api/businesses/${ours.id}/menu-items`)).map(({ name }) => name).sort(),
      places: (await made<{ name: string }[]>('owner', 'GET', `/api/businesses/${ours.id}/locations`)).map(({ name }) => name).sort(),
      list: await made('owner', 'GET', `/api/businesses/${ours.id}/menu-imports/${list.id}`),
      team: await made('owner', 'GET', `/api/businesses/${ours.id}/team`),
      drafts: await made('owner', 'GET', `/api/drafts?business=${ours.id}`),
    })
    const before = await state()
    const answers: string[] = []
    for (const [method, address, body] of attempts) {
      const { statusCode, body: text } = await test.request(method, address, rival, body)
      answers.push(`${method} ${address.replace(/[0-9a-f-]{36}/g, '…')} ${statusCode}`)
      expect(text, `${method} ${address}`).not.toMatch(/Ours|Our second|invited@example/)
    }
    // What is not theirs is not there; to remove what is not there is no error.
    expect(answers.filter((answer) => / 2\d\d$/.test(answer))).toEqual([
      'POST /api/businesses/…/menu-items/removals 204',
      'DELETE /api/businesses/…/locations/… 204',
      'DELETE /api/businesses/…/team/members/… 204',
    ])
    expect(await state()).toEqual(before)
  })
})
