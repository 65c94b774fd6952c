import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { listGenotypes as contract } from '#contracts/plants.endpoints.ts'
import type { GenotypeKind, Sex, Standing } from '#contracts/plants.ts'
import { type FoundPlant, type Genotype, genotypeName, type Plant, type PlantRoom, plantName } from '#contracts/plants.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { requireHunt } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'

/** The genotypes with these IDs in this hunt, sorted by number. */
export const readGenotypes = async (db: Db, huntId: Authorized<'hunts'>, ids: readonly string[]): Promise<Genotype[]> =>
  withPlants(db, ids.length === 0 ? [] : await genotypesByIds(db, huntId, ids))

export async function withPlants(db: Db, rows: readonly GenotypeRow[]): Promise<Genotype[]> {
  if (rows.length === 0) return []
  const plants = Map.groupBy(await plantsOfGenotypes(db, idsOf(rows)), (row) => row.genotype_id)
  return rows.map((row) => toGenotype(row, plants.get(row.id) ?? []))
}

/** The plants with these IDs in this hunt, sorted by genotype and copy. */
export const readPlants = async (db: Db, huntId: Authorized<'hunts'>, ids: readonly string[]): Promise<Plant[]> =>
  ids.length === 0 ? [] : (await plantsByIds(db, huntId, ids)).map(toPlant)

const toGenotype = (row: GenotypeRow, plants: readonly PlantRow[]): Genotype => ({
  id: row.id,
  huntId: row.hunt_id,
  kind: row.kind,
  number: row.number,
  name: genotypeName(row.number),
  label: row.label,
  sex: row.sex,
  notes: row.notes,
  seedLotId: row.seed_lot_id,
  standing: row.standing,
  livingCopies: plants.filter((plant) => plant.ended_on === null).length,
  plants: plants.map(toPlant),
  version: row.version,
})

const toPlant = (row: PlantRow): Plant => ({
  id: row.id,
  genotypeId: row.genotype_id,
  kind: row.kind,
  copy: row.copy,
  name: plantName(row.number, row.copy),
  code: row.code,
  cutFromId: row.cut_from_id,
  startedOn: row.started_on,
  cutOn: row.cut_on,
  rootedOn: row.rooted_on,
  isMother: row.is_mother,
  notes: row.notes,
  endedOn: row.ended_on,
  endedHow: row.ended_how,
  endedByDecisionId: row.ended_by_decision_id,
  placement: row.run_id === null ? null : { runId: row.run_id, runName: row.run_name ?? '', row: row.bench_row, column: row.bench_column },
  stage: stageOf(row),
  lastLoggedOn: row.last_logged_on,
  version: row.version,
})

type StagedRow = Pick<PlantRow, 'stage' | 'staged_on' | 'flowered_on' | 'ended_how' | 'ended_on'>

/**
 * The stage of the last log that states one, or flower if the plant's run was flipped to flower after that log. A harvested plant is drying
 * until a log records that it is curing.
 */
function stageOf({ stage, staged_on, flowered_on, ended_how, ended_on }: StagedRow): Plant['stage'] {
  if (ended_how === 'harvested') return stage === 'curing' && staged_on !== null && staged_on >= (ended_on ?? '') ? stage : 'drying'
  return flowered_on !== null && (staged_on === null || flowered_on > staged_on) ? 'flower' : stage
}

export async function plantRoom(db: Db, huntId: string): Promise<PlantRoom> {
  const { living, limit } = await countPlants(db, huntId)
  return { livingPlants: living, plantLimit: limit, overBy: limit === null ? 0 : Math.max(0, living - limit) }
}

export async function listGenotypes(
  db: Db,
  actor: Actor,
  huntId: string,
  { limit, cursor }: Parsed<(typeof contract)['query']>,
): Promise<Page<Genotype>> {
  await requireHunt(db, actor, huntId, 'view')
  const after = decodeCursor(cursor, ['integer'])?.[0] ?? 0
  const { items, nextCursor } = toPage(await genotypesAfter(db, huntId, after, limit + 1), limit, ({ number }) => [number])
  return { items: await withPlants(db, items), nextCursor }
}

export async function getGenotype(db: Db, actor: Actor, huntId: string, number: number): Promise<Genotype> {
  await requireHunt(db, actor, huntId, 'view')
  const row = await genotypeByNumber(db, huntId, number)
  const [genotype] = await withPlants(db, row ? [row] : [])
  if (!genotype) throw notFound('Pheno not found.')
  return genotype
}

/** Unknown codes and plants the actor can't see give the same error. */
export async function findPlantByCode(db: Db, actor: Actor, text: string): Promise<FoundPlant> {
  const missing = notFound('No plant that you can see has this code.')
  const code = readPlantCode(text)
  if (code === null) throw missing
  const plant = await db
    .selectFrom('plants')
    .innerJoin('genotypes', 'genotypes.id', 'plants.genotype_id')
    .select(['plants.id', 'plants.hunt_id', 'plants.genotype_id', 'plants.copy', 'plants.ended_on', 'genotypes.number', 'genotypes.label'])
    .where('plants.code', '=', code)
    .executeTakeFirst()
  if (!plant) throw missing
  const hunt = await requireHunt(db, actor, plant.hunt_id, 'view').catch((error) => {
    throw error instanceof AppError && error.code === 'not_found' ? missing : error
  })
  return {
    huntId: plant.hunt_id,
    huntName: hunt.hunt_name,
    genotypeId: plant.genotype_id,
    number: plant.number,
    label: plant.label,
    plantId: plant.id,
    name: plantName(plant.number, plant.copy),
    isAlive: plant.ended_on === null,
  }
}

/** Genotype IDs by plant ID. Omits plants of other hunts. */
export async function genotypesOfPlants(db: Db, huntId: string, plantIds: readonly string[]): Promise<Map<string, string>> {
  if (plantIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('plants')
    .select(['id', 'genotype_id'])
    .where('hunt_id', '=', huntId)
    .where(sql<boolean>`id = any(${plantIds}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, genotype_id }) => [id, genotype_id]))
}

type GenotypeRow = {
  id: string
  hunt_id: string
  kind: GenotypeKind
  seed_lot_id: string | null
  number: number
  label: string
  sex: Sex
  notes: string
  standing: Standing | null
  version: number
}

const genotypeColumns = ['id', 'hunt_id', 'kind', 'seed_lot_id', 'number', 'label', 'sex', 'notes', 'standing', 'version'] as const

export const genotypesAfter = (db: Db, huntId: string, afterNumber: number, limit: number): Promise<GenotypeRow[]> =>
  db
    .selectFrom('genotypes')
    .select(genotypeColumns)
    .where('hunt_id', '=', huntId)
    .where('number', '>', afterNumber)
    .orderBy('number')
    .limit(limit)
    .execute()

const genotypesByIds = (db: Db, huntId: string, ids: readonly string[]): Promise<GenotypeRow[]> =>
  db
    .selectFrom('genotypes')
    .select(genotypeColumns)
    .where('hunt_id', '=', huntId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('number')
    .execute()

const genotypeByNumber = (db: Db, huntId: string, number: number): Promise<GenotypeRow | undefined> =>
  db.selectFrom('genotypes').select(genotypeColumns).where('hunt_id', '=', huntId).where('number', '=', number).executeTakeFirst()

type PlantRow = Awaited<ReturnType<typeof plantRows>>[number]

export async function livingStages(db: Db, huntId: Authorized<'hunts'>): Promise<Map<string, Plant['stage']>> {
  const { rows } = await sql<StagedRow & { id: string }>`
    select plants.id, plants.ended_on, plants.ended_how, place.flowered_on, staged.logged_on as staged_on, staged.stage
    from plants
      left join lateral (${latestPlace}) as place on true
      left join lateral (${lastLog(sql`grow_logs.stage is not null`)}) as staged on true
    where plants.hunt_id = ${huntId}::uuid and plants.ended_on is null`.execute(db)
  return new Map(rows.map((row) => [row.id, stageOf(row)]))
}

/** SQL: how to sort the runs of a plant so that the first one is where it is now. */
export const latestRunFirst = sql`runs.ended_on is null desc, runs.created_at desc, runs.id desc`

const latestPlace = sql`
  select runs.id as run_id, runs.name as run_name, runs.flowered_on, placements.bench_row, placements.bench_column
  from placements join runs on runs.id = placements.run_id
  where placements.plant_id = plants.id
  order by ${latestRunFirst} limit 1`

const lastLog = (condition: RawBuilder<unknown>) => sql`
  select grow_logs.logged_on, grow_logs.stage from grow_logs
  where grow_logs.plant_id = plants.id and grow_logs.deleted_at is null and ${condition}
  order by grow_logs.logged_on desc, grow_logs.created_at desc, grow_logs.id desc limit 1`

async function plantRows(db: Db, condition: RawBuilder<unknown>) {
  const { rows } = await sql<{
    id: string
    genotype_id: string
    number: number
    kind: 'seed' | 'clone'
    copy: number
    cut_from_id: string | null
    code: string
    started_on: string | null
    cut_on: string | null
    rooted_on: string | null
    is_mother: boolean
    notes: string
    ended_on: string | null
    ended_how: 'culled' | 'harvested' | 'died' | 'given_away' | null
    ended_by_decision_id: string | null
    version: number
    run_id: string | null
    run_name: string | null
    flowered_on: string | null
    bench_row: number | null
    bench_column: number | null
    last_logged_on: string | null
    staged_on: string | null
    stage: 'germination' | 'seedling' | 'vegetative' | 'flower' | 'drying' | 'curing' | null
  }>`
    select plants.id, plants.genotype_id, genotypes.number, plants.kind, plants.copy, plants.cut_from_id, plants.code, plants.started_on,
      plants.cut_on, plants.rooted_on, plants.is_mother, plants.notes, plants.ended_on, plants.ended_how, plants.ended_by_decision_id,
      plants.version, place.run_id, place.run_name, place.flowered_on, place.bench_row, place.bench_column,
      last.logged_on as last_logged_on, staged.logged_on as staged_on, staged.stage
    from plants
      join genotypes on genotypes.id = plants.genotype_id
      left join lateral (${latestPlace}) as place on true
      left join lateral (${lastLog(sql`true`)}) as last on true
      left join lateral (${lastLog(sql`grow_logs.stage is not null`)}) as staged on true
    where ${condition}
    order by genotypes.number, plants.copy`.execute(db)
  return rows
}

export const plantsOfGenotypes = (db: Db, ids: readonly string[]) => plantRows(db, sql`plants.genotype_id = any(${ids}::uuid[])`)

const plantsByIds = (db: Db, huntId: string, ids: readonly string[]) =>
  plantRows(db, sql`plants.hunt_id = ${huntId}::uuid and plants.id = any(${ids}::uuid[])`)

async function countPlants(db: Db, huntId: string): Promise<{ living: number; limit: number | null }> {
  const { living, plant_limit: limit } = await db
    .selectFrom('hunts')
    .select('plant_limit')
    .select(sql<number>`(select count(*) from plants where plants.hunt_id = hunts.id and plants.ended_on is null)`.as('living'))
    .where('id', '=', huntId)
    .executeTakeFirstOrThrow()
  return { living, limit }
}

/** Crockford's Base32: omits I, L, O and U, which are easily misread. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 8

const randomCode = (): string => Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')

/** Normalizes typed or scanned input: lowercase, spaces, hyphens, O for 0, I and L for 1. Null if it isn't a code. */
function readPlantCode(text: string): string | null {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(code) ? code : null
}

/** Unused codes. With 10^12 possible codes, a race is very unlikely, and a unique constraint catches it. */
export async function freshCodes(db: Db, count: number): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < count) {
    const made = Array.from({ length: count - codes.size }, randomCode)
    const taken = await db.selectFrom('plants').select('code').where(sql<boolean>`code = any(${made}::text[])`).execute()
    const isTaken = new Set(taken.map(({ code }) => code))
    for (const code of made) if (!isTaken.has(code)) codes.add(code)
  }
  return [...codes]
}
