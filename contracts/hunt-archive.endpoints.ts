import { archiveTables } from './choices.ts'
import { endpoint } from './endpoint.ts'
import { figure, Id, line } from './fields.ts'
import { GrowthStage } from './grow-logs.ts'
import { Day, Hunt, HuntParams, maxSeeds } from './hunts.ts'
import { maxArchiveBytes, maxArchivePhotos, maxArchiveRows, maxPlantsAtOnce } from './limits.ts'
import { Known } from './plants.endpoints.ts'
import { EndKind, GenotypeKind, Sex, Standing } from './plants.ts'
import { OptionValue, TraitDirection, TraitKind, TraitMust, TraitOption, TraitSource } from './traits.ts'
import * as z from './zod.ts'

const text = (max: number) => line(max)
/** No real entry is older, and PostgreSQL has no year 0. */
const Time = z.iso.datetime().check(z.refine((time) => time >= '1900', 'Too long ago'))
const day = z.nullable(Day)
const amount = (low: number, high: number) => z.nullable(z.number().check(z.minimum(low), z.maximum(high)))
const whole = (low: number, high: number) => z.int().check(z.minimum(low), z.maximum(high))
const list = <Item extends z.ZodMiniType>(item: Item) => z.array(item).check(z.maxLength(maxArchiveRows, 'Too many'))

/** A 0-based index into the list that the field names (`seedLot` → `seedLots`). */
const Place = z.int().check(z.minimum(0), z.maximum(maxArchiveRows))
const place = z.nullable(Place)

/** A number, in order of first appearance, that distinguishes scorers without naming them. Omitted if unknown. */
const Scorer = z.optional(whole(1, maxArchiveRows))

/** Only in exports with names. */
const Names = z.optional(
  z.array(z.object({ number: whole(1, maxArchiveRows), name: line(100, 'Enter a name') })).check(z.maxLength(1000, 'Too many')),
)

const Measures = {
  week: z.nullable(whole(0, 520)),
  stage: z.nullable(GrowthStage),
  heightCm: amount(0, 1000),
  rating: z.nullable(whole(1, 10)),
  notes: text(4000),
  airCelsius: amount(-30, 70),
  leafCelsius: amount(-30, 70),
  humidityPercent: amount(0, 100),
  co2Ppm: amount(0, 20_000),
  ppfd: amount(0, 5000),
  ecIn: amount(0, 20),
  ecOut: amount(0, 20),
  phIn: amount(0, 14),
  phOut: amount(0, 14),
  feed: text(1000),
  pestControl: text(1000),
  training: text(1000),
}

/** A photo in a hunt's archive, attached to a grow log or to the score of a photo trait. A log's photos are in the log's order. */
export const ArchivedPhoto = z.object({
  /** Unique across hunts, so a photo from another hunt's archive can't be mistaken for this one. */
  file: z.string().check(z.regex(/^photos\/[a-z0-9][a-z0-9-]{0,99}\.(webp|avif|jpe?g|png|gif)$/, 'This isn’t the name of a photo')),
  alt: text(300),
  /** Index into `growLogs`; null for a score. */
  growLog: place,
  score: z.nullable(
    z.object({
      trait: Place,
      plant: Place,
      run: place,
      observedOn: Day,
      note: text(1000),
      isBlind: z.boolean(),
      recordedAt: Time,
      scorer: Scorer,
    }),
  ),
})
export type ArchivedPhoto = z.infer<typeof ArchivedPhoto>

/**
 * A whole hunt as one document, in metric units and without IDs: rows refer to each other by list index. Exports are deterministic except
 * for `exportedAt`, and exporting an imported document reproduces it. Excludes photos (`photosLeftOut` counts them; an archive contains
 * them as files listed in `photos`), codes of labels and cards, shares, comments, and visibility. Scorers and testers are numbers, with
 * names only on request.
 */
export const HuntDocument = z.object({
  format: z.literal('sungrove.hunt', 'This isn’t an exported hunt'),
  version: z.literal(1, 'This hunt was exported by a newer version'),
  exportedAt: Time,
  photosLeftOut: z.int(),
  /** The number of sensor readings left out because the document would be too large. `climateImports` is then empty too. */
  readingsLeftOut: z.optional(z.int()),
  hunt: z.object({
    huntName: line(120, 'Hunt name is required'),
    breeders: z.array(line(80, 'Enter a breeder')).check(z.maxLength(20)),
    seedCount: whole(0, maxSeeds),
    goals: text(2000),
    growEnvironment: text(120),
    germinationDate: day,
    isActive: z.boolean(),
    completedOn: day,
    plantLimit: z.nullable(whole(1, 100_000)),
    nextNumber: whole(1, 2_000_000_000),
    selectsMales: z._default(z.boolean(), false),
    ranksHarvested: z._default(z.boolean(), false),
  }),
  seedLots: list(
    z.object({
      mother: text(120),
      father: text(120),
      /** Indexes into `genotypes`. */
      motherGenotype: place,
      fatherGenotype: place,
      isSelfed: z.boolean(),
      generation: text(20),
      breeder: text(120),
      seedType: z.enum(['regular', 'feminized', 'auto']),
      seedCount: whole(0, 10_000),
      source: text(200),
    }),
  ),
  genotypes: list(
    z.object({
      kind: z._default(GenotypeKind, 'seed'),
      number: whole(1, 2_000_000_000),
      label: text(80),
      sex: Sex,
      notes: text(5000),
      seedLot: place,
      standing: z.nullable(Standing),
      /** Missing from older documents. */
      backupHolder: z.optional(z.nullable(line(120, 'Enter a name'))),
    }),
  ),
  plants: list(
    z.object({
      genotype: Place,
      /** 0 is the seed plant. */
      copy: whole(0, 1_000_000),
      /** Index into `plants`. */
      cutFrom: place,
      startedOn: day,
      cutOn: day,
      rootedOn: day,
      isMother: z.boolean(),
      notes: text(5000),
      endedOn: day,
      endedHow: z.nullable(EndKind),
      /** Index into `decisions`. */
      endedByDecision: place,
    }),
  ),
  decisions: list(
    z.object({
      genotype: Place,
      kind: Standing,
      reason: text(2000),
      known: Known,
      /** Indexes into `plants`. */
      endedPlants: z.array(Place).check(z.maxLength(maxPlantsAtOnce)),
      decidedOn: Day,
      recordedAt: Time,
      undoneAt: z.nullable(Time),
    }),
  ),
  runs: list(
    z.object({
      name: line(80, 'Name the run'),
      room: text(80),
      medium: text(80),
      light: text(80),
      startedOn: day,
      floweredOn: day,
      endedOn: day,
      /** Index into `genotypes`. */
      checkGenotype: place,
      benchRows: z.nullable(whole(1, 100)),
      benchColumns: z.nullable(whole(1, 100)),
    }),
  ),
  placements: list(z.object({ run: Place, plant: Place, benchRow: z.nullable(whole(1, 100)), benchColumn: z.nullable(whole(1, 100)) })),
  traits: list(
    z.object({
      name: line(80, 'Enter a name'),
      kind: TraitKind,
      source: TraitSource,
      analyte: z.nullable(text(60)),
      unit: text(20),
      options: z.array(TraitOption).check(z.maxLength(40)),
      direction: TraitDirection,
      low: amount(-1e9, 1e9),
      high: amount(-1e9, 1e9),
      target: amount(-1e9, 1e9),
      weight: z.number().check(z.minimum(0), z.maximum(100)),
      heritability: z.nullable(z.number().check(z.gt(0), z.lt(1))),
      must: z._default(z.nullable(TraitMust), null),
      fromStage: z.nullable(GrowthStage),
      toStage: z.nullable(GrowthStage),
      isExpert: z.boolean(),
      position: whole(0, 1_000_000),
      isArchived: z.boolean(),
    }),
  ),
  observations: list(
    z.object({
      trait: Place,
      plant: Place,
      run: place,
      observedOn: Day,
      valueNumber: amount(-1e9, 1e9),
      valueDate: day,
      valueOptions: z.nullable(z.array(OptionValue).check(z.maxLength(40))),
      note: text(1000),
      isBlind: z.boolean(),
      /** Index into `observations`. */
      corrects: place,
      isWithdrawn: z.boolean(),
      isCurrent: z.boolean(),
      recordedAt: Time,
      scorer: Scorer,
    }),
  ),
  growLogs: list(z.object({ plant: place, loggedOn: Day, ...Measures, version: whole(1, 1_000_000), recordedAt: Time, scorer: Scorer })),
  growLogVersions: list(
    z.object({
      growLog: Place,
      version: whole(1, 1_000_000),
      said: z.object({ plant: place, loggedOn: Day, ...Measures }),
      changedAt: Time,
    }),
  ),
  harvests: list(
    z.object({
      plant: Place,
      run: place,
      harvestedOn: Day,
      flowerDays: z.nullable(whole(0, 400)),
      wetGrams: amount(0, 100_000),
      dryGrams: amount(0, 100_000),
      trimGrams: amount(0, 100_000),
      washYieldPercent: amount(0, 100),
      notes: text(2000),
      /** Whether recording the harvest ended the plant, so that deleting it revives the plant. */
      endedPlant: z.optional(z.boolean()),
    }),
  ),
  labResults: list(
    z.object({
      plant: Place,
      lab: text(120),
      testedOn: Day,
      samplePosition: text(60),
      analyte: line(60, 'Enter the analyte'),
      value: amount(0, 1e6),
      unit: text(20),
      quantificationLimit: amount(0, 1e6),
    }),
  ),
  tasks: list(
    z.object({
      genotype: place,
      title: line(200, 'Enter a task'),
      dueOn: Day,
      everyDays: z.nullable(whole(1, 365)),
      doneAt: z.nullable(Time),
      /** Index into `tasks`: the completed task that this one repeats. */
      follows: place,
    }),
  ),
  climateTargets: list(
    z.object({
      stage: GrowthStage,
      measure: z.enum(['airCelsius', 'humidityPercent', 'leafCelsius', 'co2Ppm', 'vpdKpa']),
      low: z.number(),
      high: z.number(),
    }),
  ),
  climateSensors: list(z.object({ name: line(80, 'Name the sensor') })),
  climateImports: list(z.object({ climateSensor: Place, fileName: text(200), timeZone: text(64), readingsCount: whole(0, 100_000_000) })),
  climateReadings: list(
    z.object({
      climateSensor: Place,
      climateImport: Place,
      readAt: Time,
      airCelsius: z.number().check(z.minimum(-40), z.maximum(70)),
      humidityPercent: z.number().check(z.minimum(0), z.maximum(100)),
      leafCelsius: amount(-40, 70),
      co2Ppm: amount(0, 100_000),
      vpdKpa: z.number().check(z.minimum(-100), z.maximum(100)),
    }),
  ),
  blindPanels: list(z.object({ name: line(80, 'Name the panel'), instructions: text(2000), closedAt: z.nullable(Time) })),
  panelTraits: list(z.object({ blindPanel: Place, trait: Place, position: whole(0, 10_000) })),
  panelJars: list(
    z.object({
      blindPanel: Place,
      plant: Place,
      jarName: line(20, 'Name the jar'),
      cureDays: z.nullable(whole(0, 3650)),
      lastCard: whole(0, 1_000_000),
    }),
  ),
  panelCards: list(
    z.object({ panelJar: Place, cardNumber: whole(1, 1_000_000), answeredAt: z.nullable(Time), comment: text(1000), taster: Scorer }),
  ),
  panelScores: list(
    z.object({
      panelCard: Place,
      trait: Place,
      valueNumber: amount(-1e9, 1e9),
      valueOptions: z.nullable(z.array(OptionValue).check(z.maxLength(40))),
    }),
  ),
  scorers: Names,
  tasters: Names,
  photos: z.optional(z.array(ArchivedPhoto).check(z.maxLength(maxArchivePhotos, 'Too many'))),
})
export type HuntDocument = z.infer<typeof HuntDocument>

export const ArchiveTable = z.enum(archiveTables)
export type ArchiveTable = z.infer<typeof ArchiveTable>

/** Proves, without revealing the document, that this server had a document with this hash at this time. */
export const HuntProof = z.object({
  id: Id,
  /** Hexadecimal SHA-256 of the document without `exportedAt`, names and photos, as written by `hashedText`. */
  contentHash: z.string(),
  madeAt: Time,
  /** The proof's entry in the audit log, whose hash chain fixes its position in time. */
  auditSequence: z.int(),
  auditHash: z.string(),
})
export type HuntProof = z.infer<typeof HuntProof>

/** The hashed text omits the export date, names and photos, and lists fields in schema order. */
export function hashedText(document: HuntDocument): string {
  const { exportedAt: _, scorers: __, tasters: ___, photos: ____, ...content } = HuntDocument.parse(document)
  return JSON.stringify(content)
}

const tag = 'Hunt archive'

export const importHunt = endpoint({
  method: 'POST',
  path: '/api/hunt-imports',
  summary: `Create a private hunt from an exported document (\`GET /api/pheno-hunts/:id/export.json\`) with up to ${figure(maxArchiveRows)} entries and ${figure(maxArchivePhotos)} photos`,
  tag,
  access: 'member',
  words: 'draft',
  rateLimit: 'drawing',
  idempotent: true,
  receives: 'document',
  maxBytes: maxArchiveBytes,
  body: HuntDocument,
  response: Hunt,
  status: 201,
})

export const proveHunt = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/proofs',
  summary: 'Record a timestamped hash of the hunt as it is now. Idempotent while the hunt is unchanged.',
  tag,
  access: 'member',
  rateLimit: 'drawing',
  params: HuntParams,
  response: HuntProof,
  status: 201,
})

export const listHuntProofs = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/proofs',
  summary: "List up to 100 of a hunt's proofs, newest first",
  tag,
  access: 'member',
  params: HuntParams,
  response: z.array(HuntProof),
})

export const findHuntProof = endpoint({
  method: 'GET',
  path: '/api/hunt-proofs/:hash',
  summary: 'Check whether and when a document with this hash was recorded here. Anyone who has the document can do this.',
  tag,
  access: 'public',
  params: z.object({ hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  response: z.omit(HuntProof, { id: true }),
})
