import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Draft } from '#contracts/drafts.ts'
import type { Post } from '#contracts/posts.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { addMember } from '#tests/support/keepers.ts'
import { asKey, makeKey } from '#tests/support/keys.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let shop: TestBusiness
let owner: TestPerson
let secret: string
let keyId: string

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  shop = await addBusiness(test.db)
  owner = await addMember(test, shop, 'owner')
  const { key, secret: made } = await makeKey(test, shop.id, owner, { scopes: ['posts:write'] })
  secret = made
  keyId = key.id
})

let count = 0
/** Different each time, because repeated text is held. */
const words = () => `${['Basil', 'Clover', 'Fennel', 'Juniper', 'Laurel', 'Myrtle', 'Sorrel', 'Thyme'][count++ % 8]} week ${count} begins`

const send = (payload: object, headers: Record<string, string> = {}, with_ = secret, on = test) =>
  asKey(on, with_, { method: 'POST', url: '/api/integrations/posts', payload: { title: words(), content: words(), ...payload }, headers })
const postsOf = (id = shop.id) =>
  test.db.selectFrom('posts').select(['id', 'author_id', 'title', 'moderation', 'tags']).where('business_id', '=', id).execute()

it('publishes a post of the key’s business, written by the key’s creator, and records it', async () => {
  const answer = await send({ title: 'Open late', tags: ['hours'], businessId: (await addBusiness(test.db)).id })
  expect(answer.statusCode, answer.body).toBe(201)
  const { id } = answer.json()
  expect(answer.json()).toEqual({ id, status: 'published', heldFor: [], url: `${test.ctx.config.publicUrl}/post/${id}` })
  expect(await postsOf()).toEqual([{ id, author_id: owner.user.id, title: 'Open late', moderation: null, tags: ['hours'] }])
  const shown = (await test.request('GET', `/api/businesses/${shop.slug}/posts`, null)).json() as Post[]
  expect(shown).toMatchObject([{ id, author: null, business: { slug: shop.slug } }])
  const entry = await test.db.selectFrom('audit_log').selectAll().where('subject_id', '=', id).executeTakeFirstOrThrow()
  expect(entry).toMatchObject({ action: 'post.sent', actor_id: owner.user.id, business_id: shop.id })
  expect(entry.details).toEqual({ key: keyId, status: 'published' })
})

it('saves a draft that the team publishes', async () => {
  const { id, ...rest } = (await send({ status: 'draft', title: 'Harvest day', imageUrl: 'https://pictures.example/a.jpg' })).json()
  expect(rest).toMatchObject({ status: 'draft', url: expect.stringContaining(`business=${shop.slug}`) })
  expect(await postsOf()).toEqual([])
  const drafts = (await test.request('GET', `/api/drafts?business=${shop.slug}`, await addMember(test, shop, 'staff'))).json() as Draft[]
  expect(drafts).toMatchObject([{ id, title: 'Harvest day', imageUrl: 'https://pictures.example/a.jpg', status: 'draft' }])
  expect((await test.request('POST', `/api/drafts/${id}/publish`, owner)).statusCode).toBe(200)
  expect(await postsOf()).toMatchObject([{ id, title: 'Harvest day' }])
})

it('posts once per Idempotency-Key, even if the calls are simultaneous', async () => {
  const body = { title: 'Once', content: words() }
  const again = { 'idempotency-key': 'news-1' }
  const answers = await Promise.all([1, 2, 3, 4].map(() => send(body, again)))
  expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
  expect(await postsOf()).toHaveLength(1)
  expect((await send({ ...body, title: 'Twice' }, again)).json().code).toBe('idempotency_mismatch')
  const other = await makeKey(test, shop.id, owner, { name: 'Other', scopes: ['posts:write'] })
  expect((await send({ title: 'Other' }, again, other.secret)).statusCode).toBe(201)
  expect(await postsOf()).toHaveLength(2)
})

it('screens the text as it screens a person’s post', async () => {
  const held = await send({ content: 'It cures cancer' })
  expect(held.json()).toMatchObject({ status: 'held', heldFor: [expect.stringContaining('health claim')] })
  expect(await postsOf()).toMatchObject([{ moderation: 'held' }])
  const promotion = await send({ postType: 'promotion', content: 'Ten percent off this week' })
  expect([promotion.statusCode, promotion.json().message]).toEqual([403, expect.stringContaining('license')])
  const missing = await send({ title: '', postType: 'grow_update' })
  expect([missing.statusCode, Object.keys(missing.json().fields)]).toEqual([400, ['title', 'postType']])
})

it('refuses a key without the scope, or whose creator may no longer post', async () => {
  const { secret: reader } = await makeKey(test, shop.id, owner, { name: 'Reader', scopes: ['menu:read', 'menu:write', 'insights:read'] })
  expect((await send({}, {}, reader)).json().message).toContain('posts:write')
  const set = (values: { muted_until?: Date | null; suspended_until?: Date | null }) =>
    test.db.updateTable('users').set(values).where('id', '=', owner.user.id).execute()
  const later = new Date(test.clock.now().getTime() + 86_400_000)
  await set({ muted_until: later })
  for (const status of ['published', 'draft']) expect((await send({ status })).json().code).toBe('muted')
  await set({ muted_until: null, suspended_until: later })
  expect((await send({})).statusCode).toBe(401)
  await set({ suspended_until: null })
  expect((await send({})).statusCode).toBe(201)
  await test.request('DELETE', `/api/businesses/${shop.id}/keys/${keyId}`, owner)
  expect((await send({})).statusCode).toBe(401)
  expect(await postsOf()).toHaveLength(1)
})

it('counts a key’s posts together with its creator’s', async () => {
  // With limits this low, a new account can publish six times an hour, and its profile counts as one of them.
  const limited = await startTestApp({ env: { RATE_LIMIT_SCALE: '0.2' } })
  try {
    const own = await addBusiness(limited.db)
    const person = await addMember(limited, own, 'owner')
    const keys = [await makeKey(limited, own.id, person), await makeKey(limited, own.id, person, { name: 'Other' })]
    for (let i = 0; i < 4; i++)
      expect((await limited.request('POST', '/api/posts', person, { title: words(), content: words() })).statusCode).toBe(201)
    const answers = [await send({}, {}, keys[0]?.secret, limited), await send({}, {}, keys[1]?.secret, limited)]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 429])
    expect(Number(answers[1]?.headers['retry-after'])).toBeGreaterThan(0)
  } finally {
    await limited.close()
  }
})
