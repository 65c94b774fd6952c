import { sql } from 'kysely'
import type { listDecisions as contract, Decision, Known } from '#contracts/decisions.endpoints.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { requireHunt } from '#server/features/hunts/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'

/** The decisions of this hunt, in the order of the IDs. */
export async function readDecisions(
  db: Db,
  viewer: Pick<Actor, 'id'>,
  huntId: Authorized<'hunts'>,
  ids: readonly string[],
): Promise<Decision[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('decisions')
    .innerJoin('genotypes', 'genotypes.id', 'decisions.genotype_id')
    .selectAll('decisions')
    .select(['genotypes.number', 'genotypes.label'])
    .where('decisions.hunt_id', '=', huntId)
    .where(sql<boolean>`decisions.id = any(${ids}::uuid[])`)
    .execute()
  const personIds = rows.flatMap(({ decided_by, undone_by }) => [decided_by, undone_by])
  const people = await visiblePeople(db, viewer.id, personIds)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    return {
      id,
      huntId: row.hunt_id,
      genotypeId: row.genotype_id,
      number: row.number,
      label: row.label,
      kind: row.kind,
      reason: row.reason,
      known: row.known as Known,
      endedPlantIds: row.ended_plant_ids,
      decidedBy: people.get(row.decided_by ?? '') ?? null,
      decidedOn: row.decided_on,
      createdAt: row.created_at.toISOString(),
      undoneAt: row.undone_at?.toISOString() ?? null,
      undoneBy: people.get(row.undone_by ?? '') ?? null,
    }
  })
}

export async function listDecisions(
  db: Db,
  actor: Actor,
  huntId: string,
  { limit, cursor, genotypeId }: Parsed<(typeof contract)['query']>,
): Promise<Page<Decision>> {
  const hunt = await requireHunt(db, actor, huntId, 'view')
  const after = decodeCursor(cursor, ['id'])?.[0] ?? null
  const keys = await db
    .selectFrom('decisions')
    .select('id')
    .where('hunt_id', '=', huntId)
    .$if(genotypeId !== undefined, (query) => query.where('genotype_id', '=', genotypeId as string))
    .$if(after !== null, (query) => query.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(keys, limit, ({ id }) => [id])
  return {
    items: await readDecisions(db, actor, hunt.id, idsOf(items)),
    nextCursor,
  }
}
