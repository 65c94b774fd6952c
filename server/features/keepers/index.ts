import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { type HuntToRank, type Must, type RankableHunt, rankableHunt } from '#agronomy/hunt-ranking.ts'
import { explainMeasurement, nextMeasurements } from '#agronomy/next-measurement.ts'
import { type PreparedRanking, preparingRanking, type RankingInput } from '#agronomy/prepare-ranking.ts'
import { type Ranking, rankKeepers, testWeights } from '#agronomy/rank.ts'
import { growthStages } from '#contracts/choices.ts'
import type { KeeperRanking } from '#contracts/keepers.endpoints.ts'
import * as contract from '#contracts/keepers.endpoints.ts'
import type { Known } from '#contracts/plants.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { requireHunt } from '#server/features/hunts/index.ts'
import { livingStages } from '#server/features/plants/index.ts'
import { readTraitRecords } from '#server/features/traits/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { type Api, route } from '#server/kernel/route.ts'

export function registerKeepers(api: Api): void {
  route(api, contract.getKeeperRanking, ({ ctx, actor, params }) => getKeeperRanking(ctx.db, actor, params.id))
}

/** Uses the hunt's saved weights. The page runs the same computation while someone adjusts the weights. */
async function getKeeperRanking(db: Db, actor: Actor, huntId: string): Promise<KeeperRanking> {
  const { id } = await requireHunt(db, actor, huntId, 'view')
  const { hunt, names, isComplete } = await huntToRank(db, id)
  const rankable = rankableHunt(hunt)
  const prepared = await prepare(rankable.input)
  await setImmediate()
  const ranking = rankKeepers(prepared, rankable.weights)
  const numbers = new Map(names.map((name) => [name.id, name.number]))
  await setImmediate()
  return {
    ...toRanking(ranking, names),
    traits: toTraits(prepared, ranking, rankable),
    sensitivity: toSensitivity(prepared, rankable),
    ...toNext(prepared, rankable, names, await traitNames(db, huntId)),
    notInRunning: rankable.outOfRunning.map(({ id: genotypeId, reason, traitId }) => ({
      genotypeId,
      number: numbers.get(genotypeId) ?? 0,
      reason,
      traitId,
    })),
    unmeasuredLeftOut: rankable.unmeasuredLeftOut,
    measuredLeftOut: rankable.measuredLeftOut,
    isComplete,
  }
}

/** Yields to other requests between traits, each of which takes up to 0.15 s on a large hunt. */
async function prepare(input: RankingInput): Promise<PreparedRanking> {
  const steps = preparingRanking(input)
  for (;;) {
    await setImmediate()
    const step = steps.next()
    if (step.done) return step.value
  }
}

export async function rankGenotypes(
  db: Db,
  huntId: Authorized<'hunts'>,
): Promise<ReadonlyMap<string, Pick<Known, 'rank' | 'rankedOf' | 'chanceBest'>>> {
  const { hunt } = await huntToRank(db, huntId)
  const { input, weights } = rankableHunt(hunt)
  const prepared = await prepare(input)
  const { standings } = rankKeepers(prepared, weights)
  return new Map(standings.map(({ id, rank, pBest }) => [id, { rank, rankedOf: standings.length, chanceBest: pBest }]))
}

function toRanking({ standings, verdict }: Ranking, names: readonly NamedGenotype[]): Pick<KeeperRanking, 'genotypes' | 'verdict'> {
  const nameOf = new Map(names.map((name) => [name.id, name]))
  return {
    genotypes: standings.map((standing) => ({
      genotypeId: standing.id,
      number: nameOf.get(standing.id)?.number ?? 0,
      label: nameOf.get(standing.id)?.label ?? '',
      rank: standing.rank,
      score: standing.score,
      interval80: standing.interval80,
      interval95: standing.interval95,
      chanceBest: standing.pBest,
      chanceTop3: standing.pTop3,
      chanceBeatsLeader: standing.pBeatsLeader,
      contributions: standing.contributions,
      missingTraitIds: standing.missingTraits,
      plants: standing.plants,
      records: standing.records,
    })),
    verdict:
      'leaderId' in verdict
        ? { kind: verdict.kind, leaderId: verdict.leaderId, withinReachIds: verdict.withinReach }
        : { kind: verdict.kind, leaderId: null, withinReachIds: [] },
  }
}

function toTraits(prepared: PreparedRanking, ranking: Ranking, { weights }: RankableHunt): KeeperRanking['traits'] {
  const notComparable = new Map(ranking.notComparable.map(({ traitId, runIds }) => [traitId, runIds]))
  return prepared.traits.map(({ id, isMeasured, repeatability, source, replicatedGenotypes, assumesInteraction }) => ({
    traitId: id,
    weight: weights[id] ?? 0,
    isMeasured,
    repeatability,
    source,
    replicatedGenotypes,
    isOneRoom: assumesInteraction,
    notComparableRunIds: notComparable.get(id) ?? [],
  }))
}

function toSensitivity(prepared: PreparedRanking, { weights }: RankableHunt): KeeperRanking['sensitivity'] {
  const tested = testWeights(prepared, weights)
  return (
    tested && {
      winnerId: tested.winnerId,
      changes: tested.changes,
      overtakers: tested.overtakers.map(({ id, points }) => ({ genotypeId: id, points })),
    }
  )
}

function toNext(
  prepared: PreparedRanking,
  { weights }: RankableHunt,
  names: readonly NamedGenotype[],
  traits: ReadonlyMap<string, string>,
): Pick<KeeperRanking, 'nextMeasurements' | 'nextClones'> {
  const { measurements, clones } = nextMeasurements(prepared, weights)
  const genotype = (id: string) => `#${names.find((name) => name.id === id)?.number ?? '?'}`
  return {
    nextMeasurements: measurements.map((next) => ({
      genotypeId: next.genotypeId,
      traitId: next.traitId,
      plantId: next.plantId,
      gain: next.gain,
      changesLeader: next.changesLeader,
      why: explainMeasurement(next, { genotype: genotype(next.genotypeId), trait: traits.get(next.traitId) ?? '' }),
    })),
    nextClones: clones.map((next) => ({
      genotypeId: next.genotypeId,
      gain: next.gain,
      changesLeader: next.changesLeader,
      why: explainMeasurement(next, { genotype: genotype(next.genotypeId) }),
    })),
  }
}

type NamedGenotype = { id: string; number: number; label: string }

async function huntToRank(db: Db, huntId: Authorized<'hunts'>): Promise<{ hunt: HuntToRank; names: NamedGenotype[]; isComplete: boolean }> {
  const genotypes = await db
    .selectFrom('genotypes')
    .select(['id', 'number', 'kind', 'label', 'sex', 'standing'])
    .select(
      sql<{ id: string; isAlive: boolean; endedHow: string | null }[]>`(
        select coalesce(json_agg(json_build_object('id', plants.id, 'isAlive', plants.ended_on is null, 'endedHow', plants.ended_how) order by plants.copy), '[]')
        from plants where plants.genotype_id = genotypes.id)`.as('plants'),
    )
    .where('hunt_id', '=', huntId)
    .orderBy('number')
    .execute()
  const traits = await db
    .selectFrom('traits')
    .select(['id', 'kind', 'source', 'direction', 'low', 'high', 'target', 'weight', 'heritability', 'must', 'is_archived as isArchived'])
    .select(['from_stage as fromStage', 'to_stage as toStage'])
    .where('hunt_id', '=', huntId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const { selects_males: selectsMales, ranks_harvested: ranksHarvested } = await db
    .selectFrom('hunts')
    .select(['selects_males', 'ranks_harvested'])
    .where('id', '=', huntId)
    .executeTakeFirstOrThrow()
  const { records, isComplete } = await readTraitRecords(db, huntId)
  const stages = await livingStages(db, huntId)
  return {
    hunt: {
      selectsMales,
      ranksHarvested,
      stages: growthStages,
      genotypes: genotypes.map(({ plants, ...genotype }) => ({
        ...genotype,
        plants: plants.map((plant) => ({ ...plant, stage: stages.get(plant.id) ?? null })),
      })),
      traits: traits.map((trait) => ({ ...trait, must: trait.must as Must | null })),
      records,
    },
    names: genotypes,
    isComplete,
  }
}

const traitNames = async (db: Db, huntId: string): Promise<Map<string, string>> =>
  new Map((await db.selectFrom('traits').select(['id', 'name']).where('hunt_id', '=', huntId).execute()).map(({ id, name }) => [id, name]))
