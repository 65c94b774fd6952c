import { sql } from 'kysely'
import type { HuntAccess } from '#contracts/hunts.ts'
import type { Db } from '#server/db/connect.ts'
import { type AccessibleHunt, requireHuntOfRow } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'

export type PanelRow = Awaited<ReturnType<typeof panelsOf>>[number]

const selectPanels = (db: Db) =>
  db
    .selectFrom('blind_panels')
    .select([
      'id',
      'hunt_id',
      'name',
      'instructions',
      'is_open',
      'closed_at',
      'hides_jars',
      'filled_by',
      'filled_at',
      'created_at',
      'version',
    ])

export const panelsOf = (db: Db, huntId: string) => selectPanels(db).where('hunt_id', '=', huntId).orderBy('id', 'desc').execute()

export const panelById = (db: Db, id: string) => selectPanels(db).where('id', '=', id).executeTakeFirst()

/** In display order. */
export const traitsOfPanels = (db: Db, panelIds: readonly string[]) =>
  db
    .selectFrom('panel_traits')
    .innerJoin('traits', 'traits.id', 'panel_traits.trait_id')
    .select(['panel_id', 'panel_traits.position', 'traits.id', 'traits.name', 'traits.kind', 'traits.unit', 'traits.options'])
    .where(sql<boolean>`panel_id = any(${panelIds}::uuid[])`)
    .orderBy('panel_traits.position')
    .execute()

export const jarsOfPanels = (db: Db, panelIds: readonly string[]) =>
  db
    .selectFrom('panel_jars')
    .innerJoin('plants', 'plants.id', 'panel_jars.plant_id')
    .innerJoin('genotypes', 'genotypes.id', 'plants.genotype_id')
    .leftJoin('panel_cards', 'panel_cards.jar_id', 'panel_jars.id')
    .select(['panel_jars.id', 'panel_id', 'jar_name', 'cure_days', 'plant_id', 'plants.genotype_id', 'genotypes.number', 'copy', 'label'])
    .select(({ fn }) => [
      fn.count<number>('panel_cards.id').as('cards'),
      fn.count<number>('panel_cards.answered_at').as('answered'),
      sql<number>`count(*) filter (where panel_cards.id is not null and token_hash is null and answered_at is null)`.as('unprinted'),
    ])
    .where(sql<boolean>`panel_id = any(${panelIds}::uuid[])`)
    .groupBy(['panel_jars.id', 'plants.id', 'genotypes.id'])
    .orderBy('jar_name')
    .execute()

export const cardsOf = (db: Db, panelId: string) =>
  db
    .selectFrom('panel_cards')
    .innerJoin('panel_jars', 'panel_jars.id', 'panel_cards.jar_id')
    .select(['panel_cards.id', 'jar_id', 'jar_name', 'card_number', 'token_hash', 'answered_at', 'taster', 'comment'])
    .where('panel_id', '=', panelId)
    .orderBy('jar_name')
    .orderBy('card_number')
    .execute()

/**
 * Checks access to a panel addressed by its own ID and returns its hunt, as `requireHunt` does. A missing panel and another
 * person's look the same.
 * @throws AppError not_found, forbidden
 */
export async function requirePanelHunt(
  db: Db,
  actor: Pick<Actor, 'id'>,
  panelId: string,
  wanted: HuntAccess,
  options: { lock?: 'share' | 'update' } = {},
): Promise<AccessibleHunt> {
  const panel = await db.selectFrom('blind_panels').select('hunt_id').where('id', '=', panelId).executeTakeFirst()
  return requireHuntOfRow(db, actor, panel, 'Panel not found.', wanted, options)
}
