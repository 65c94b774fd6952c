import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { GrowthStage } from './grow-logs.ts'
import { HuntEventKind } from './hunt-activity.ts'
import { Day } from './hunts.ts'
import { Id, IdParams } from './ids.ts'
import { Media } from './media.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { EndKind, Sex, Standing } from './plants.ts'

const Log = z.object({
  week: z.nullable(z.int()),
  stage: z.nullable(GrowthStage),
  heightCm: z.nullable(z.number()),
  rating: z.nullable(z.int()),
  notes: z.string(),
  photos: z.array(Media),
  isDeleted: z.boolean(),
  /** Of an entry about its change: what it said before. */
  before: z.nullable(
    z.object({
      week: z.nullable(z.int()),
      stage: z.nullable(GrowthStage),
      heightCm: z.nullable(z.number()),
      rating: z.nullable(z.int()),
      notes: z.string(),
    }),
  ),
})

const Score = z.object({
  traitId: Id,
  trait: z.string(),
  unit: z.string(),
  /** In words: "4 · strong", "citrus, gas", "2026-11-20". Empty of a photo, and where a correction took the value back. */
  value: z.string(),
  photo: z.nullable(Media),
  note: z.string(),
  isBlind: z.boolean(),
  isWithdrawn: z.boolean(),
  /** The value in whose place it stands. */
  corrected: z.nullable(z.object({ id: Id, value: z.string(), observedOn: Day })),
  /** Another one stands in its place since. */
  isCorrected: z.boolean(),
})

/** What an entry is about, as it is now: the id of the thing, and under the name of its type what there is to say of it. */
export const HistorySubject = z.object({
  type: z.enum(['log', 'observation', 'decision', 'harvest', 'lab', 'run']),
  id: Id,
  log: z.optional(Log),
  observation: z.optional(Score),
  decision: z.optional(z.object({ kind: Standing, reason: z.string(), isUndone: z.boolean() })),
  harvest: z.optional(
    z.object({
      flowerDays: z.nullable(z.int()),
      wetGrams: z.nullable(z.number()),
      dryGrams: z.nullable(z.number()),
      washYieldPercent: z.nullable(z.number()),
    }),
  ),
  lab: z.optional(
    z.object({
      lab: z.string(),
      analyte: z.string(),
      /** Null: below the limit of quantification. */
      value: z.nullable(z.number()),
      unit: z.string(),
      quantificationLimit: z.nullable(z.number()),
    }),
  ),
  run: z.optional(z.object({ name: z.string() })),
})
export type HistorySubject = z.infer<typeof HistorySubject>

export const HistoryEntry = z.object({
  id: Id,
  kind: HuntEventKind,
  /** May lie before the day on which it was recorded. */
  happenedOn: Day,
  recordedAt: z.iso.datetime(),
  recordedBy: z.nullable(Person),
  /** The plant that it is about; null: the genotype. */
  plant: z.nullable(z.object({ id: Id, name: z.string() })),
  /** What the entry itself says, by its kind. */
  facts: z.object({
    sex: z.optional(Sex),
    endedHow: z.optional(EndKind),
    standing: z.optional(Standing),
    row: z.optional(z.nullable(z.int())),
    column: z.optional(z.nullable(z.int())),
    /** Which day of a plant was corrected, or whether it is a mother. */
    changed: z.optional(z.enum(['startedOn', 'cutOn', 'rootedOn', 'isMother'])),
    /** A correction: what it says now, and what it said before. */
    after: z.optional(z.nullable(z.string())),
    before: z.optional(z.nullable(z.string())),
  }),
  /** Null: the entry says all there is, or what it was about is gone. */
  subject: z.nullable(HistorySubject),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

const tag = 'Plants'

export const listGenotypeHistory = endpoint({
  method: 'GET',
  path: '/api/genotypes/:id/history',
  summary: 'Everything that happened to a genotype and its plants, the last day first; what was written later stands at its day',
  tag,
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(HistoryEntry),
})

export const listPlantHistory = endpoint({
  method: 'GET',
  path: '/api/plants/:id/history',
  summary: 'Everything that happened to one plant, the last day first',
  tag,
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(HistoryEntry),
})
