import { endpoint } from './endpoint.ts'
import { Id } from './fields.ts'
import { HuntParams } from './hunts.ts'
import * as z from './zod.ts'

const Interval = z.tuple([z.number(), z.number()])

const RankedGenotype = z.object({
  genotypeId: Id,
  number: z.int(),
  label: z.string(),
  /** 1 is the best. */
  rank: z.int(),
  /** 0 to 100: the weighted mean of its traits' desirabilities, each shrunk toward the hunt's mean according to its uncertainty. */
  score: z.number(),
  /** Contains the true score with a probability of 80% and 95%. */
  interval80: Interval,
  interval95: Interval,
  /** Probabilities of truly being the best, and of being in the top three. */
  chanceBest: z.number(),
  chanceTop3: z.number(),
  /** Probability of truly being better than the leader; null for the leader. */
  chanceBeatsLeader: z.nullable(z.number()),
  contributions: z.array(
    z.object({
      traitId: Id,
      /** The trait's share of all weights, from 0 to 1. */
      share: z.number(),
      /** Predicted desirability from 0 to 1, and the mean of its own plants, null without a record. */
      predicted: z.number(),
      ownMean: z.nullable(z.number()),
      reliability: z.number(),
      plants: z.int(),
      points: z.number(),
    }),
  ),
  missingTraitIds: z.array(Id),
  plants: z.int(),
  records: z.int(),
})

export const KeeperRanking = z.object({
  /** Best first. */
  genotypes: z.array(RankedGenotype),
  /** `clear` at 80% or more. `withinReach`: the smallest set that, with the leader, contains the true best with 90% probability. */
  verdict: z.object({
    kind: z.enum(['clear', 'too-close', 'no-candidates', 'no-weights', 'no-records']),
    leaderId: z.nullable(Id),
    withinReachIds: z.array(Id),
  }),
  /** For each scored trait, how well a single plant represents its phenotype, and what that is based on. */
  traits: z.array(
    z.object({
      traitId: Id,
      weight: z.number(),
      isMeasured: z.boolean(),
      /** The share of the variance between single plants in a run that clones have in common. */
      repeatability: z.number(),
      source: z.enum(['estimated', 'stated']),
      replicatedGenotypes: z.int(),
      /** Every phenotype stood in only one run, so how much they differ between runs is assumed. */
      isOneRoom: z.boolean(),
      /** Runs that share no phenotype or check clone with the others; null stands for records without a run. */
      notComparableRunIds: z.array(z.nullable(Id)),
    }),
  ),
  /** Whether changing one weight by 20% changes the winner, and who could win if all change. */
  sensitivity: z.nullable(
    z.object({
      winnerId: Id,
      changes: z.array(z.object({ traitId: Id, factor: z.number(), winnerId: Id, changesWinner: z.boolean() })),
      overtakers: z.array(z.object({ genotypeId: Id, points: z.number() })),
    }),
  ),
  /** The most useful measurements for the decision, best first. */
  nextMeasurements: z.array(
    z.object({ genotypeId: Id, traitId: Id, plantId: Id, gain: z.number(), changesLeader: z.number(), why: z.string() }),
  ),
  nextClones: z.array(z.object({ genotypeId: Id, gain: z.number(), changesLeader: z.number(), why: z.string() })),
  /** Phenotypes that can't be kept, by number, and why; `traitId` is the trait whose must they break. */
  notInRunning: z.array(
    z.object({
      genotypeId: Id,
      number: z.int(),
      reason: z.enum(['culled', 'must', 'male', 'female', 'intersex', 'harvested', 'gone']),
      traitId: z.nullable(Id),
    }),
  ),
  /** Unmeasured phenotypes left out because the hunt has more than can be ranked. */
  unmeasuredLeftOut: z.int(),
  measuredLeftOut: z.int(),
  /** False if the hunt has more records than the limit; the newest count. */
  isComplete: z.boolean(),
})
export type KeeperRanking = z.infer<typeof KeeperRanking>

export const getKeeperRanking = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/ranking',
  summary: "Rank the phenotypes by the hunt's weights, with certainty and what to measure next",
  tag: 'Keepers',
  access: 'member',
  rateLimit: 'drawing',
  params: HuntParams,
  response: KeeperRanking,
})
