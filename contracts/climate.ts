import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { GrowthStage } from './grow-logs.ts'
import { Id, IdParams } from './ids.ts'
import { numeric, page } from './pagination.ts'
import { Person } from './people.ts'
import { line } from './text.ts'

/** In one call; a longer file is sent in several. */
export const maxReadingsAtOnce = 20_000
/** Of one file, and of one hunt. */
export const maxReadingsOfFile = 200_000
export const maxReadingsOfHunt = 1_000_000
export const maxClimatePoints = 2000
export const maxSensors = 50
export const maxClimateImports = 500

/** What stands somewhere and measures. Its readings are known by their time: the same one twice adds nothing. */
export const ClimateSensor = z.object({
  id: Id,
  name: z.string(),
  readingsCount: z.int(),
  firstAt: z.nullable(z.iso.datetime()),
  lastAt: z.nullable(z.iso.datetime()),
})
export type ClimateSensor = z.infer<typeof ClimateSensor>

/** One file of a sensor. */
export const ClimateImport = z.object({
  id: Id,
  sensor: z.object({ id: Id, name: z.string() }),
  fileName: z.string(),
  /** IANA name: where times without a zone were taken to be. */
  timeZone: z.string(),
  /** Those that this file added and that are there still. */
  readingsCount: z.int(),
  importedBy: z.nullable(Person),
  createdAt: z.iso.datetime(),
})
export type ClimateImport = z.infer<typeof ClimateImport>

export const climateMeasures = ['airCelsius', 'humidityPercent', 'leafCelsius', 'co2Ppm', 'vpdKpa'] as const
export const ClimateMeasure = z.enum(climateMeasures)
export type ClimateMeasure = z.infer<typeof ClimateMeasure>

const Spread = z.object({ min: z.number(), mean: z.number(), max: z.number() })
const spread = z.nullable(Spread)

/** What was measured from `at` on, for as long as a bucket is. */
export const ClimatePoint = z.object({
  at: z.iso.datetime(),
  readingsCount: z.int(),
  airCelsius: spread,
  humidityPercent: spread,
  leafCelsius: spread,
  co2Ppm: spread,
  /** Of every single reading, not of the means. */
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

/** Of a year that the database knows. */
const time = z.iso.datetime('Must be a date and time in UTC').check(z.refine((at) => at >= '1900', 'Choose a later day'))
const span = { from: z.optional(time), to: z.optional(time), sensorId: z.optional(Id) }

export const getClimate = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/climate',
  summary: "A hunt's climate for a plot: readings in buckets, what logs say, and its stages; without `from` and `to`, all there is",
  tag: 'Climate',
  access: 'member',
  params: IdParams,
  query: z.object({
    ...span,
    /** Buckets are made so long that there are about as many. */
    points: z._default(numeric(z.int().check(z.minimum(10), z.maximum(maxClimatePoints))), 500),
  }),
  response: z.object({
    from: z.nullable(z.iso.datetime()),
    to: z.nullable(z.iso.datetime()),
    bucketSeconds: z.int(),
    readingsCount: z.int(),
    /** In the order of time; a bucket without a reading is left out. */
    points: z.array(ClimatePoint),
    /** Air measured by hand and written in logs, the oldest first; at most the last 2,000. */
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
    /** From the day on, by what most logs of a day say, or else by the dates of runs. */
    stages: z.array(z.object({ stage: GrowthStage, from: z.iso.date() })),
    sensors: z.array(ClimateSensor),
  }),
})
export type Climate = z.infer<typeof getClimate.response>

/** All of them as a file: `GET /api/pheno-hunts/:id/climate.csv`. */
export const listClimateReadings = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/climate/readings',
  summary: 'Single readings, the newest first',
  tag: 'Climate',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object({ ...page, ...span }),
  response: z.array(ClimateReading),
})

/** The band that a grower aims at in a stage. */
export const ClimateTarget = z.object({ stage: GrowthStage, measure: ClimateMeasure, low: z.number(), high: z.number() })
export type ClimateTarget = z.infer<typeof ClimateTarget>

const TargetParams = z.object({ id: Id, stage: GrowthStage, measure: ClimateMeasure })

export const listClimateTargets = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/climate/targets',
  summary: 'What the grower aims at, by stage and measure',
  tag: 'Climate',
  access: 'member',
  params: IdParams,
  response: z.array(ClimateTarget),
})

export const setClimateTarget = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/climate/targets/:stage/:measure',
  summary: 'Aim at a band in a stage, in the place of the one before',
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
  summary: 'Aim at nothing in a stage any more',
  tag: 'Climate',
  access: 'member',
  params: TargetParams,
  response: z.array(ClimateTarget),
})

export const listClimateImports = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/climate/imports',
  summary: 'Files that were imported, the newest first',
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
  summary: "Begin an import of a sensor's file, then POST its readings; the same id again answers the same import",
  tag: 'Climate',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({
    /** Made by whoever imports, so that it can be sent twice. */
    id: z.optional(Id),
    /** A name that the hunt knows is that sensor; another one is a new sensor. */
    sensorName: line(80, 'Name the sensor'),
    fileName: line(200, 'Name the file'),
    timeZone: line(64, 'Say in which time zone'),
  }),
  response: ClimateImport,
  status: 201,
})

const numbers = <T extends z.ZodMiniType<number | null>>(each: T) => z.array(each).check(z.minLength(1), z.maxLength(maxReadingsAtOnce))

export const addClimateReadings = endpoint({
  method: 'POST',
  path: '/api/climate-imports/:id/readings',
  summary: 'Up to 20,000 readings, as one array a column; what the sensor has of that second already is left out, so it is safe to repeat',
  tag: 'Climate',
  access: 'member',
  params: IdParams,
  body: z
    .object({
      /** Seconds since 1970 in UTC. */
      at: numbers(z.int().check(z.minimum(0), z.maximum(4_102_444_800))),
      airCelsius: numbers(z.number().check(z.minimum(-40), z.maximum(60))),
      humidityPercent: numbers(z.number().check(z.minimum(0), z.maximum(100))),
      /** Left out where the file has none. */
      leafCelsius: z.optional(numbers(z.nullable(z.number().check(z.minimum(-40), z.maximum(60))))),
      co2Ppm: z.optional(numbers(z.nullable(z.number().check(z.minimum(0), z.maximum(100_000))))),
    })
    .check(
      z.refine(
        ({ at, airCelsius, humidityPercent, leafCelsius, co2Ppm }) =>
          [airCelsius, humidityPercent, leafCelsius ?? at, co2Ppm ?? at].every(({ length }) => length === at.length),
        { path: ['at'], message: 'All columns must be equally long' },
      ),
    ),
  response: z.object({ added: z.int(), already: z.int(), readingsCount: z.int() }),
})

export const undoClimateImport = endpoint({
  method: 'DELETE',
  path: '/api/climate-imports/:id',
  summary: 'Take out all that a file added; a sensor that has nothing left goes too',
  tag: 'Climate',
  access: 'member',
  params: IdParams,
})
