import { type RawBuilder, sql } from 'kysely'
import { type Lineage, type LineageLot, type LineagePheno, maxLineageDepth, maxLineagePhenos } from '#contracts/seed-lots.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { huntAccess } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { requireHuntOf } from './require-plant-things.ts'

/** SQL over `hunts`: whether the actor may see a hunt. */
const isVisibleTo = (actor: Actor): RawBuilder<boolean> => sql<boolean>`${huntAccess(sql`${actor.id}::uuid`)} is not null`

/**
 * The ancestors of a phenotype, and its descendants that were kept, are mothers or were crossed again, across all hunts the person may see.
 * A parent in any other hunt is only a name.
 * @throws AppError not_found
 */
export async function getLineage(db: Db, actor: Actor, genotypeId: string): Promise<Lineage> {
  await requireHuntOf(db, actor, 'genotypes', genotypeId, 'view')
  const [ancestors, descendants] = [await ancestorsOf(db, actor, genotypeId), await descendantsOf(db, actor, genotypeId)]
  const line = [...new Set([genotypeId, ...ancestors.ids, ...descendants.ids])]
  const phenos = await phenosOf(db, line)
  const lots = await lotsOf(
    db,
    actor,
    phenos.flatMap(({ lotId }) => lotId ?? []),
    [genotypeId, ...descendants.ids],
  )
  // The other parents of lots, which are neither ancestors nor descendants.
  const known = new Set(line)
  const others = lots.rows.flatMap(({ motherId, fatherId }) => [motherId ?? [], fatherId ?? []].flat()).filter((id) => !known.has(id))
  const mates = await phenosOf(db, await visibleAmong(db, actor, [...new Set(others)]))
  const shown = new Set([...phenos, ...mates].map((pheno) => pheno.genotypeId))
  const seen = (id: string | null) => (id !== null && shown.has(id) ? id : null)
  const shownLots = new Set(idsOf(lots.rows))
  return {
    phenos: [...phenos, ...mates].map((pheno) => ({
      ...pheno,
      lotId: pheno.lotId !== null && shownLots.has(pheno.lotId) ? pheno.lotId : null,
    })),
    lots: lots.rows.map((lot) => ({ ...lot, motherId: seen(lot.motherId), fatherId: seen(lot.fatherId) })),
    isComplete: ancestors.isComplete && descendants.isComplete && lots.isComplete,
  }
}

/**
 * Walks from generation to generation. Distinct pairs of phenotype and depth, and a maximum depth, end every cycle. PostgreSQL evaluates a
 * recursive query only as far as its rows are fetched, so `limit` also bounds the work.
 */
async function walk(db: Db, genotypeId: string, next: RawBuilder<unknown>): Promise<{ ids: string[]; isComplete: boolean }> {
  const { rows } = await sql<{ id: string; depth: number }>`
    with recursive line (id, depth) as (
      select ${genotypeId}::uuid, 0
      union
      select found.id, line.depth + 1 from line cross join lateral (${next}) as found
      where line.depth <= ${maxLineageDepth}
    )
    select id, depth from line limit ${maxLineagePhenos + 1}`.execute(db)
  // Sorted here, because sorting in the query would evaluate all of it.
  const near = rows.filter(({ depth }) => depth <= maxLineageDepth).sort((a, b) => a.depth - b.depth || (a.id < b.id ? -1 : 1))
  return { ids: idsOf(near.slice(1, maxLineagePhenos)), isComplete: near.length === rows.length && rows.length <= maxLineagePhenos }
}

const ancestorsOf = (db: Db, actor: Actor, genotypeId: string) =>
  walk(
    db,
    genotypeId,
    sql`
      select parents.id
      from genotypes as child
        join seed_lots on seed_lots.id = child.seed_lot_id
        join genotypes as parents on parents.id = any(array[seed_lots.mother_genotype_id, seed_lots.father_genotype_id])
        join hunts on hunts.id = parents.hunt_id
      where child.id = line.id and ${isVisibleTo(actor)}`,
  )

const lotsFrom = (parent: RawBuilder<unknown>) =>
  sql`(seed_lots.mother_genotype_id = ${parent} or seed_lots.father_genotype_id = ${parent})`

/** Whether a lineage shows a descendant. A cross may have thousands. */
const isShownInLineage = sql<boolean>`(
  children.standing in ('keep', 'breed')
  or exists (select from plants where plants.genotype_id = children.id and plants.is_mother and plants.ended_on is null)
  or exists (select from seed_lots where ${lotsFrom(sql`children.id`)}))`

const descendantsOf = (db: Db, actor: Actor, genotypeId: string) =>
  walk(
    db,
    genotypeId,
    sql`
      select children.id
      from seed_lots
        join hunts on hunts.id = seed_lots.hunt_id
        join genotypes as children on children.seed_lot_id = seed_lots.id
      where ${lotsFrom(sql`line.id`)} and ${isVisibleTo(actor)} and ${isShownInLineage}`,
  )

/** In the order of the IDs. Doesn't check access to their hunts. */
async function phenosOf(db: Db, ids: readonly string[]): Promise<LineagePheno[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<LineagePheno>`
    select genotypes.id as "genotypeId", hunts.id as "huntId", hunts.hunt_name as "huntName", genotypes.number, genotypes.label,
      genotypes.standing, genotypes.seed_lot_id as "lotId", of_plants.*
    from genotypes
      join hunts on hunts.id = genotypes.hunt_id
      cross join lateral (
        select count(*)::integer as "livingCopies", coalesce(bool_or(is_mother), false) as "isMother"
        from plants where plants.genotype_id = genotypes.id and plants.ended_on is null) as of_plants
    where genotypes.id = ${pageIds(ids)}`.execute(db)
  const byId = new Map(rows.map((row) => [row.genotypeId, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** These seed lots and those with these parents, oldest first. Omits lots in hunts that the actor can't see. */
async function lotsOf(
  db: Db,
  actor: Actor,
  lotIds: readonly string[],
  parentIds: readonly string[],
): Promise<{ rows: LineageLot[]; isComplete: boolean }> {
  const { rows } = await sql<LineageLot>`
    with wanted as (
      select id from seed_lots where id = ${pageIds(lotIds)}
      union
      select id from seed_lots where mother_genotype_id = ${pageIds(parentIds)}
      union
      select id from seed_lots where father_genotype_id = ${pageIds(parentIds)}
    )
    select seed_lots.id, hunts.id as "huntId", hunts.hunt_name as "huntName", mother, father, is_selfed as "isSelfed", generation,
      mother_genotype_id as "motherId", father_genotype_id as "fatherId",
      (select count(*) from genotypes where genotypes.seed_lot_id = seed_lots.id)::integer as "phenoCount"
    from wanted
      join seed_lots on seed_lots.id = wanted.id
      join hunts on hunts.id = seed_lots.hunt_id
    where ${isVisibleTo(actor)}
    order by seed_lots.created_at, seed_lots.id
    limit ${maxLineagePhenos + 1}`.execute(db)
  return { rows: rows.slice(0, maxLineagePhenos), isComplete: rows.length <= maxLineagePhenos }
}

async function visibleAmong(db: Db, actor: Actor, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('genotypes')
    .innerJoin('hunts', 'hunts.id', 'genotypes.hunt_id')
    .select('genotypes.id')
    .where(sql<boolean>`genotypes.id = ${pageIds(ids)}`)
    .where(isVisibleTo(actor))
    .orderBy('genotypes.id')
    .execute()
  return idsOf(rows)
}
