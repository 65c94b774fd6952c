import type { Hunt } from '#contracts/hunts.ts'
import { toPerson } from '#server/features/people/index.ts'
import type { HuntFigures } from './hunt-figures.queries.ts'
import type { HuntRow } from './hunts.queries.ts'

/** The viewer must have access to the row. */
export function toHunt(row: HuntRow, figures: HuntFigures): Hunt {
  const access = row.access ?? 'view'
  const isOwn = access === 'own'
  const isPublic = row.visibility === 'public'
  return {
    id: row.hunt_id,
    huntName: row.hunt_name,
    breeders: row.breeders,
    seedCount: row.seed_count,
    isActive: row.is_active,
    growEnvironment: row.grow_environment,
    germinationDate: row.germination_date,
    goals: row.goals,
    // The legal plant limit is private to the owner and people the hunt is shared with.
    plantLimit: isOwn || row.is_shared_with_viewer ? row.plant_limit : null,
    visibility: row.visibility,
    publishedAt: row.published_at?.toISOString() ?? null,
    access,
    owner: toPerson(row),
    isOwnerFollowed: row.is_owner_followed,
    sharesCount: row.shares_count,
    counts: {
      genotypes: figures.genotypes,
      livingPlants: figures.living_plants,
      logs: figures.logs,
      keepers: figures.keepers,
      culled: figures.culled,
    },
    stages: {
      germinatedOn: row.germination_date,
      vegetativeOn: figures.vegetative_on,
      flowerOn: figures.flower_on,
      harvestedOn: figures.harvested_on,
      driedOn: figures.dried_on,
    },
    commentsCount: row.comments_count,
    isDemo: row.is_demo,
    version: row.version,
    completedOn: row.completed_on,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    abilities: {
      write: access !== 'view',
      own: isOwn,
      leave: row.is_shared_with_viewer,
      comment: isPublic,
      report: isPublic && !isOwn,
    },
  }
}
