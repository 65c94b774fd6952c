import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Sex, Standing } from '#contracts/plants.ts'
import type { Db } from '#server/db/connect.ts'

export type GenotypeRow = {
  id: string
  hunt_id: string
  seed_lot_id: string | null
  number: number
  label: string
  sex: Sex
  notes: string
  standing: Standing | null
  version: number
}

const genotypeColumns = ['id', 'hunt_id', 'seed_lot_id', 'number', 'label', 'sex', 'notes', 'standing', 'version'] as const

export const genotypesAfter = (db: Db, huntId: string, afterNumber: number, limit: number): Promise<GenotypeRow[]> =>
  db
    .selectFrom('genotypes')
    .select(genotypeColumns)
    .where('hunt_id', '=', huntId)
    .where('number', '>', afterNumber)
    .orderBy('number')
    .limit(limit)
    .execute()

export const genotypesByIds = (db: Db, huntId: string, ids: readonly string[]): Promise<GenotypeRow[]> =>
  db
    .selectFrom('genotypes')
    .select(genotypeColumns)
    .where('hunt_id', '=', huntId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('number')
    .execute()

export const genotypeByNumber = (db: Db, huntId: string, number: number): Promise<GenotypeRow | undefined> =>
  db.selectFrom('genotypes').select(genotypeColumns).where('hunt_id', '=', huntId).where('number', '=', number).executeTakeFirst()

export type PlantRow = Awaited<ReturnType<typeof plantRows>>[number]

const lastLog = (condition: RawBuilder<unknown>) => sql`
  select grow_logs.logged_on, grow_logs.stage from grow_logs
  where grow_logs.plant_id = plants.id and grow_logs.deleted_at is null and ${condition}
  order by grow_logs.logged_on desc, grow_logs.id desc limit 1`

/** With each plant's place and the latest data from its logs. */
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
      left join lateral (
        select runs.id as run_id, runs.name as run_name, runs.flowered_on, placements.bench_row, placements.bench_column
        from placements join runs on runs.id = placements.run_id
        where placements.plant_id = plants.id
        order by runs.ended_on is null desc, runs.id desc limit 1) as place on true
      left join lateral (${lastLog(sql`true`)}) as last on true
      left join lateral (${lastLog(sql`grow_logs.stage is not null`)}) as staged on true
    where ${condition}
    order by genotypes.number, plants.copy`.execute(db)
  return rows
}

export const plantsOfGenotypes = (db: Db, ids: readonly string[]) => plantRows(db, sql`plants.genotype_id = any(${ids}::uuid[])`)

export const plantsByIds = (db: Db, huntId: string, ids: readonly string[]) =>
  plantRows(db, sql`plants.hunt_id = ${huntId}::uuid and plants.id = any(${ids}::uuid[])`)

/** The number of living plants of a hunt, with the declared limit. */
export async function countPlants(db: Db, huntId: string): Promise<{ living: number; limit: number | null }> {
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
export function readPlantCode(text: string): string | null {
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
