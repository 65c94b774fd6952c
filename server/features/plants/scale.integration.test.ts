import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addHunt } from '#tests/support/hunts.ts'
import { plansOf } from '#tests/support/plans.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { genotypeEvents, plantEvents } from './list-history.ts'
import { genotypesAfter, plantsOfGenotypes } from './read-plants.ts'

/** Enough that the planner prefers the index over a full scan, whatever its sampled statistics say. */
const plants = 4_000
/** All of them belong to the first thousand plants. */
const events = 40_000

let test: TestApp
let owner: TestPerson
let huntId: string
let genotypeId: string
let plantId: string

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  huntId = (await addHunt(test.db, owner.user.id)).id
  await fill(plants, events)
  const { id } = await test.db
    .selectFrom('genotypes')
    .select('id')
    .where('hunt_id', '=', huntId)
    .where('number', '=', 7)
    .executeTakeFirstOrThrow()
  genotypeId = id
  const plant = await test.db.selectFrom('plants').select('id').where('genotype_id', '=', id).executeTakeFirstOrThrow()
  plantId = plant.id
})
afterAll(() => test?.close())

async function fill(plantCount: number, eventCount: number): Promise<void> {
  const numbers = sql`generate_series(1, ${plantCount}::integer) as n`
  await sql`insert into genotypes (id, hunt_id, number) select gen_random_uuid(), ${huntId}::uuid, n from ${numbers}`.execute(test.db)
  await sql`
    insert into plants (id, hunt_id, genotype_id, kind, copy, code)
    select gen_random_uuid(), hunt_id, id, 'seed', 0, lpad(number::text, 8, '0') from genotypes where hunt_id = ${huntId}::uuid`.execute(
    test.db,
  )
  await sql`
    insert into grow_logs (id, hunt_id, plant_id, logged_on, stage)
    select gen_random_uuid(), hunt_id, id, date '2026-09-01' + n, 'flower' from plants, generate_series(1, 5) as n
    where hunt_id = ${huntId}::uuid and code <= '00001000'`.execute(test.db)
  await sql`
    insert into hunt_events (id, hunt_id, genotype_id, plant_id, kind, happened_on)
    select gen_random_uuid(), hunt_id, genotype_id, id, 'plant.changed', date '2026-01-01' + (n % 300)
    from plants, generate_series(1, ${Math.ceil(eventCount / 1_000)}::integer) as n
    where hunt_id = ${huntId}::uuid and code <= '00001000'`.execute(test.db)
  for (const table of ['genotypes', 'plants', 'grow_logs', 'hunt_events']) await sql`analyze ${sql.table(table)}`.execute(test.db)
}

it('reads only the rows of one page of history, whatever the hunt’s size', async () => {
  const after = { happenedOn: '2026-08-01', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
  const plans = await plansOf(test.db, (db) => genotypeEvents(db, genotypeId, { after, limit: 21 }))
  expect(plans).toContain('hunt_events_of_genotype')
  expect(plans).not.toMatch(/Seq Scan on hunt_events/)
  const ofPlant = await plansOf(test.db, (db) => plantEvents(db, plantId, { after, limit: 21 }))
  expect(ofPlant).toContain('hunt_events_of_plant')
  expect(ofPlant).not.toMatch(/Seq Scan on hunt_events/)
  const response = await test.request('GET', `/api/genotypes/${genotypeId}/history?limit=20`, owner)
  expect(response.json()).toHaveLength(20)
})

it('reads only the plants and last logs for a page of genotypes', async () => {
  const ids = (await genotypesAfter(test.db, huntId, 0, 20)).map(({ id }) => id)
  const plans = [
    await plansOf(test.db, (db) => genotypesAfter(db, huntId, 0, 20)),
    await plansOf(test.db, (db) => plantsOfGenotypes(db, ids)),
  ].join('\n')
  expect(plans).toContain('grow_logs_of_plant')
  expect(plans).not.toMatch(/Seq Scan on (plants|grow_logs)/)
})

it('returns 200 genotypes in one response within three seconds', async () => {
  const url = `/api/pheno-hunts/${huntId}/genotypes?limit=200`
  await test.request('GET', url, owner)
  const began = performance.now()
  const response = await test.request('GET', url, owner)
  expect(response.json()).toHaveLength(200)
  // Ten times the target, because other tests may keep the machine busy.
  expect(performance.now() - began).toBeLessThan(3_000)
})
