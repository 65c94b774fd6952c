import { Id } from './fields.ts'
import { GrowthStage } from './grow-logs.ts'
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

export const climateMeasures = ['airCelsius', 'humidityPercent', 'leafCelsius', 'co2Ppm', 'vpdKpa'] as const
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
