import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Lineage, SeedLot } from '#contracts/seed-lots.endpoints.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let friend: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  friend = await test.signUp()
})
afterAll(() => test?.close())

const lineage = async (genotypeId: string, as = owner) => {
  const answer = await test.request('GET', `/api/genotypes/${genotypeId}/lineage`, as)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as Lineage
}
const names = ({ phenos }: Lineage) => phenos.map(({ huntName, number }) => `${huntName} #${number}`)

async function cross(huntId: string, lot: object): Promise<string> {
  const answer = await test.request('POST', `/api/pheno-hunts/${huntId}/seed-lots`, owner, lot)
  expect(answer.statusCode, answer.body).toBe(201)
  return (answer.json() as SeedLot).id
}

async function generation(name: string, parents: object, count = 2) {
  const { id } = await addHunt(test.db, owner.user.id, { hunt_name: name })
  const lotId = await cross(id, parents)
  const genotypes = (await addPlants(test.db, id, count)).map(({ genotypeId }) => genotypeId)
  await test.db.updateTable('genotypes').set({ seed_lot_id: lotId }).where('hunt_id', '=', id).execute()
  return { id, lotId, at: (i: number) => genotypes[i] as string }
}

const keep = (genotypeId: string) => test.db.updateTable('genotypes').set({ standing: 'keep' }).where('id', '=', genotypeId).execute()

it('reads ancestors and kept descendants over generations and hunts', async () => {
  const first = await generation('First', { mother: 'Haze', father: 'Skunk' })
  const second = await generation('Second', { motherGenotypeId: first.at(0), fatherGenotypeId: first.at(1), generation: 'F2' }, 3)
  const third = await generation('Third', { motherGenotypeId: second.at(0), isSelfed: true, generation: 'S1' }, 5)
  await keep(third.at(1))
  await test.db.updateTable('plants').set({ is_mother: true }).where('genotype_id', '=', third.at(4)).execute()
  const middle = await lineage(second.at(0))
  expect(names(middle)).toEqual(['Second #1', 'First #1', 'First #2', 'Third #2', 'Third #5'])
  expect(middle.phenos.map(({ standing, isMother }) => [standing, isMother]).slice(3)).toEqual([
    ['keep', false],
    [null, true],
  ])
  expect(middle.lots).toMatchObject([
    { id: first.lotId, mother: 'Haze', father: 'Skunk', motherId: null, phenoCount: 2 },
    { id: second.lotId, motherId: first.at(0), fatherId: first.at(1), generation: 'F2', phenoCount: 3 },
    { id: third.lotId, motherId: second.at(0), isSelfed: true, phenoCount: 5 },
  ])
  expect(middle.isComplete).toBe(true)
  // From the top, the lineage includes the other parent and, because it was crossed again, the middle phenotype.
  expect(names(await lineage(first.at(0)))).toEqual(['First #1', 'Second #1', 'Third #2', 'Third #5', 'First #2'])
  expect(names(await lineage(third.at(1)))).toEqual(['Third #2', 'Second #1', 'First #1', 'First #2'])
})

it('shows relatives only from hunts that the person may see, and only the names of other parents', async () => {
  const parents = await generation('Private', { mother: 'Old Haze' })
  const shared = await generation('Shared', { mother: 'Lime', motherGenotypeId: parents.at(0), father: 'Skunk' })
  const child = await generation('Also private', { motherGenotypeId: shared.at(0) })
  await keep(child.at(0))
  await shareHunt(test.db, shared.id, friend.user.id, 'view')
  const seen = await lineage(shared.at(0), friend)
  expect(names(seen)).toEqual(['Shared #1'])
  expect(seen.lots).toMatchObject([{ id: shared.lotId, mother: 'Lime', motherId: null, father: 'Skunk' }])
  expect(JSON.stringify(seen)).not.toMatch(/private|Old Haze/i)
  expect(names(await lineage(shared.at(0)))).toEqual(['Shared #1', 'Private #1', 'Also private #1'])
  expect((await test.request('GET', `/api/genotypes/${parents.at(0)}/lineage`, friend)).statusCode).toBe(404)
})

it('stops at cycles and at its limits of phenotypes and generations', async () => {
  const one = await generation('Circle one', {})
  const two = await generation('Circle two', { motherGenotypeId: one.at(0) })
  await test.db
    .updateTable('seed_lots')
    .set({ mother_genotype_id: two.at(0) })
    .where('id', '=', one.lotId)
    .execute()
  expect(names(await lineage(one.at(0))).sort()).toEqual(['Circle one #1', 'Circle two #1'])

  const many = await generation('Many', {}, 1)
  const wide = await generation('Wide', { motherGenotypeId: many.at(0) }, 400)
  await test.db.updateTable('genotypes').set({ standing: 'keep' }).where('hunt_id', '=', wide.id).execute()
  const cut = await lineage(many.at(0))
  expect([cut.phenos.length, cut.isComplete]).toEqual([300, false])

  let parent = (await generation('Generation 0', {}, 1)).at(0)
  for (let i = 1; i <= 10; i++) parent = (await generation(`Generation ${i}`, { motherGenotypeId: parent }, 1)).at(0)
  const deep = await lineage(parent)
  expect([names(deep).at(-1), deep.isComplete]).toEqual(['Generation 1 #1', false])
})
