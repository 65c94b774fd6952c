import { endpoint } from './endpoint.ts'
import { Id, IdParams, page } from './fields.ts'
import { GrowthStage } from './grow-logs.ts'
import { HuntEventKind } from './hunts.endpoints.ts'
import { Day } from './hunts.ts'
import { Media } from './media.ts'
import { Person } from './people.ts'
import { EndKind, Sex, Standing } from './plants.ts'
import * as z from './zod.ts'

const Log = z.object({
  week: z.nullable(z.int()),
  stage: z.nullable(GrowthStage),
  heightCm: z.nullable(z.number()),
  rating: z.nullable(z.int()),
  notes: z.string(),
  photos: z.array(Media),
  isDeleted: z.boolean(),
  /** The plant that the log has since been moved to (“#9”); empty for the whole hunt. The log’s content is then in that history. */
  movedTo: z.nullable(z.string()),
  /** For an edited log, its previous content. Only for people who can edit the hunt. */
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
  /** As text: "4 · strong", "citrus, gas", "2026-11-20". Empty for a photo or a withdrawn value. */
  value: z.string(),
  photo: z.nullable(Media),
  note: z.string(),
  isBlind: z.boolean(),
  isWithdrawn: z.boolean(),
  corrected: z.nullable(z.object({ id: Id, value: z.string(), observedOn: Day })),
  /** A later observation corrected the value. */
  isCorrected: z.boolean(),
})

/** An entry's subject as it is now. The field named by `type` has its details. */
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
      /** Null if below the limit of quantification. */
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
  /** May be earlier than the day it was recorded. */
  happenedOn: Day,
  recordedAt: z.iso.datetime(),
  recordedBy: z.nullable(Person),
  plant: z.nullable(z.object({ id: Id, name: z.string() })),
  /** Details that the entry itself contains, depending on its kind. */
  facts: z.object({
    sex: z.optional(Sex),
    endedHow: z.optional(EndKind),
    standing: z.optional(Standing),
    row: z.optional(z.nullable(z.int())),
    column: z.optional(z.nullable(z.int())),
    /** What was corrected: one of the plant's dates or its mother status. */
    changed: z.optional(z.enum(['startedOn', 'cutOn', 'rootedOn', 'isMother'])),
    /** The values after and before a correction. */
    after: z.optional(z.nullable(z.string())),
    before: z.optional(z.nullable(z.string())),
  }),
  /** Null if the entry has no subject or its subject was deleted. */
  subject: z.nullable(HistorySubject),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

const tag = 'Plants'

export const listGenotypeHistory = endpoint({
  method: 'GET',
  path: '/api/genotypes/:id/history',
  summary: 'List everything that happened to a genotype and its plants, by day, newest first',
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
  summary: 'List everything that happened to one plant, by day, newest first',
  tag,
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(HistoryEntry),
})
