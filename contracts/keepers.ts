import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { HuntParams } from './hunts.ts'
import { Id } from './ids.ts'

const Interval = z.tuple([z.number(), z.number()])

/** One candidate in the ranking of a hunt. */
export const RankedGenotype = z.object({
  genotypeId: Id,
  number: z.int(),
  label: z.string(),
  /** 1 is the best. */
  rank: z.int(),
  /** 0 to 100: the weighted mean of what its traits are worth, each pulled towards the hunt's mean as far as it is uncertain. */
  score: z.number(),
  /** The true score lies within with a chance of 80 and 95 %. */
  interval80: Interval,
  interval95: Interval,
  /** The chance that it is truly the best, and one of the best three. */
  chanceBest: z.number(),
  chanceTop3: z.number(),
  /** The chance that it is truly better than the leader; null for the leader. */
  chanceBeatsLeader: z.nullable(z.number()),
  contributions: z.array(
    z.object({
      traitId: Id,
      /** The trait's share of all weights, from 0 to 1. */
      share: z.number(),
      /** What its value is taken to be worth, from 0 to 1, and what its own plants showed; null without a record. */
      predicted: z.number(),
      ownMean: z.nullable(z.number()),
      reliability: z.number(),
      plants: z.int(),
      /** What it adds to the score. */
      points: z.number(),
    }),
  ),
  missingTraitIds: z.array(Id),
  plants: z.int(),
  records: z.int(),
})
export type RankedGenotype = z.infer<typeof RankedGenotype>

export const KeeperRanking = z.object({
  /** The best first. */
  genotypes: z.array(RankedGenotype),
  /** `clear` from a chance of 80 % on; `withinReach` are the fewest that, with the leader, hold the truly best with 90 %. */
  verdict: z.object({
    kind: z.enum(['clear', 'too-close', 'no-candidates', 'no-weights', 'no-records']),
    leaderId: z.nullable(Id),
    withinReachIds: z.array(Id),
  }),
  /** How heritable each scored trait is taken to be, and from what. */
  traits: z.array(
    z.object({
      traitId: Id,
      weight: z.number(),
      isMeasured: z.boolean(),
      heritability: z.number(),
      source: z.enum(['estimated', 'stated']),
      replicatedGenotypes: z.int(),
      /** Runs that could not be held against the others for want of a check clone; null stands for records without a run. */
      notComparableRunIds: z.array(z.nullable(Id)),
    }),
  ),
  /** Whether the winner changes when one weight goes up or down by 20 %, and who could win when all move. */
  sensitivity: z.nullable(
    z.object({
      winnerId: Id,
      changes: z.array(z.object({ traitId: Id, factor: z.number(), winnerId: Id, changesWinner: z.boolean() })),
      overtakers: z.array(z.object({ genotypeId: Id, points: z.number() })),
    }),
  ),
  /** What would help the decision most, the most helpful first. */
  nextMeasurements: z.array(
    z.object({ genotypeId: Id, traitId: Id, plantId: Id, gain: z.number(), changesLeader: z.number(), why: z.string() }),
  ),
  nextClones: z.array(z.object({ genotypeId: Id, gain: z.number(), changesLeader: z.number(), why: z.string() })),
  /** Phenotypes that are not ranked: nothing of them was measured, in a hunt with more than can be ranked. */
  unmeasuredLeftOut: z.int(),
  measuredLeftOut: z.int(),
  /** False where the hunt has more records than are read: the newest count. */
  isComplete: z.boolean(),
})
export type KeeperRanking = z.infer<typeof KeeperRanking>

export const getKeeperRanking = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/ranking',
  summary: 'Which phenotype to keep, by the weights that the hunt keeps, with how sure that is and what to measure next',
  tag: 'Keepers',
  access: 'member',
  rateLimit: 'drawing',
  params: HuntParams,
  response: KeeperRanking,
})
