import { type RawBuilder, sql } from 'kysely'
import { genotypeName } from '#contracts/plants.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { type BrapiQuery, countedPage, crop, infoOf, isOneOf, isTextOf, known, type QueryResult } from './asked.ts'
import { type GrownHunt, idsOfHunts, programOf, trialOf } from './hunts.ts'

const huntsById = (hunts: readonly GrownHunt[]) => new Map<string, GrownHunt>(hunts.map((hunt) => [hunt.id, hunt]))

/** Numbers repeat in every hunt, and clients look germplasm up by name. */
export const germplasmName = (huntName: string, number: number): string => `${huntName} ${genotypeName(number)}`

export const puiOf = (id: string): string => `urn:uuid:${id}`

/** SQL: the name of a row of `genotypes`, joined with `hunts`. */
const sqlName = sql`(hunts.hunt_name || ' #' || genotypes.number)`

type GermplasmRow = {
  total: number
  id: string
  hunt_id: string
  number: number
  label: string
  sex: string
  kind: string
  notes: string
  standing: string | null
  seed_lot_id: string | null
  source: string | null
  breeder: string | null
  mother: string | null
  father: string | null
  generation: string | null
}

/** SQL: a parent of a row of `seed_lots`, as text: a phenotype of the same hunt, or the name of a strain. */
const parent = (which: 'mother' | 'father'): RawBuilder<string> => sql`
  coalesce((select '#' || parents.number from genotypes as parents where parents.id = ${sql.ref(`seed_lots.${which}_genotype_id`)} and parents.hunt_id = seed_lots.hunt_id),
    nullif(${sql.ref(`seed_lots.${which}`)}, ''))`

/** SQL: the parent's ID if it is in the same hunt, since the viewer may not see other hunts. */
const ownParent = (which: 'mother' | 'father'): RawBuilder<string | null> => sql`
  (select id from genotypes as parents where parents.id = ${sql.ref(`seed_lots.${which}_genotype_id`)} and parents.hunt_id = seed_lots.hunt_id)`

const father = sql<string>`case when seed_lots.is_selfed then ${parent('mother')} else ${parent('father')} end`

/** SQL: whether a row of `genotypes` has a plant in one of these studies. */
const hasPlantIn = (studyIds: readonly string[]) => sql`exists (
  select from plants left join placements on placements.plant_id = plants.id
  where plants.genotype_id = genotypes.id and ${isOneOf(sql`coalesce(placements.run_id, plants.hunt_id)`, studyIds)})`

/** Germplasm in BrAPI is a phenotype here: one seed, with all plants grown from it. */
export async function readGermplasm({ ctx, hunts, filter, paging }: BrapiQuery): Promise<QueryResult> {
  const studies = filter.studyDbIds
  const { items, total } = await countedPage(
    (limit, offset) =>
      sql<GermplasmRow>`
        select count(*) over () as total, genotypes.id, genotypes.hunt_id, genotypes.number, genotypes.label, genotypes.sex, genotypes.kind,
          genotypes.notes, genotypes.standing, genotypes.seed_lot_id, seed_lots.source, seed_lots.breeder, seed_lots.generation,
          ${parent('mother')} as mother, ${father} as father
        from genotypes join hunts on hunts.id = genotypes.hunt_id left join seed_lots on seed_lots.id = genotypes.seed_lot_id
        where genotypes.hunt_id = ${pageIds(idsOfHunts(hunts))} and ${isOneOf(sql`genotypes.id`, filter.germplasmDbIds)}
          and ${isTextOf(sqlName, filter.germplasmNames)}
          and ${studies ? hasPlantIn(studies) : sql`true`}
        order by genotypes.hunt_id, genotypes.number limit ${limit} offset ${offset}`
        .execute(ctx.db)
        .then(({ rows }) => rows),
    paging,
  )
  const byId = huntsById(hunts)
  const rows = items.map((row) => {
    const hunt = byId.get(row.hunt_id) as GrownHunt
    return known({
      germplasmDbId: row.id,
      germplasmName: germplasmName(hunt.name, row.number),
      germplasmPUI: puiOf(row.id),
      defaultDisplayName: row.label || genotypeName(row.number),
      commonCropName: crop,
      genus: 'Cannabis',
      species: 'sativa',
      // 400 means breeding material.
      biologicalStatusOfAccessionCode: '400',
      pedigree: row.mother === null && row.father === null ? null : `${row.mother ?? ''}/${row.father ?? ''}`,
      seedSource: row.source,
      synonyms: row.label ? [{ synonym: row.label }] : null,
      additionalInfo: infoOf({
        ...{ ...trialOf(hunt), number: row.number, sex: row.sex, kind: row.kind, decision: row.standing, notes: row.notes },
        ...{ seedLotDbId: row.seed_lot_id, breeder: row.breeder, generation: row.generation },
      }),
    })
  })
  return { rows, total }
}

type SeedLotRow = {
  total: number
  id: string
  hunt_id: string
  mother: string | null
  father: string | null
  mother_genotype_id: string | null
  father_genotype_id: string | null
  is_selfed: boolean
  generation: string
  breeder: string
  seed_type: string
  seed_count: number
  source: string
  created_at: Date
}

const isCrossOf = ({ is_selfed, mother, father: pollen }: SeedLotRow) => is_selfed || mother !== null || pollen !== null
const isCross = sql<boolean>`(seed_lots.is_selfed or seed_lots.mother <> '' or seed_lots.mother_genotype_id is not null
  or seed_lots.father <> '' or seed_lots.father_genotype_id is not null)`

const selectLots = ({ ctx, hunts, paging }: BrapiQuery, condition: RawBuilder<unknown>) =>
  countedPage(
    (limit, offset) =>
      sql<SeedLotRow>`
        select count(*) over () as total, seed_lots.*, ${parent('mother')} as mother, ${father} as father,
          ${ownParent('mother')} as mother_genotype_id, ${ownParent('father')} as father_genotype_id
        from seed_lots where seed_lots.hunt_id = ${pageIds(idsOfHunts(hunts))} and ${condition}
        order by seed_lots.hunt_id, seed_lots.id limit ${limit} offset ${offset}`
        .execute(ctx.db)
        .then(({ rows }) => rows),
    paging,
  )

const crossName = ({ mother, father: pollen, generation }: SeedLotRow): string =>
  [`${mother ?? 'Unknown'} × ${pollen ?? 'unknown'}`, generation].filter(Boolean).join(' ')

export async function readSeedLots(asked: BrapiQuery): Promise<QueryResult> {
  const { filter, hunts } = asked
  const isGermplasmOf = (ids: readonly string[]) => sql`exists (
    select from genotypes where genotypes.seed_lot_id = seed_lots.id and ${isOneOf(sql`genotypes.id`, ids)})`
  const { items, total } = await selectLots(
    asked,
    sql`${isOneOf(sql`seed_lots.id`, filter.seedLotDbIds)} and ${isOneOf(sql`seed_lots.id`, filter.crossDbIds)}
      and ${filter.germplasmDbIds ? isGermplasmOf(filter.germplasmDbIds) : sql`true`}`,
  )
  const byId = huntsById(hunts)
  const rows = items.map((row) => {
    const hunt = byId.get(row.hunt_id) as GrownHunt
    return known({
      seedLotDbId: row.id,
      seedLotName: crossName(row),
      ...programOf(hunt),
      amount: row.seed_count,
      units: 'seeds',
      sourceCollection: row.source,
      createdDate: row.created_at.toISOString(),
      // A lot without a parent isn't listed as a cross.
      contentMixture: isCrossOf(row) ? [{ crossDbId: row.id, crossName: crossName(row), mixturePercentage: 100 }] : null,
      additionalInfo: infoOf({ ...trialOf(hunt), seedType: row.seed_type, breeder: row.breeder, generation: row.generation }),
    })
  })
  return { rows, total }
}

/** A cross is a seed lot with at least one known parent. Its crossing project is the hunt. */
export async function readCrosses(asked: BrapiQuery): Promise<QueryResult> {
  const { filter, hunts } = asked
  const { items, total } = await selectLots(
    asked,
    sql`${isCross} and ${isOneOf(sql`seed_lots.id`, filter.crossDbIds)}
      and ${isOneOf(sql`seed_lots.hunt_id`, filter.crossingProjectDbIds)}`,
  )
  const byId = huntsById(hunts)
  const rows = items.map((row) => {
    const hunt = byId.get(row.hunt_id) as GrownHunt
    const parentOf = (id: string | null, name: string | null, parentType: string) =>
      name === null ? null : known({ germplasmDbId: id, germplasmName: id === null ? name : `${hunt.name} ${name}`, parentType })
    return known({
      crossDbId: row.id,
      crossName: crossName(row),
      crossingProjectDbId: row.hunt_id,
      crossingProjectName: hunt.name,
      crossType: row.is_selfed ? 'SELF' : row.mother !== null && row.father !== null ? 'BIPARENTAL' : 'OPEN_POLLINATED',
      parent1: parentOf(row.mother_genotype_id, row.mother, row.is_selfed ? 'SELF' : 'FEMALE'),
      parent2: row.is_selfed ? null : parentOf(row.father_genotype_id, row.father, 'MALE'),
      additionalInfo: infoOf({ breeder: row.breeder, generation: row.generation, seedType: row.seed_type }),
    })
  })
  return { rows, total }
}
