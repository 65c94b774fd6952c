import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, numeric, page } from './fields.ts'
import { GrowthStage } from './grow-logs.ts'
import { maxClimatePoints, maxReadingsAtOnce } from './limits.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

export const maxReadingsOfHunt = 1_000_000

export const maxSensors = 50
export const maxClimateImports = 500

/** A sensor. Its readings are identified by time, so importing one twice adds nothing. */
export const ClimateSensor = z.object({
  id: Id,
  name: z.string(),
  readingsCount: z.int(),
  firstAt: z.nullable(z.iso.datetime()),
  lastAt: z.nullable(z.iso.datetime()),
})
export type ClimateSensor = z.infer<typeof ClimateSensor>

export const ClimateImport = z.object({
  id: Id,
  sensor: z.object({ id: Id, name: z.string() }),
  fileName: z.string(),
  /** IANA zone assumed for times without one. */
  timeZone: z.string(),
  /** Readings added by this file that still exist. */
  readingsCount: z.int(),
  importedBy: z.nullable(Person),
  createdAt: z.iso.datetime(),
})
export type ClimateImport = z.infer<typeof ClimateImport>

const climateMeasures = ['airCelsius', 'humidityPercent', 'leafCelsius', 'co2Ppm', 'vpdKpa'] as const
export const ClimateMeasure = z.enum(climateMeasures)
export type ClimateMeasure = z.infer<typeof ClimateMeasure>

const Spread = z.object({ min: z.number(), mean: z.number(), max: z.number() })
const spread = z.nullable(Spread)

/** Aggregated over the bucket that starts at `at`. */
export const ClimatePoint = z.object({
  at: z.iso.datetime(),
  readingsCount: z.int(),
  airCelsius: spread,
  humidityPercent: spread,
  leafCelsius: spread,
  co2Ppm: spread,
  /** Over all readings, not over their means. */
  vpdKpa: spread,
})
export type ClimatePoint = z.infer<typeof ClimatePoint>

export const ClimateReading = z.object({
  at: z.iso.datetime(),
  sensorId: Id,
  airCelsius: z.number(),
  humidityPercent: z.number(),
  leafCelsius: z.nullable(z.number()),
  co2Ppm: z.nullable(z.number()),
  vpdKpa: z.number(),
})
export type ClimateReading = z.infer<typeof ClimateReading>

export const Climate = z.object({
  from: z.nullable(z.iso.datetime()),
  to: z.nullable(z.iso.datetime()),
  bucketSeconds: z.int(),
  readingsCount: z.int(),
  /** Chronological; empty buckets are omitted. */
  points: z.array(ClimatePoint),
  /** Manual measurements from logs, oldest first; at most the last 2,000. */
  logs: z.array(
    z.object({
      logId: Id,
      on: z.iso.date(),
      airCelsius: z.nullable(z.number()),
      humidityPercent: z.nullable(z.number()),
      leafCelsius: z.nullable(z.number()),
      co2Ppm: z.nullable(z.number()),
      vpdKpa: z.nullable(z.number()),
    }),
  ),
  /** Starts of stages, by the majority of a day's logs, otherwise by the dates of runs. */
  stages: z.array(z.object({ stage: GrowthStage, from: z.iso.date() })),
  sensors: z.array(ClimateSensor),
})
export type Climate = z.infer<typeof Climate>

/** A grower's target range in a stage. */
export const ClimateTarget = z.object({ stage: GrowthStage, measure: ClimateMeasure, low: z.number(), high: z.number() })
export type ClimateTarget = z.infer<typeof ClimateTarget>

/** Rejects years before 1900. */
const time = z.iso.datetime('Must be a date and time in UTC').check(z.refine((at) => at >= '1900', 'Choose a later day'))
const span = { from: z.optional(time), to: z.optional(time), sensorId: z.optional(Id) }

export const getClimate = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/climate',
  summary: "Read a hunt's climate for a plot: readings in buckets, log values and stages; without `from` and `to`, all of it",
  tag: 'Climate',
  access: 'member',
  params: IdParams,
  query: z.object({
    ...span,
    /** Approximate number of buckets; sets their length. */
    points: z._default(numeric(z.int().check(z.minimum(10), z.maximum(maxClimatePoints))), 500),
  }),
  response: Climate,
})

/** To get all of them as a file: `GET /api/pheno-hunts/:id/climate.csv`. */
export const listClimateReadings = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/climate/readings',
  summary: 'List single readings, newest first',
  tag: 'Climate',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object({ ...page, ...span }),
  response: z.array(ClimateReading),
})

const TargetParams = z.object({ id: Id, stage: GrowthStage, measure: ClimateMeasure })

export const listClimateTargets = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/climate/targets',
  summary: 'List the climate targets by stage and measure',
  tag: 'Climate',
  access: 'member',
  params: IdParams,
  response: z.array(ClimateTarget),
})

export const setClimateTarget = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/climate/targets/:stage/:measure',
  summary: 'Set the target range of a measure in a stage, replacing the previous one',
  tag: 'Climate',
  access: 'member',
  params: TargetParams,
  body: z
    .object({ low: z.number('Must be a number'), high: z.number('Must be a number') })
    .check(z.refine(({ low, high }) => low <= high, { path: ['high'], message: 'Must not be lower than the low end' })),
  response: z.array(ClimateTarget),
})

export const removeClimateTarget = endpoint({
  method: 'DELETE',
  path: '/api/pheno-hunts/:id/climate/targets/:stage/:measure',
  summary: 'Remove the target of a measure in a stage. Idempotent.',
  tag: 'Climate',
  access: 'member',
  params: TargetParams,
  response: z.array(ClimateTarget),
})

export const listClimateImports = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/climate/imports',
  summary: 'List the imported files, newest first',
  tag: 'Climate',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(ClimateImport),
})

export const beginClimateImport = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/climate/imports',
  summary: "Begin an import of a sensor's file, then POST its readings. The same ID returns the same import.",
  tag: 'Climate',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({
    /** From the client, for idempotency. */
    id: z.optional(Id),
    /** A known name selects that sensor; any other creates one. */
    sensorName: line(80, 'Name the sensor'),
    fileName: line(200, 'Enter a file name'),
    timeZone: line(64, 'Choose the time zone'),
  }),
  response: ClimateImport,
  status: 201,
})

const numbers = <T extends z.ZodMiniType<number | null>>(each: T) => z.array(each).check(z.minLength(1), z.maxLength(maxReadingsAtOnce))

export const addClimateReadings = endpoint({
  method: 'POST',
  path: '/api/climate-imports/:id/readings',
  summary: 'Add up to 20,000 readings, as one array per column. Idempotent: seconds the sensor already has are skipped.',
  tag: 'Climate',
  access: 'member',
  params: IdParams,
  body: z
    .object({
      /** Unix time in seconds. */
      at: numbers(z.int().check(z.minimum(0), z.maximum(4_102_444_800))),
      airCelsius: numbers(z.number().check(z.minimum(-40), z.maximum(60))),
      humidityPercent: numbers(z.number().check(z.minimum(0), z.maximum(100))),
      /** Omitted if the file has none. */
      leafCelsius: z.optional(numbers(z.nullable(z.number().check(z.minimum(-40), z.maximum(60))))),
      co2Ppm: z.optional(numbers(z.nullable(z.number().check(z.minimum(0), z.maximum(100_000))))),
    })
    .check(
      z.refine(
        ({ at, airCelsius, humidityPercent, leafCelsius, co2Ppm }) =>
          [airCelsius, humidityPercent, leafCelsius ?? at, co2Ppm ?? at].every(({ length }) => length === at.length),
        { path: ['at'], message: 'All columns must have the same length' },
      ),
    ),
  response: z.object({ added: z.int(), already: z.int(), readingsCount: z.int() }),
})

export const undoClimateImport = endpoint({
  method: 'DELETE',
  path: '/api/climate-imports/:id',
  summary: 'Remove everything that a file added; a sensor left without readings is removed too',
  tag: 'Climate',
  access: 'member',
  params: IdParams,
})
