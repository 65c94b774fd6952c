import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '#contracts/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from './support/businesses.ts'
import { grantPlan } from './support/entitlements.ts'
import { addHuntWorld, type HuntWorld } from './support/hunt-world.ts'
import { followPerson, joinBusiness } from './support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/**
 * A muted person makes every call with text that others may read (`mixed`). A call missing here fails a test; `published` calls
 * are refused before any handler runs.
 */

let test: TestApp
let muted: TestPerson
let friend: TestPerson
let shared: HuntWorld
let alone: HuntWorld
let shop: { id: string; slug: string }
let item: { id: string; version: number }
let main: object
const place = { name: 'Second yard', location: 'Denver, CO', timeZone: 'America/Denver' }

beforeAll(async () => {
  test = await startTestApp()
  muted = await test.signUp()
  friend = await test.signUp()
  await followPerson(test.db, friend.user.id, muted.user.id)
  const people = { owner: muted.user.id, viewer: friend.user.id, writer: (await test.signUp()).user.id }
  shared = await addHuntWorld(test.db, 'plain words', people)
  alone = await addHuntWorld(test.db, 'plain words', people)
  await test.db.deleteFrom('hunt_shares').where('hunt_id', '=', alone.hunt).execute()
  shop = await addBusiness(test.db, { type: 'dispensary', name: 'Open Door', description: 'Flower and hash' })
  await joinBusiness(test.db, muted.user.id, shop.id)
  const added = await test.request('POST', `/api/businesses/${shop.id}/menu-items`, muted, {
    name: 'Blue Dream',
    variants: [{ price: '30' }],
  })
  item = added.json()
  const [first] = (await test.request('GET', `/api/businesses/${shop.id}/locations`, muted)).json()
  main = { name: first.name, location: first.location, address: first.address ?? '', timeZone: first.timeZone }
  await mute(true)
})
afterAll(() => test?.close())

const mute = (isOn: boolean) =>
  test.db
    .updateTable('users')
    .set({ muted_until: isOn ? new Date(test.clock.now().getTime() + 86_400_000) : null })
    .where('id', '=', muted.user.id)
    .execute()

const day = '2026-11-02'
const note = 'Leaves pray in the morning'

/** Bodies that add text to a hunt, by call. */
const inHunt: Record<string, (of: HuntWorld) => object | undefined> = {
  'PATCH /api/pheno-hunts/:id': () => ({ goals: note, version: 1 }),
  'PUT /api/pheno-hunts/:id/visibility': () => ({ visibility: 'public' }),
  'PUT /api/pheno-hunts/:id/shares/:personId': () => ({ access: 'view' }),
  'POST /api/pheno-hunts/:id/decisions': ({ ids }) => ({
    decisions: [{ id: newId(), genotypeId: ids.genotypes }],
    kind: 'keep',
    reason: note,
  }),
  'POST /api/grow-logs': ({ hunt, ids }) => ({ huntId: hunt, plantId: ids.plants, loggedOn: day, notes: note }),
  'POST /api/grow-logs/batch': ({ hunt }) => ({
    huntId: hunt,
    logs: [
      { loggedOn: day, heightCm: 3 },
      { loggedOn: day, training: note },
    ],
  }),
  'POST /api/grow-logs/:id/restore': () => undefined,
  'PUT /api/awaited-photos/:id': () => ({ mediaId: newId() }),
  'PATCH /api/grow-logs/:id': () => ({ notes: note, version: 2 }),
  'POST /api/pheno-hunts/:id/tasks': () => ({ title: note, dueOn: day }),
  'PATCH /api/grow-tasks/:id': () => ({ title: note, version: 1 }),
  'POST /api/pheno-hunts/:id/traits': () => ({ name: note, kind: 'number' }),
  'PATCH /api/traits/:id': () => ({ name: note, version: 1 }),
  'POST /api/pheno-hunts/:id/observations': ({ ids }) => ({
    observations: [
      { id: newId(), traitId: ids.traits, plantId: ids.plants, observedOn: day, value: { kind: 'options', options: [0] }, note },
    ],
  }),
  'POST /api/pheno-hunts/:id/harvests': ({ ids }) => ({
    harvests: [{ plantId: ids.plants, harvestedOn: day, dryGrams: 60, notes: note }],
    endsPlants: false,
  }),
  'PATCH /api/harvests/:id': () => ({ notes: note, version: 1 }),
  'POST /api/pheno-hunts/:id/lab-results': ({ ids }) => ({
    results: [{ plantId: ids.plants, testedOn: day, analyte: 'THC', value: 20, lab: note }],
  }),
  'PATCH /api/lab-results/:id': () => ({ lab: note, version: 1 }),
  'PUT /api/genotypes/:id/backup-holder': () => ({ backupHolder: note }),
  'PATCH /api/genotypes/:id': () => ({ notes: note, version: 1 }),
  'PATCH /api/plants/:id': () => ({ notes: note, version: 1 }),
  'POST /api/pheno-hunts/:id/runs': () => ({ name: note }),
  'PATCH /api/runs/:id': () => ({ room: note, version: 1 }),
  'POST /api/pheno-hunts/:id/seed-lots': () => ({ source: note }),
  'PATCH /api/seed-lots/:id': () => ({ source: note, version: 1 }),
  'POST /api/pheno-hunts/:id/blind-panels': ({ ids }) => ({
    name: note,
    traitIds: [ids.traits],
    jars: [{ plantId: ids.plants }, { plantId: ids.plants }],
  }),
  'PATCH /api/blind-panels/:id': () => ({ name: note, version: 1 }),
  'POST /api/pheno-hunts/:id/climate/imports': () => ({ sensorName: note, fileName: 'tent.csv', timeZone: 'UTC' }),
  'POST /api/pheno-hunts/:id/sensor-keys': () => ({ sensorName: note }),
}

/** All other calls, each with its URL, a body with public text and possibly one without. */
const elsewhere: Record<string, () => { url: string; words: object; others?: object }> = {
  'PATCH /api/businesses/:id': () => ({ url: `/api/businesses/${shop.id}`, words: { description: note }, others: { imageUrl: '' } }),
  'POST /api/businesses/:id/locations': () => ({ url: `/api/businesses/${shop.id}/locations`, words: place }),
  'PUT /api/businesses/:id/locations/:locationId': () => ({
    url: `/api/businesses/${shop.id}/locations/${shop.id}`,
    words: { ...place, specialDays: [{ day: '2026-12-24', intervals: [], note }] },
    others: { ...main, hours: Array.from({ length: 7 }, () => [{ opens: 540, closes: 1080 }]) },
  }),
  'POST /api/businesses/:id/menu-items': () => ({
    url: `/api/businesses/${shop.id}/menu-items`,
    words: { name: note, variants: [{ price: '5' }] },
  }),
  'PATCH /api/businesses/:id/menu-items': () => ({
    url: `/api/businesses/${shop.id}/menu-items`,
    words: { changes: [{ id: item.id, version: item.version, description: note }] },
    others: { changes: [{ id: item.id, version: item.version, name: 'Blue Dream', variants: [{ price: '25', isAvailable: false }] }] },
  }),
  'PUT /api/businesses/:id/subscription-offer': () => ({
    url: `/api/businesses/${shop.id}/subscription-offer`,
    words: { price: null, currency: 'USD', title: 'Subscriber', perks: [note] },
    others: { price: null, currency: 'USD', title: 'Subscriber', perks: [] },
  }),
  'PUT /api/businesses/:id/gallery': () => ({
    url: `/api/businesses/${shop.id}/gallery`,
    words: { items: [{ mediaId: upload, alt: '' }], version: galleryVersion },
    others: { items: [], version: galleryVersion },
  }),
  'PATCH /api/businesses/:id/social-links': () => ({
    url: `/api/businesses/${shop.id}/social-links`,
    words: { instagram: 'opendoor' },
    others: { instagram: '' },
  }),
  'POST /api/communities/:id/join': () => ({ url: `/api/communities/${community}/join`, words: { message: note } }),
  'PATCH /api/media/:id': () => ({ url: `/api/media/${upload}`, words: { alt: note }, others: { alt: '' } }),
}

let community: string
let galleryVersion: string
let upload: string
beforeAll(async () => {
  const made = await test.request('POST', '/api/communities', friend, {
    ...{ name: 'Quiet growers', description: 'Soil', category: 'growing', visibility: 'invite_only', rules: [] },
  })
  community = made.json().id
  upload = newId()
  const picture = { owner_id: muted.user.id, kind: 'image' as const, status: 'ready' as const, byte_size: 10, received_bytes: 10 }
  await test.db
    .insertInto('media')
    .values({ id: upload, ...picture, width: 640, height: 480, widths: [480, 640, 640] })
    .execute()
  await grantPlan(test.db, { businessId: shop.id, planId: 'verified' })
  galleryVersion = (await test.request('GET', `/api/businesses/${shop.id}/page-extras/managed`, muted)).json().galleryVersion
})

/** Calls that accept API keys are tested with a muted creator in sync-menu.integration.test.ts. */
const mixed = endpoints.filter(({ words, access }) => words === 'mixed' && access !== 'key')
const nameOf = ({ method, path }: (typeof endpoints)[number]) => `${method} ${path}`

it('lists exactly the calls that may publish text', () => {
  expect([...Object.keys(inHunt), ...Object.keys(elsewhere)].sort()).toEqual(mixed.map(nameOf).sort())
})

const urlIn = (path: string, of: HuntWorld) =>
  path
    .replace(':personId', friend.user.id)
    .replace(':id', path.startsWith('/api/pheno-hunts/') ? of.hunt : (of.ids[path.split('/')[2] as string] as string))

/** Soft-deletes the hunt's log at this time; null restores it. */
const takeOut = (of: HuntWorld, deleted_at: Date | null) =>
  test.db
    .updateTable('grow_logs')
    .set({ notes: 'A note of old', deleted_at })
    .where('id', '=', of.ids['grow-logs'] as string)
    .execute()

describe.each(mixed.filter((each) => nameOf(each) in inHunt))('$method $path', (endpoint) => {
  const { method, path } = endpoint
  const isOpening = /visibility|shares/.test(path)
  const send = async (of: HuntWorld) => {
    if (path.endsWith('/restore')) await takeOut(of, test.clock.now())
    if (path.startsWith('/api/awaited-photos/')) await test.db.updateTable('awaited_photos').set({ note: 'A note from before' }).execute()
    const answer = await test.request(method, urlIn(path, of), muted, inHunt[nameOf(endpoint)]?.(of))
    await takeOut(of, null)
    return answer
  }

  it('refuses muted people if others can read the hunt or could after the call', async () => {
    const answer = await send(isOpening ? alone : shared)
    expect([answer.statusCode, answer.json().code], answer.body).toEqual([403, 'muted'])
  })

  // A call that opens a hunt to others can't leave it private.
  if (!isOpening) {
    it('accepts muted people in their own private hunt', async () => {
      const answer = await send(alone)
      expect(answer.body).not.toContain('muted')
      expect(answer.statusCode, answer.body).not.toBe(403)
    })
  }
})

describe.each(Object.entries(elsewhere))('%s', (name, about) => {
  const method = name.split(' ')[0] as 'POST' | 'PUT' | 'PATCH'

  it('refuses muted people’s public text', async () => {
    const { url, words } = about()
    const answer = await test.request(method, url, muted, words)
    expect([answer.statusCode, answer.json().code], answer.body).toEqual([403, 'muted'])
  })

  it('accepts muted people’s calls without public text', async () => {
    const { url, others } = about()
    if (!others) return
    const answer = await test.request(method, url, muted, others)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
  })
})

it('lets a muted grower enter figures in a shared hunt and make a public one private', async () => {
  const log = { huntId: shared.hunt, plantId: shared.ids.plants, loggedOn: day, heightCm: 44 }
  expect((await test.request('POST', '/api/grow-logs', muted, log)).statusCode).toBe(201)
  await test.db.updateTable('hunts').set({ visibility: 'public', published_at: test.clock.now() }).where('id', '=', shared.hunt).execute()
  const hidden = await test.request('PUT', `/api/pheno-hunts/${shared.hunt}/visibility`, muted, { visibility: 'private' })
  expect(hidden.json()).toMatchObject({ visibility: 'private' })
})

it('stops a muted owner from creating a business or starting an import', async () => {
  for (const [url, body] of [
    ['/api/businesses', { businessName: 'Another', location: 'Denver, CO' }],
    [`/api/businesses/${shop.id}/menu-imports/${newId()}/start`, {}],
  ] as const) {
    expect((await test.request('POST', url, muted, body)).json().code).toBe('muted')
  }
})
