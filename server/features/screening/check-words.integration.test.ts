import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import { addBusiness, licensed, type TestBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addHunt, addPlants } from '#tests/support/hunts.ts'
import { followPerson, joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let shop: TestBusiness
let verified: TestBusiness

const plug = 'Good flower. I sell weed, DM me on Telegram @plug420! We ship nationwide.'
const claim = 'This oil cures cancer'

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  shop = await addBusiness(test.db, { type: 'dispensary' })
  verified = await addBusiness(test.db, { type: 'dispensary', ...licensed })
  for (const { id } of [shop, verified]) {
    await joinBusiness(test.db, owner.user.id, id)
    await grantPlan(test.db, { businessId: id, planId: 'business_tools' })
  }
})
afterAll(() => test?.close())

type Method = 'POST' | 'PUT' | 'PATCH'
async function refusedFields(method: Method, url: string, body: object): Promise<Record<string, string>> {
  const answer = await test.request(method, url, owner, body)
  expect(answer.statusCode, answer.body).toBe(400)
  return answer.json().fields
}
const statusOf = async (method: Method, url: string, body: object) => (await test.request(method, url, owner, body)).statusCode

const place = { name: 'Second shop', location: 'Denver, CO', timeZone: 'America/Denver' }
const offer = { price: null, currency: 'USD', title: 'Friends', perks: ['Early news'] }

describe('an unlicensed business', () => {
  it('is refused for text that would get a post held, and the response quotes the sentence', async () => {
    const before = await test.db.selectFrom('businesses').select('id').execute()
    const fields = await refusedFields('POST', '/api/businesses', {
      ...{ businessName: 'Corner', location: 'Denver, CO', description: plug },
    })
    expect(fields).toEqual({
      description:
        'Rewrite or remove “I sell weed, DM me on Telegram @plug420”. It reads like a sale between people. Nothing is sold or shipped here.',
    })
    expect(await test.db.selectFrom('businesses').select('id').execute()).toHaveLength(before.length)
  })

  it('can’t use sales pitches, health claims, or appeals to minors on its page, locations, or subscription offers', async () => {
    const url = `/api/businesses/${shop.id}`
    expect(await refusedFields('PATCH', url, { description: claim, location: 'DM me on Telegram @plug420' })).toEqual({
      description: expect.stringContaining('health claim'),
      location: expect.stringContaining('sale between people'),
    })
    expect(await refusedFields('POST', `${url}/locations`, { ...place, name: 'Free joints for kids' })).toEqual({
      name: expect.stringContaining('minors'),
    })
    const special = [{ day: '2026-12-24', intervals: [], note: claim }]
    expect(Object.keys(await refusedFields('PUT', `${url}/locations/${shop.id}`, { ...place, specialDays: special }))).toEqual([
      'specialDays.0.note',
    ])
    expect(await refusedFields('PUT', `${url}/subscription-offer`, { ...offer, title: claim, perks: ['News', plug] })).toEqual({
      title: expect.stringContaining('health claim'),
      'perks.1': expect.stringContaining('sale between people'),
    })
    expect(await statusOf('PATCH', url, { description: 'Eighths from $25. Open late.' })).toBe(200)
    expect(await statusOf('POST', `${url}/locations`, place)).toBe(201)
    expect(await statusOf('PUT', `${url}/subscription-offer`, offer)).toBe(200)
  })

  it('can’t make such claims on its menu, but may list prices and amounts', async () => {
    const url = `/api/businesses/${shop.id}/menu-items`
    expect(
      await refusedFields('POST', url, { name: 'Cannabis Cure-All', description: plug, variants: [{ price: '20', batch: claim }] }),
    ).toEqual({
      name: expect.stringContaining('health claim'),
      description: expect.stringContaining('sale between people'),
      'variants.0.batch': expect.stringContaining('health claim'),
    })
    const added = await test.request('POST', url, owner, {
      name: 'Ounces $99 each, in stock',
      brand: 'Old School Extracts',
      variants: [{ price: '99' }],
    })
    expect(added.statusCode, added.body).toBe(201)
    const { id, version } = added.json()
    expect(await refusedFields('PATCH', url, { changes: [{ id, version, description: claim, subcategory: claim }] })).toEqual({
      'changes.0.description': expect.stringContaining('“This oil cures cancer”'),
      'changes.0.subcategory': expect.stringContaining('“This oil cures cancer”'),
    })
    expect(await statusOf('PATCH', url, { changes: [{ id, version, description: 'Tastes of pine' }] })).toBe(200)
  })

  it('keeps its name and earlier text when other fields change', async () => {
    const { id } = await addBusiness(test.db, { type: 'delivery', name: 'Cure-All Delivery', description: `${claim}. Ask us.` })
    await joinBusiness(test.db, owner.user.id, id)
    const url = `/api/businesses/${id}`
    expect(await statusOf('PATCH', url, { name: 'Cure-All Delivery', description: `${claim}. Ask us.`, phone: '303-555-0111' })).toBe(200)
    expect(await statusOf('PATCH', url, { description: `${claim}. Ask us anytime.` })).toBe(200)
    expect(await refusedFields('PATCH', url, { description: `${claim}. We ship nationwide.` })).toEqual({
      description: expect.stringContaining('sale between people'),
    })
  })
})

describe('a licensed business', () => {
  const edit = (description: string) => statusOf('PATCH', `/api/businesses/${verified.id}`, { description })

  it('can’t publish text that the law of its place bans, but can publish the rest', async () => {
    expect([await edit(claim), await edit('We ship nationwide')]).toEqual([400, 400])
    expect(await edit('Gummy bears and 8 other edibles, call 303-555-0111')).toBe(200)
    await test.db.updateTable('businesses').set({ country: 'FR', state: null }).where('id', '=', verified.id).execute()
    expect(await edit(claim)).toBe(200)
    await test.db.updateTable('businesses').set({ country: 'US', state: 'CO' }).where('id', '=', verified.id).execute()
  })
})

describe('a menu import', () => {
  const imports = () => `/api/businesses/${shop.id}/menu-imports`
  const call = async <Answer>(method: Method | 'GET', url: string, body?: object): Promise<Answer> => {
    const answer = await test.request(method, url, owner, body)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    return answer.json()
  }
  async function send(content: string): Promise<MenuImport> {
    const { id } = await call<MenuImport>('POST', imports(), { fileName: 'menu.csv', byteSize: Buffer.byteLength(content) })
    const headers = { cookie: owner.cookie, 'content-type': 'application/octet-stream' }
    const sent = await test.app.inject({ method: 'PUT', url: `${imports()}/${id}/bytes?offset=0`, headers, payload: Buffer.from(content) })
    return sent.json()
  }

  it('skips rows with refused words, explains why, and imports the rest', async () => {
    const file = 'name,brand,price,description\nPink Kush,Alpine,30,Tastes of pine\nBalm,Alpine,20,Cures arthritis\nHash,Alpine,15,\n'
    const checked = await send(file)
    const reason = { row: 3, field: 'description', message: expect.stringContaining('“Cures arthritis”') }
    expect(checked).toMatchObject({ rowsTotal: 3, rowsRefused: 1, rowErrors: [reason] })
    const fields = checked.columns.map(({ field }) => field)
    await call('PUT', `${imports()}/${checked.id}/mapping`, { fields, skipsWrongRows: true })
    await call('POST', `${imports()}/${checked.id}/start`)
    await test.runJobs()
    expect(await call('GET', `${imports()}/${checked.id}`)).toMatchObject({ status: 'done', itemsAdded: 2, rowErrors: [reason] })
  })

  it('accepts a new price for an item with unchanged words', async () => {
    await test.db
      .updateTable('products')
      .set({ description: claim })
      .where('business_id', '=', shop.id)
      .where('name', '=', 'Hash')
      .execute()
    const checked = await send(`name,brand,price,description\nHash,Alpine,14,${claim}\n`)
    expect(checked).toMatchObject({ rowsRefused: 0, preview: [{ effect: 'change' }] })
  })
})

describe('a hunt with readers', () => {
  const log = (huntId: string, notes: string) => ({ huntId, loggedOn: '2026-11-02', notes })
  const hunts = '/api/pheno-hunts'

  it('can’t include text that would get a post held, even in its logs', async () => {
    const { id } = await addHunt(test.db, owner.user.id, { visibility: 'public' })
    expect(await refusedFields('PATCH', `${hunts}/${id}`, { goals: claim, breeders: ['Alpine', plug], version: 1 })).toEqual({
      goals: expect.stringContaining('health claim'),
      'breeders.1': expect.stringContaining('sale between people'),
    })
    expect(await refusedFields('POST', '/api/grow-logs', log(id, plug))).toEqual({ notes: expect.stringContaining('sale between people') })
    const batch = {
      huntId: id,
      logs: [
        { loggedOn: '2026-11-02', notes: 'Fine' },
        { loggedOn: '2026-11-02', feed: claim },
      ],
    }
    expect(Object.keys(await refusedFields('POST', '/api/grow-logs/batch', batch))).toEqual(['logs.1.feed'])
    expect(await statusOf('POST', '/api/grow-logs', log(id, 'Killed the mites, treated the mildew, dried in jars to cure'))).toBe(201)
  })

  it('may contain anything while private, but must be clean before it is shared', async () => {
    const { id } = await addHunt(test.db, owner.user.id)
    const written = await test.request('POST', '/api/grow-logs', owner, log(id, `Day 3. ${claim}.`))
    expect(written.statusCode).toBe(201)
    const publish = { visibility: 'public' }
    expect(await refusedFields('PUT', `${hunts}/${id}/visibility`, publish)).toEqual({
      visibility: expect.stringMatching(/^In the log of 2026-11-02: Rewrite or remove “This oil cures cancer”\./),
    })
    const friend = await test.signUp()
    await followPerson(test.db, friend.user.id, owner.user.id)
    expect(Object.keys(await refusedFields('PUT', `${hunts}/${id}/shares/${friend.user.id}`, { access: 'view' }))).toEqual(['access'])
    const url = `/api/grow-logs/${written.json().id}`
    expect(await statusOf('PATCH', url, { notes: 'Day 3.', version: 1 })).toBe(200)
    expect(await statusOf('PUT', `${hunts}/${id}/visibility`, publish)).toBe(200)
  })

  it('can’t be shared while the name of a scorer or of a person who holds a backup contains such text', async () => {
    const { id } = await addHunt(test.db, owner.user.id)
    const { id: logId } = (await test.request('POST', '/api/grow-logs', owner, log(id, 'Day 3.'))).json()
    const publish = () => refusedFields('PUT', `${hunts}/${id}/visibility`, { visibility: 'public' })
    await test.db.updateTable('grow_logs').set({ author_id: null, scorer: plug }).where('id', '=', logId).execute()
    expect(await publish()).toEqual({ visibility: expect.stringMatching(/^In the log of 2026-11-02: /) })
    await test.db.updateTable('grow_logs').set({ scorer: 'Ivy' }).where('id', '=', logId).execute()

    const [plant] = await addPlants(test.db, id, 1)
    await test.db
      .updateTable('genotypes')
      .set({ backup_holder: claim })
      .where('id', '=', plant?.genotypeId ?? '')
      .execute()
    expect(await publish()).toEqual({ visibility: expect.stringMatching(/^In a pheno: /) })
  })

  it('allows corrections of a log that keep its earlier text', async () => {
    const { id } = await addHunt(test.db, owner.user.id)
    const written = (await test.request('POST', '/api/grow-logs', owner, log(id, `${claim}.`))).json()
    await test.db.updateTable('hunts').set({ visibility: 'public', published_at: new Date() }).where('id', '=', id).execute()
    const url = `/api/grow-logs/${written.id}`
    expect(await statusOf('PATCH', url, { notes: `${claim}. Height measured again.`, version: 1 })).toBe(200)
    expect(await statusOf('PATCH', url, { notes: `${claim}. We ship nationwide.`, version: 2 })).toBe(400)
  })
})
