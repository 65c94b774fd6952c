import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '#contracts/index.ts'
import type { BusinessKey } from '#contracts/keys.ts'
import { workingKey, workingKeyNames } from '#server/features/keys/keys.queries.ts'
import { newId } from '#server/kernel/ids.ts'
import { addEvent } from '#tests/support/business-events.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addHunt } from '#tests/support/hunts.ts'
import { addMember } from '#tests/support/keepers.ts'
import { asKey, makeKey } from '#tests/support/keys.ts'
import { addPost } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { demoRules } from './demo-account.ts'
import { demoConsumer, demoOwner, demoPassword } from './demo-people.ts'
import { loadDemo } from './load-demo.ts'

let test: TestApp
let wren: TestPerson
let marlow: TestPerson
let real: TestPerson
let demoShop: string
let realShop: string

beforeAll(async () => {
  test = await startTestApp()
  await loadDemo(test.ctx)
  ;[wren, marlow] = [await signIn(demoConsumer), await signIn(demoOwner)]
  real = await test.signUp()
  realShop = (await addBusiness(test.db)).id
  const { id } = await test.db.selectFrom('businesses').select('id').where('is_demo', '=', true).limit(1).executeTakeFirstOrThrow()
  demoShop = id
})
afterAll(() => test?.close())

async function signIn(email: string): Promise<TestPerson> {
  const answer = await test.request('POST', '/api/login', null, { email, password: demoPassword })
  expect(answer.statusCode, answer.body).toBe(200)
  const session = answer.cookies.find(({ name }) => name === test.sessionCookieName)
  const person = { cookie: `${session?.name}=${encodeURIComponent(session?.value ?? '')}`, email, password: demoPassword }
  return { ...person, user: (await test.request('GET', '/api/auth/user', person as TestPerson)).json() }
}

const writes = endpoints.filter(({ method, access }) => method !== 'GET' && access !== 'public')
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const urlOf = (path: string) => path.replaceAll(/:\w+/g, newId())
const send = (name: string, as: TestPerson, body: object = {}) => {
  const [method, path = ''] = name.split(' ')
  return test.request(method as 'POST', urlOf(path), as, method === 'DELETE' ? undefined : body)
}
const refusal = 'Demo accounts only work with demo content. Create your own account to do this.'

describe('a demo account', () => {
  it('is refused every write that its rules don’t list, and the rules list only existing calls', async () => {
    const names = writes.map(nameOf)
    expect(Object.keys(demoRules).filter((name) => !names.includes(name))).toEqual([])
    for (const endpoint of writes.filter((each) => !(nameOf(each) in demoRules))) {
      const answer = await send(nameOf(endpoint), marlow)
      // Endpoints for API keys don't accept sessions.
      expect([nameOf(endpoint), answer.statusCode]).toEqual([nameOf(endpoint), endpoint.access === 'key' ? 401 : 403])
    }
  })

  it('is refused every call about missing or real data', async () => {
    for (const name of Object.keys(demoRules).filter((each) => demoRules[each] !== 'own')) {
      const answer = await send(name, marlow)
      // A missing or malformed body may be rejected before its subject is checked.
      expect([name, [400, 403, 404, 415].includes(answer.statusCode)]).toEqual([name, true])
    }
  })

  it('acts on businesses, posts, and people of the demo, never on real ones', async () => {
    const realPost = await addPost(test.db, { author_id: real.user.id })
    const demoPost = await addPost(test.db, { author_id: marlow.user.id })
    const rating = { rating: 1, review: 'Never was there' }
    const calls: [string, string, object | undefined, string, string][] = [
      ['PUT', '/api/businesses/ID/rating', rating, realShop, demoShop],
      ['PUT', '/api/businesses/ID/follow', undefined, realShop, demoShop],
      ['PUT', '/api/people/ID/follow', undefined, real.user.id, marlow.user.id],
      ['PUT', '/api/posts/ID/like', undefined, realPost, demoPost],
      ['POST', '/api/posts/ID/comments', { content: 'Lovely terraces' }, realPost, demoPost],
      ['PUT', '/api/events/ID/rsvp', undefined, await addEvent(test.db, realShop), await addEvent(test.db, demoShop)],
    ]
    for (const [method, url, body, realId, demoId] of calls) {
      const at = (id: string) => test.request(method as 'PUT', url.replace('ID', id), wren, body)
      const refused = await at(realId)
      expect([url, refused.statusCode, refused.json().message]).toEqual([url, 403, refusal])
      const allowed = await at(demoId)
      expect([url, allowed.statusCode < 300, allowed.body]).toEqual([url, true, allowed.body])
    }
    for (const url of ['/api/favorites', '/api/subscriptions']) {
      expect((await test.request('POST', url, wren, { businessId: realShop })).statusCode).toBe(403)
      expect((await test.request('POST', url, wren, { businessId: demoShop })).statusCode).toBeLessThan(300)
    }
    const { averageRating, totalRatings } = (await test.request('GET', `/api/businesses/${realShop}`)).json()
    expect({ averageRating, totalRatings }).toEqual({ averageRating: 0, totalRatings: 0 })
  })

  it('writes only to demo people and businesses, even in an existing conversation', async () => {
    const open = (as: TestPerson, id: string) => test.request('POST', '/api/conversations', as, { to: { kind: 'person', id }, as: null })
    expect((await open(wren, real.user.id)).json().message).toBe(refusal)
    const begun = await open(real, wren.user.id)
    expect(begun.statusCode, begun.body).toBe(200)
    const message = { id: newId(), content: 'Hello', mediaIds: [] }
    const answer = await test.request('POST', `/api/conversations/${begun.json().id}/messages`, wren, message)
    expect(answer.json().message).toBe(refusal)
    expect((await open(wren, marlow.user.id)).statusCode).toBe(200)
  })

  it('can’t change its public password or export data', async () => {
    const change = { currentPassword: demoPassword, password: 'nine quiet boats upstream' }
    expect((await test.request('POST', '/api/sign-in/password', wren, change)).statusCode).toBe(403)
    expect((await test.request('POST', '/api/second-factor/begin', wren, { password: demoPassword })).statusCode).toBe(403)
    expect((await test.request('POST', '/api/user/exports', wren, {})).statusCode).toBe(403)
    const mails: string[] = []
    const { send: sendMail } = test.ctx.mail
    test.ctx.mail.send = async ({ to }) => void mails.push(to)
    await test.request('POST', '/api/auth/password-reset-requests', null, { email: demoConsumer })
    await test.request('POST', '/api/auth/password-reset-requests', null, { email: real.email })
    await test.runJobs()
    test.ctx.mail.send = sendMail
    expect(mails).toContain(real.email)
    expect(mails).not.toContain(demoConsumer)
    await signIn(demoConsumer)
  })

  it('can still write posts and edit a menu within the demo', async () => {
    const posted = await test.request('POST', '/api/posts', wren, { title: 'A day out', content: 'Sunshine.', businessId: null })
    expect(posted.statusCode, posted.body).toBe(201)
    const menu = await test.db
      .selectFrom('business_members')
      .select('business_id')
      .where('user_id', '=', marlow.user.id)
      .executeTakeFirstOrThrow()
    const item = await test.request('POST', `/api/businesses/${menu.business_id}/menu-items`, marlow, {
      name: 'Sample',
      variants: [{ price: '12' }],
    })
    expect([201, 409], item.body).toContain(item.statusCode)
  })
})

describe('a PUBLIC_URL outside this machine', () => {
  let away: TestApp
  beforeAll(async () => {
    away = await startTestApp({ env: { PUBLIC_URL: 'https://grove.example' } })
  })
  afterAll(() => away?.close())

  const becomeDemo = (person: TestPerson) => away.db.updateTable('users').set({ is_demo: true }).where('id', '=', person.user.id).execute()

  it('keeps demo accounts from signing in and ends their sessions', async () => {
    await loadDemo(away.ctx)
    expect(away.ctx.config.isOnThisMachine).toBe(false)
    const refused = await away.request('POST', '/api/login', null, { email: demoConsumer, password: demoPassword })
    expect(refused.json().code).toBe('wrong_credentials')
    const person = await away.signUp()
    expect((await away.request('GET', '/api/auth/user', person)).statusCode).toBe(200)
    await becomeDemo(person)
    expect((await away.request('GET', '/api/auth/user', person)).statusCode).toBe(401)
  })

  it('stops the keys of demo accounts and shows that they stopped', async () => {
    const shop = await addBusiness(away.db)
    const [owner, manager] = [await addMember(away, shop, 'owner'), await addMember(away, shop, 'manager')]
    const { key, secret } = await makeKey(away, shop.id, manager)
    const hunt = await addHunt(away.db, manager.user.id)
    const room = await away.request('POST', `/api/pheno-hunts/${hunt.id}/sensor-keys`, manager, { sensorName: 'Tent A' })
    const states = async () => {
      const reading = { method: 'POST', url: '/api/sensor-readings', payload: { temperature: 25, humidity: 58 } } as const
      return {
        answers: [
          (await asKey(away, secret, { url: '/api/integrations/menu/status' })).statusCode,
          (await asKey(away, room.json().secret, reading)).statusCode,
        ],
        shown: (await away.request('GET', `/api/businesses/${shop.id}/keys`, owner)).json().map(({ state }: BusinessKey) => state),
        duringACall: (await workingKey(away.db, away.ctx, key.id))?.id ?? null,
        inEmails: await workingKeyNames(away.db, away.ctx, manager.user.id),
      }
    }
    expect(await states()).toEqual({ answers: [200, 200], shown: ['working'], duringACall: key.id, inEmails: [key.name] })
    await becomeDemo(manager)
    expect(await states()).toEqual({ answers: [401, 401], shown: ['stopped'], duringACall: null, inEmails: [] })
  })
})
