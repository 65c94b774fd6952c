import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { joinBusiness } from './support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

const location = { name: 'Other', location: 'Denver, CO', timeZone: 'America/Denver' }

const everyone = ['owner', 'staff', 'owner of another'] as const
type Who = (typeof everyone)[number]

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
  for (const who of everyone) people.set(who, await test.signUp())
  ours = await made('owner', 'POST', '/api/businesses', { businessName: 'Our Yard', location: 'Denver, CO' })
  theirs = await made('owner of another', 'POST', '/api/businesses', { businessName: 'Their Yard', location: 'Denver, CO' })
  await joinBusiness(test.db, as('staff').user.id, ours.id, 'staff')
})
afterAll(() => test?.close())

/** tests/roles.integration.test.ts makes every call about one business. Here, the owner of another business uses that business's IDs. */
it('gives a rival no access to a business’s data through the path of the rival’s business', async () => {
  const rival = as('owner of another')
  const item = await made<{ id: string; version: number }>('owner', 'POST', `/api/businesses/${ours.id}/menu-items`, {
    name: 'Ours',
    variants: [{ price: '2' }],
  })
  const place = await made<{ id: string }>('owner', 'POST', `/api/businesses/${ours.id}/locations`, { ...location, name: 'Our second' })
  const list = await made<{ id: string }>('owner', 'POST', `/api/businesses/${ours.id}/menu-imports`, { fileName: 'm.csv', byteSize: 10 })
  const team = await made<{ invitations: { id: string }[] }>('owner', 'POST', `/api/businesses/${ours.id}/team/invitations`, {
    email: 'invited@example.com',
    role: 'staff',
  })
  const { key } = await made<{ key: { id: string } }>('owner', 'POST', `/api/businesses/${ours.id}/keys`, {
    name: 'Ours',
    scopes: ['menu:write'],
    password: as('owner').password,
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
    ['DELETE', url(`/keys/${key.id}`)],
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
    keys: await made('owner', 'GET', `/api/businesses/${ours.id}/keys`),
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
  // Other businesses' data looks missing, and removing missing data succeeds.
  expect(answers.filter((answer) => / 2\d\d$/.test(answer))).toEqual([
    'POST /api/businesses/…/menu-items/removals 204',
    'DELETE /api/businesses/…/locations/… 204',
    'DELETE /api/businesses/…/team/members/… 204',
  ])
  expect(await state()).toEqual(before)
})
