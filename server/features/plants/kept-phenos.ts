import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { KeptPheno, listKeptPhenos as listContract } from '#contracts/plants.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { ownAndSharedHunts, requireHuntWords } from '#server/features/hunts/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { requireHuntOf } from './require-plant-things.ts'

type Row = Omit<KeptPheno, 'huntOwner' | 'canEdit' | 'backupHolder'> & { ownerId: string; backupHolder: string | null; createdAt: Date }

/**
 * A person's kept phenos in their own and shared hunts, newest first: keepers, phenotypes to breed with and living mothers.
 * @throws AppError invalid_input about the cursor
 */
export async function listKeptPhenos(
  db: Db,
  actor: Actor,
  { limit, cursor }: Parsed<(typeof listContract)['query']>,
): Promise<Page<KeptPheno>> {
  const after = decodeCursor(cursor, ['time', 'id'])
  const accessible = await ownAndSharedHunts(db, actor)
  const hunts = accessible.map(({ id }) => id)
  const editable = new Set<string>(accessible.filter(({ access }) => access !== 'view').map(({ id }) => id))
  if (hunts.length === 0) return { items: [], nextCursor: null }
  const { rows } = await sql<Row>`
    with kept as (
      select id from genotypes where hunt_id = any(${hunts}::uuid[]) and standing in ('keep', 'breed')
      union
      select genotype_id from plants where hunt_id = any(${hunts}::uuid[]) and is_mother and ended_on is null
    ), listed as (
      select genotypes.id from kept join genotypes on genotypes.id = kept.id
      where ${after ? sql`(genotypes.created_at, genotypes.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql`true`}
      order by genotypes.created_at desc, genotypes.id desc limit ${limit + 1}
    )
    select genotypes.id as "genotypeId", hunts.id as "huntId", hunts.hunt_name as "huntName", hunts.owner_id as "ownerId",
      genotypes.number, genotypes.label, genotypes.sex, genotypes.standing, genotypes.backup_holder as "backupHolder",
      genotypes.created_at as "createdAt", of_plants.*
    from listed
    join genotypes on genotypes.id = listed.id
    join hunts on hunts.id = genotypes.hunt_id
    cross join lateral (
      select
        min(coalesce(started_on, case when kind = 'seed' then hunts.germination_date else coalesce(rooted_on, cut_on) end)) as "startedOn",
        (count(*) filter (where ended_on is null))::int as "livingCopies",
        coalesce(array_agg(copy order by copy) filter (where is_mother and ended_on is null), '{}') as "motherCopies",
        max(cut_on) as "lastCutOn"
      from plants where plants.genotype_id = genotypes.id
    ) as of_plants
    order by genotypes.created_at desc, genotypes.id desc`.execute(db)
  const { items, nextCursor } = toPage(rows, limit, ({ genotypeId, createdAt }) => [createdAt.toISOString(), genotypeId])
  const owners = await visiblePeople(
    db,
    actor.id,
    items.map(({ ownerId }) => ownerId),
  )
  return {
    items: items.map(({ ownerId, backupHolder, createdAt: _, ...pheno }) => {
      const canEdit = editable.has(pheno.huntId)
      const huntOwner = ownerId === actor.id ? null : (owners.get(ownerId) ?? null)
      return { ...pheno, huntOwner, canEdit, backupHolder: (canEdit && backupHolder) || '' }
    }),
    nextCursor,
  }
}

/** @throws AppError not_found, forbidden, muted, invalid_input about the text */
export async function setBackupHolder(ctx: Pick<Context, 'db'>, actor: Actor, id: string, backupHolder: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHuntOf(tx, actor, 'genotypes', id, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, hunt.id, { backupHolder })
    await tx
      .updateTable('genotypes')
      .set({ backup_holder: backupHolder || null })
      .where('id', '=', id)
      .execute()
  })
}
