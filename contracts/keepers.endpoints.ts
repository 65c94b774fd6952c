import { endpoint } from './endpoint.ts'
import { Id } from './fields.ts'
import { HuntParams } from './hunts.ts'
import * as z from './zod.ts'

const Interval = z.tuple([z.number(), z.number()])

const RankedGenotype = z.object({
  genotypeId: Id,
  number: z.int(),
  label: z.string(),
  rank: z.int(),
  /** 0 to 100: the weighted mean of the traits' desirabilities, each shrunk toward the hunt's mean according to its uncertainty. */
  score: z.number(),
  /** The true score is in the interval with a probability of 80% or 95%. */
  interval80: Interval,
  interval95: Interval,
  /** The probability of truly being the best, and of being in the top three. */
  chanceBest: z.number(),
  chanceTop3: z.number(),
  /** Probability of truly being better than the leader; null for the leader. */
  chanceBeatsLeader: z.nullable(z.number()),
  contributions: z.array(
    z.object({
      traitId: Id,
      /** The trait's share of the total weight, from 0 to 1. */
      share: z.number(),
      /** Desirability from 0 to 1. `ownMean` is the mean of the phenotype's own plants, or null if none has a record. */
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
  /**
   * `clear`: the leader is the best with a probability of 80% or more. `withinReachIds`: the smallest set that, with the leader, contains
   * the true best with a probability of 90% or more.
   */
  verdict: z.object({
    kind: z.enum(['clear', 'too-close', 'no-candidates', 'no-weights', 'no-records']),
    leaderId: z.nullable(Id),
    withinReachIds: z.array(Id),
  }),
  /** For each scored trait, how well a single plant represents its phenotype, and the basis for that. */
  traits: z.array(
    z.object({
      traitId: Id,
      weight: z.number(),
      isMeasured: z.boolean(),
      /** The share of the variance between individual plants in a run that is due to the phenotype, which clones have in common. */
      repeatability: z.number(),
      source: z.enum(['estimated', 'stated']),
      replicatedGenotypes: z.int(),
      /** Too few phenotypes grew in several runs, so the phenotype × run interaction is assumed. */
      isOneRoom: z.boolean(),
      /** Runs that no phenotype or check clone connects with the largest group of runs. Null means records without a run. */
      notComparableRunIds: z.array(z.nullable(Id)),
    }),
  ),
  /** Whether changing one weight by 20% changes the winner, and who could win if all weights change. */
  sensitivity: z.nullable(
    z.object({
      winnerId: Id,
      changes: z.array(z.object({ traitId: Id, factor: z.number(), winnerId: Id, changesWinner: z.boolean() })),
      overtakers: z.array(z.object({ genotypeId: Id, points: z.number() })),
    }),
  ),
  /** The measurements that would help most with the decision, best first. */
  nextMeasurements: z.array(
    z.object({ genotypeId: Id, traitId: Id, plantId: Id, gain: z.number(), changesLeader: z.number(), why: z.string() }),
  ),
  nextClones: z.array(z.object({ genotypeId: Id, gain: z.number(), changesLeader: z.number(), why: z.string() })),
  /** Phenotypes that can't be kept, sorted by number, and why. `traitId` is the trait whose “must” rules the phenotype out. */
  notInRunning: z.array(
    z.object({
      genotypeId: Id,
      number: z.int(),
      reason: z.enum(['culled', 'must', 'male', 'female', 'intersex', 'harvested', 'gone']),
      traitId: z.nullable(Id),
    }),
  ),
  /** Phenotypes beyond the number that can be ranked. */
  unmeasuredLeftOut: z.int(),
  measuredLeftOut: z.int(),
  /** False if the hunt has more records than the limit; only the newest count. */
  isComplete: z.boolean(),
})
export type KeeperRanking = z.infer<typeof KeeperRanking>

export const getKeeperRanking = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/ranking',
  summary: "Rank a hunt's phenotypes by its weights, and suggest what to measure next",
  tag: 'Keepers',
  access: 'member',
  rateLimit: 'drawing',
  params: HuntParams,
  response: KeeperRanking,
})
