import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { archiveTables as csvTables } from '#contracts/choices.ts'
import { type HuntDocument, type HuntProof, hashedText } from '#contracts/hunt-archive.endpoints.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { blockPerson } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { archiveTables } from './archive-tables.ts'

let test: TestApp
let owner: TestPerson
let other: TestPerson
let viewer: TestPerson
let huntId: string
let plants: Awaited<ReturnType<typeof addPlants>>

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  other = await test.signUp()
  viewer = await test.signUp()
  huntId = await fullHunt()
})
afterAll(() => test?.close())

const made = async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object, status = 201) => {
  const answer = await test.request(method, path, owner, body)
  expect(answer.statusCode, `${path} ${answer.body}`).toBe(status)
  return answer.json()
}

async function fullHunt(): Promise<string> {
  const { id } = await addHunt(test.db, owner.user.id, {
    hunt_name: 'Lemon × Haze',
    breeders: ['Self made'],
    seed_count: 3,
    goals: 'Loud & “sour”',
    germination_date: '2026-08-01',
    plant_limit: 12,
  })
  plants = await addPlants(test.db, id, 3)
  await shareHunt(test.db, id, viewer.user.id, 'view')
  const at = (i: number) => plants[i] as (typeof plants)[number]
  const lot = await made('POST', `/api/pheno-hunts/${id}/seed-lots`, {
    mother: 'Lemon',
    motherGenotypeId: null,
    isSelfed: true,
    generation: 'S1',
  })
  await made('PATCH', `/api/genotypes/${at(0).genotypeId}`, { label: '=Sour', sex: 'female', seedLotId: lot.id, version: 1 }, 200)
  const cut = await made('POST', `/api/pheno-hunts/${id}/clones`, {
    cuts: [{ genotypeId: at(0).genotypeId, fromPlantId: at(0).id, count: 2 }],
    cutOn: '2026-09-01',
    rootedOn: '2026-09-12',
  })
  const run = await made('POST', `/api/pheno-hunts/${id}/runs`, {
    name: 'Tent 1',
    startedOn: '2026-09-15',
    checkGenotypeId: at(1).genotypeId,
    benchRows: 2,
    benchColumns: 2,
  })
  await test.db
    .insertInto('placements')
    .values([
      { run_id: run.id, plant_id: at(1).id, bench_row: 1, bench_column: 2 },
      { run_id: run.id, plant_id: cut.plants[0].id, bench_row: null, bench_column: null },
    ])
    .execute()
  const trait = (body: object) => made('POST', `/api/pheno-hunts/${id}/traits`, body)
  const vigor = await trait({
    name: 'Vigor',
    kind: 'number',
    direction: 'target',
    low: 0,
    high: 10,
    target: 7,
    weight: 30,
    heritability: 0.4,
  })
  const scent = await trait({
    name: 'Scent',
    kind: 'checks',
    options: [
      { value: 1, label: 'Citrus' },
      { value: 2, label: 'Fuel' },
    ],
  })
  await trait({ name: 'THC', kind: 'number', source: 'lab', analyte: 'THC', unit: '%', direction: 'max', low: 0, high: 30, weight: 10 })
  const first = newId()
  const see = (observations: object[]) => made('POST', `/api/pheno-hunts/${id}/observations`, { observations })
  await see([
    { id: first, traitId: vigor.id, plantId: at(1).id, observedOn: '2026-10-01', value: { kind: 'number', number: 6.5 }, isBlind: true },
    {
      id: newId(),
      traitId: scent.id,
      plantId: at(0).id,
      observedOn: '2026-10-02',
      value: { kind: 'options', options: [1, 2] },
      note: 'Peel',
    },
  ])
  const second = newId()
  await see([
    {
      id: second,
      traitId: vigor.id,
      plantId: at(1).id,
      observedOn: '2026-10-01',
      value: { kind: 'number', number: 7.25 },
      correctsId: first,
    },
  ])
  await see([{ id: newId(), traitId: vigor.id, plantId: at(1).id, observedOn: '2026-10-03', value: null, correctsId: second }])
  const log = await made('POST', '/api/grow-logs', {
    huntId: id,
    plantId: at(0).id,
    loggedOn: '2026-09-20',
    week: 7,
    heightCm: 41.5,
    notes: 'a, "b"\nc',
  })
  await made('PATCH', `/api/grow-logs/${log.id}`, { heightCm: 42, version: 1 }, 200)
  await made('POST', '/api/grow-logs', { huntId: id, loggedOn: '2026-09-21', airCelsius: 24.3, humidityPercent: 61 })
  await made('POST', `/api/pheno-hunts/${id}/harvests`, {
    harvests: [{ plantId: at(1).id, harvestedOn: '2026-11-01', flowerDays: 58, wetGrams: 220, dryGrams: 51.3 }],
    endsPlants: false,
  })
  await made('POST', `/api/pheno-hunts/${id}/lab-results`, {
    results: [{ plantId: at(1).id, testedOn: '2026-11-10', analyte: 'THC', value: null, quantificationLimit: 0.05 }],
  })
  await made('POST', `/api/pheno-hunts/${id}/decisions`, {
    decisions: [{ id: newId(), genotypeId: at(0).genotypeId }],
    kind: 'cull',
    reason: 'Stretched',
    endPlantIds: [cut.plants[1].id],
  })
  await test.db
    .insertInto('hunt_tasks')
    .values({ id: newId(), hunt_id: id, genotype_id: at(2).genotypeId, title: 'Sex it', due_on: '2026-11-30', every_days: 7 })
    .execute()
  const [panelId, jarId, cardId] = [newId(), newId(), newId()]
  const insert = (table: 'blind_panels', rows: object) =>
    test.db
      .insertInto(table)
      .values(rows as never)
      .execute()
  const panel = { hunt_id: id, name: 'Friends', is_open: false, closed_at: new Date('2026-11-12T20:00:00Z') }
  await insert('blind_panels', [
    { id: panelId, ...panel },
    { id: newId(), hunt_id: id, name: 'Still open' },
  ])
  await test.db.insertInto('panel_traits').values({ panel_id: panelId, trait_id: vigor.id, position: 0 }).execute()
  await test.db
    .insertInto('panel_jars')
    .values({ id: jarId, panel_id: panelId, plant_id: at(1).id, jar_name: 'KXW', last_card: 2 })
    .execute()
  await test.db
    .insertInto('panel_cards')
    .values([
      { id: cardId, jar_id: jarId, card_number: 1, answered_at: new Date('2026-11-12T19:00:00Z'), taster: 'Ivy', comment: 'Sweet' },
      { id: newId(), jar_id: jarId, card_number: 2 },
    ])
    .execute()
  await test.db.insertInto('panel_scores').values({ card_id: cardId, trait_id: vigor.id, value_number: 8 }).execute()
  const sensorId = newId()
  const importId = newId()
  await test.db.insertInto('climate_targets').values({ hunt_id: id, stage: 'flower', measure: 'vpdKpa', low: 1.2, high: 1.6 }).execute()
  await test.db.insertInto('climate_sensors').values({ id: sensorId, hunt_id: id, name: 'Canopy' }).execute()
  await test.db
    .insertInto('climate_imports')
    .values({ id: importId, hunt_id: id, sensor_id: sensorId, file_name: 'a.csv', time_zone: 'America/Denver', readings_count: 1 })
    .execute()
  await test.db
    .insertInto('climate_readings')
    .values({
      sensor_id: sensorId,
      import_id: importId,
      read_at: new Date('2026-10-01T06:00:00Z'),
      air_celsius: 24.7,
      humidity_percent: 55.5,
      vpd_kpa: 1.13,
    })
    .execute()
  return id
}

async function exported(id: string, as = owner): Promise<HuntDocument> {
  const answer = await test.request('GET', `/api/pheno-hunts/${id}/export.json`, as)
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.headers['content-disposition']).toContain('attachment')
  return answer.json() as HuntDocument
}
const sent = (document: object, as: TestPerson | null = other) => test.request('POST', '/api/hunt-imports', as, document)
const contentOf = (document: HuntDocument) => JSON.parse(hashedText(document))

it('recreates an exported hunt, even for another person', async () => {
  const document = await exported(huntId)
  for (const { list } of archiveTables) expect(document[list], list).not.toHaveLength(0)
  // Open panels and testers' identities are not exported.
  expect(JSON.stringify(document)).not.toMatch(/Still open|Ivy/)
  const answer = await sent(document)
  expect(answer.statusCode, answer.body).toBe(201)
  const hunt = answer.json() as Hunt
  expect(hunt).toMatchObject({ visibility: 'private', access: 'own', owner: { id: other.user.id }, huntName: 'Lemon × Haze' })
  const again = await exported(hunt.id, other)
  expect(contentOf(again)).toEqual(contentOf(document))
  expect(hashedText(again)).toBe(hashedText(document))
  // Deleting the import must not change the original.
  await test.db.deleteFrom('hunts').where('id', '=', hunt.id).execute()
  expect(contentOf(await exported(huntId))).toEqual(contentOf(document))
})

it('distinguishes scorers, and names them only on request', async () => {
  await shareHunt(test.db, huntId, other.user.id, 'write')
  const traits = (await test.request('GET', `/api/pheno-hunts/${huntId}/traits`, owner)).json() as { id: string; name: string }[]
  const observed = {
    traitId: traits.find(({ name }) => name === 'Vigor')?.id,
    plantId: plants[2]?.id,
    observedOn: '2026-10-20',
    value: { kind: 'number', number: 3 },
  }
  for (const as of [owner, other]) {
    const body = { observations: [{ ...observed, id: newId() }] }
    expect((await test.request('POST', `/api/pheno-hunts/${huntId}/observations`, as, body)).statusCode).toBe(201)
  }
  const scorersOf = async (id: string) => {
    const { rows } = await sql<{ observer: string | null }>`
      select coalesce(observed_by::text, scorer) as observer from observations
      where hunt_id = ${id}::uuid and observed_on = '2026-10-20' order by created_at, id`.execute(test.db)
    return rows.map(({ observer }) => observer)
  }
  expect(await scorersOf(huntId)).toEqual([owner.user.id, other.user.id])

  const plain = await exported(huntId)
  const names = [owner, other].map(({ user }) => `${user.firstName} ${user.lastName}`)
  for (const name of [...names, 'Ivy']) expect(JSON.stringify(plain)).not.toContain(name)
  await test.db.updateTable('users').set({ display_name: 'GreenThumb' }).where('id', '=', other.user.id).execute()
  const shown = [names[0], 'GreenThumb']
  const unnamed = (await sent(plain)).json() as Hunt
  const numbered = await scorersOf(unnamed.id)
  expect(new Set(numbered).size).toBe(2)
  for (const name of numbered) expect(name).toMatch(/^Scorer [12]$/)
  const tasters = await sql<{ taster: string }>`
    select taster from panel_cards join panel_jars on panel_jars.id = jar_id join blind_panels on blind_panels.id = panel_id
    where hunt_id = ${unnamed.id}::uuid and taster <> ''`.execute(test.db)
  expect(tasters.rows).toEqual([{ taster: 'Taster 1' }])
  expect(hashedText(await exported(unnamed.id, other))).toBe(hashedText(plain))

  const answer = await test.request('GET', `/api/pheno-hunts/${huntId}/export.json?names=true`, owner)
  const named = answer.json() as HuntDocument
  expect(named.scorers?.map(({ name }) => name)).toEqual(shown)
  expect(named.tasters).toEqual([{ number: 1, name: 'Ivy' }])
  expect(hashedText(named)).toBe(hashedText(plain))
  const copy = (await sent(named)).json() as Hunt
  expect(await scorersOf(copy.id)).toEqual(shown)
  const records = (await test.request('GET', `/api/pheno-hunts/${copy.id}/trait-records`, other)).json() as {
    traits: { traitId: string; measured: { values: { on: string; by?: number }[] }[] }[]
  }
  const by = records.traits.flatMap(({ measured }) => measured.flatMap(({ values }) => values.filter(({ on }) => on === '2026-10-20')))
  expect(new Set(by.map((value) => value.by)).size).toBe(2)
  const again = await test.request('GET', `/api/pheno-hunts/${copy.id}/export.json?names=true`, other)
  expect((again.json() as HuntDocument).scorers).toEqual(named.scorers)
  // A hand-written file may give two scorers the same name.
  const alike = { ...named, scorers: named.scorers?.map(({ number }) => ({ number, name: 'Sam' })) }
  expect(new Set(await scorersOf(((await sent(alike)).json() as Hunt).id)).size).toBe(2)
  // Viewers of a public hunt don't see the names of imported scorers.
  const [{ id: scored } = { id: '' }] = await test.db
    .selectFrom('observations')
    .select('id')
    .where('hunt_id', '=', copy.id)
    .where('scorer', '=', 'GreenThumb')
    .execute()
  const scorerFor = async (as: TestPerson) => (await test.request('GET', `/api/observations/${scored}`, as)).json().observation.scorer
  expect(await scorerFor(other)).toBe('GreenThumb')
  await test.db.updateTable('hunts').set({ visibility: 'public', published_at: new Date() }).where('id', '=', copy.id).execute()
  expect(await scorerFor(owner)).toBeNull()

  await blockPerson(test.db, owner.user.id, other.user.id)
  const withBlock = await test.request('GET', `/api/pheno-hunts/${huntId}/export.json?names=true`, owner)
  expect((withBlock.json() as HuntDocument).scorers?.map(({ name }) => name)).toEqual([names[0]])
  await test.db.deleteFrom('person_blocks').execute()
  await test.db.updateTable('users').set({ display_name: null }).where('id', '=', other.user.id).execute()
  await test.db.deleteFrom('observations').where('observed_on', '=', '2026-10-20').execute()
  await test.db.deleteFrom('hunt_shares').where('user_id', '=', other.user.id).execute()
})

it('exports every column of every table or excludes it explicitly', async () => {
  for (const { table, columns, leftOut, hasId, belongsBy } of archiveTables) {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns where table_schema = 'public' and table_name = ${table}`.execute(test.db)
    const known = [...Object.keys(columns), ...leftOut, ...(hasId ? ['id'] : []), ...(belongsBy === 'hunt_id' ? ['hunt_id'] : [])]
    expect(known.toSorted(), table).toEqual(rows.map(({ name }) => name).toSorted())
  }
})

it('rejects a contradictory document entirely and names the contradiction', async () => {
  const document = await exported(huntId)
  const hunts = async () =>
    Number(
      (
        await test.db
          .selectFrom('hunts')
          .select((eb) => eb.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )
  const before = await hunts()
  const wrong: [string, (document: HuntDocument) => void][] = [
    ['observations.0.trait', (it) => Object.assign(it.observations[0] ?? {}, { trait: 99 })],
    ['plants.1', (it) => it.plants.splice(1, 1, it.plants[0] as (typeof it.plants)[number])],
    ['genotypes.1', (it) => Object.assign(it.genotypes[1] ?? {}, { number: it.genotypes[0]?.number })],
    ['hunt.nextNumber', (it) => Object.assign(it.hunt, { nextNumber: 1 })],
    ['traits.0.high', (it) => Object.assign(it.traits[0] ?? {}, { low: 10 })],
    ['harvests.0.wetGrams', (it) => Object.assign(it.harvests[0] ?? {}, { wetGrams: -1 })],
    ['growLogVersions.0.version', (it) => Object.assign(it.growLogVersions[0] ?? {}, { version: 9 })],
    ['format', (it) => Object.assign(it, { format: 'else' })],
    ['version', (it) => Object.assign(it, { version: 2 })],
  ]
  for (const [field, spoil] of wrong) {
    const spoiled = structuredClone(document)
    spoil(spoiled)
    const answer = await sent(spoiled)
    expect(answer.statusCode, field).toBe(400)
    expect(Object.keys(answer.json().fields), field).toContain(field)
  }
  expect(await hunts()).toBe(before)
})

it('lets people with write access export a hunt, and lets members import one', async () => {
  const paths = ['export.json', ...csvTables.map((table) => `export/${table}.csv`)]
  for (const path of paths) {
    const status = async (as: TestPerson | null) => (await test.request('GET', `/api/pheno-hunts/${huntId}/${path}`, as)).statusCode
    expect([path, await status(owner), await status(viewer), await status(other), await status(null)]).toEqual([path, 200, 403, 404, 401])
  }
  expect((await test.request('GET', `/api/pheno-hunts/${huntId}/export/users.csv`, owner)).statusCode).toBe(404)
  expect((await sent({}, null)).statusCode).toBe(401)
  const large = JSON.stringify({ format: 'x'.repeat(2 * 1024 * 1024) })
  const refused = await test.app.inject({
    method: 'POST',
    url: '/api/hunt-imports',
    headers: { 'content-type': 'application/json' },
    payload: large,
  })
  expect(refused.statusCode).toBe(401)
})

it('exports tables with no cells that spreadsheets would treat as formulas', async () => {
  const table = async (name: string) => {
    const { body } = await test.request('GET', `/api/pheno-hunts/${huntId}/export/${name}.csv`, owner)
    return parse(body, { columns: true, bom: true }) as Record<string, string>[]
  }
  expect((await table('plants')).map((row) => [row.Plant, row.Label, row['Cut from'], row.Cause])).toEqual([
    ['#1', "'=Sour", '', ''],
    ['#1-1', "'=Sour", '#1', ''],
    ['#1-2', "'=Sour", '#1', 'culled'],
    ['#2', '', '', ''],
    ['#3', '', '', ''],
  ])
  expect((await table('scores')).map((row) => [row.Plant, row.Trait, row.Value, row.Current])).toEqual(
    expect.arrayContaining([
      ['#2', 'Vigor', '6.5', 'no'],
      ['#2', 'Vigor', 'withdrawn', 'no'],
      ['#1', 'Scent', 'Citrus; Fuel', 'yes'],
    ]),
  )
  expect((await table('grow-logs'))[0]).toMatchObject({ Plant: '#1', 'Height (cm)': '42', Notes: 'a, "b"\nc' })
})

it('proves a hunt’s state on a given day to anyone who has the document, once per version', async () => {
  const prove = async (as = owner) => test.request('POST', `/api/pheno-hunts/${huntId}/proofs`, as, {})
  const first = (await prove()).json() as HuntProof
  expect((await prove()).json()).toEqual(first)
  const document = await exported(huntId)
  expect(first.contentHash).toBe(createHash('sha256').update(hashedText(document)).digest('hex'))
  const found = await test.request('GET', `/api/hunt-proofs/${first.contentHash}`, null)
  expect(found.json()).toEqual({
    contentHash: first.contentHash,
    madeAt: first.madeAt,
    auditSequence: first.auditSequence,
    auditHash: first.auditHash,
  })
  expect(found.body).not.toContain(huntId)
  expect((await test.request('GET', `/api/hunt-proofs/${'0'.repeat(64)}`, null)).statusCode).toBe(404)
  await made('PATCH', `/api/genotypes/${plants[2]?.genotypeId}`, { label: 'New', version: 1 }, 200)
  const second = (await prove()).json() as HuntProof
  expect(second.contentHash).not.toBe(first.contentHash)
  expect((await prove(viewer)).statusCode).toBe(403)
  expect((await prove(other)).statusCode).toBe(404)
  expect((await test.request('GET', `/api/pheno-hunts/${huntId}/proofs`, owner)).json()).toEqual([second, first])
  expect(await findAuditBreak(test.db)).toBeNull()
})
