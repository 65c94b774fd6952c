import { endpoint } from './endpoint.ts'
import { figure, Id, IdParams, line, numeric, page } from './fields.ts'
import { GrowthStage } from './grow-logs.ts'
import { maxClimatePoints, maxReadingsAtOnce, maxSentReadings } from './limits.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

export const maxSensors = 50
export const maxClimateImports = 500

/** Readings are identified by time, so importing one twice adds nothing. */
export const ClimateSensor = z.object({
  id: Id,
  name: z.string(),
  readingsCount: z.int(),
  /** The sensor has a key, so readings arrive automatically. */
  isLive: z.boolean(),
  firstAt: z.nullable(z.iso.datetime()),
  lastAt: z.nullable(z.iso.datetime()),
  last: z.nullable(z.object({ airCelsius: z.number(), humidityPercent: z.number(), co2Ppm: z.nullable(z.number()), vpdKpa: z.number() })),
})
export type ClimateSensor = z.infer<typeof ClimateSensor>

export const ClimateImport = z.object({
  id: Id,
  sensor: z.object({ id: Id, name: z.string() }),
  fileName: z.string(),
  /** IANA zone assumed for times that don't state one. */
  timeZone: z.string(),
  /** Readings from this file that still exist. */
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

export const ClimatePoint = z.object({
  at: z.iso.datetime(),
  readingsCount: z.int(),
  airCelsius: spread,
  humidityPercent: spread,
  leafCelsius: spread,
  co2Ppm: spread,
  /** Aggregated from each reading's VPD, not computed from the means. */
  vpdKpa: spread,
  /** For each of the climate's `targets`, how many of the readings are within it. */
  inTarget: z.array(z.int()),
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

export const ClimateTarget = z.object({ stage: GrowthStage, measure: ClimateMeasure, low: z.number(), high: z.number() })
export type ClimateTarget = z.infer<typeof ClimateTarget>

export const Climate = z.object({
  from: z.nullable(z.iso.datetime()),
  to: z.nullable(z.iso.datetime()),
  bucketSeconds: z.int(),
  readingsCount: z.int(),
  /** Oldest first. Empty buckets are omitted. */
  points: z.array(ClimatePoint),
  /** Targets of the measures that every reading has: temperature, humidity and VPD. */
  targets: z.array(ClimateTarget),
  /** Measurements from grow logs, oldest first; at most the last 2,000. */
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
  /** A stage starts on the first day on which most logs state it. If no log states a stage, the runs' dates decide. */
  stages: z.array(z.object({ stage: GrowthStage, from: z.iso.date() })),
  sensors: z.array(ClimateSensor),
})
export type Climate = z.infer<typeof Climate>

const time = z.iso.datetime('Must be a date and time in UTC').check(z.refine((at) => at >= '1900', 'Must be in 1900 or later'))
const span = { from: z.optional(time), to: z.optional(time), sensorId: z.optional(Id) }

export const getClimate = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/climate',
  summary: "Read a hunt's climate for a chart: readings in buckets, log values and stages. Without `from` and `to`, covers the whole hunt.",
  tag: 'Climate',
  access: 'member',
  params: IdParams,
  query: z.object({
    ...span,
    /** The maximum number of buckets. */
    points: z._default(numeric(z.int().check(z.minimum(10), z.maximum(maxClimatePoints))), 500),
  }),
  response: Climate,
})

/** `GET /api/pheno-hunts/:id/climate.csv` returns all readings at once, or with `sensorId` those of one sensor. */
export const listClimateReadings = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/climate/readings',
  summary: 'List individual readings, newest first',
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
  summary: "List a hunt's climate targets by stage and measure",
  tag: 'Climate',
  access: 'member',
  params: IdParams,
  response: z.array(ClimateTarget),
})

export const setClimateTarget = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/climate/targets/:stage/:measure',
  summary: 'Set the target range for a measure in a stage, replacing the previous one',
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
  summary: 'Remove the target for a measure in a stage. Idempotent.',
  tag: 'Climate',
  access: 'member',
  params: TargetParams,
  response: z.array(ClimateTarget),
})

export const listClimateImports = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/climate/imports',
  summary: "List a hunt's imported sensor files and its months of live readings, newest first",
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
  summary: "Begin importing a sensor's file, then POST its readings. The same ID returns the same import.",
  tag: 'Climate',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({
    /** A client-generated ID, for idempotency. */
    id: z.optional(Id),
    /** The readings are added to the sensor with this name, which is created if there is none. */
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
  summary: 'Add up to 20,000 readings, as one array per column. Idempotent: skips seconds that already have a reading.',
  tag: 'Climate',
  access: 'member',
  params: IdParams,
  body: z
    .object({
      /** Unix time in seconds. */
      at: numbers(z.int().check(z.minimum(0), z.maximum(4_102_444_800))),
      airCelsius: numbers(z.number().check(z.minimum(-40), z.maximum(60))),
      humidityPercent: numbers(z.number().check(z.minimum(0), z.maximum(100))),
      /** Omitted if the file has no such column. */
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
  summary: 'Remove everything that a file added. A sensor with no readings left is removed too.',
  tag: 'Climate',
  access: 'member',
  params: IdParams,
})

/** Lets a program add readings to one sensor, which represents a room. The secret is shown only once. */
export const SensorKey = z.object({
  id: Id,
  sensor: z.object({ id: Id, name: z.string() }),
  /** The secret's last four characters. */
  secretEnd: z.string(),
  /** The key works only while this person may edit the hunt. Null if a block hides them. */
  createdBy: z.nullable(Person),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
})
export type SensorKey = z.infer<typeof SensorKey>

export const listSensorKeys = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/sensor-keys',
  summary: "List the sensor keys for a hunt's rooms. Requires the right to edit the hunt.",
  tag: 'Climate',
  access: 'member',
  params: IdParams,
  response: z.array(SensorKey),
})

export const createSensorKey = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/sensor-keys',
  summary: "Create a key that sends a room's readings to `POST /api/sensor-readings`. Returns 409 if the room already has one.",
  tag: 'Climate',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({
    /** The readings are added to the sensor with this name, which is created if there is none. */
    sensorName: line(80, 'Name the room'),
  }),
  response: z.object({ key: SensorKey, secret: z.string() }),
  status: 201,
})

export const revokeSensorKey = endpoint({
  method: 'DELETE',
  path: '/api/sensor-keys/:id',
  summary: "Revoke a room's key. It stops working immediately; its readings are kept.",
  tag: 'Climate',
  access: 'member',
  params: IdParams,
})

/** What hubs send when a sensor has no current value. */
const silences = ['', 'unknown', 'unavailable', 'none', 'null', 'nan']
const isSilence = (value: unknown) => typeof value === 'string' && silences.includes(value.trim().toLowerCase())

/** Hubs send numbers as text when they fill in a template. */
const measured = (min: number, max: number) =>
  numeric(z.number('Must be a number').check(z.minimum(min, `Must be at least ${min}`), z.maximum(max, `Must be at most ${figure(max)}`)))
const measuredIfAny = (min: number, max: number) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => (isSilence(value) ? null : value)),
      z.nullable(measured(min, max)),
    ),
  )

const zonedTime = z.iso.datetime({ offset: true })

/** Milliseconds since 1970, or NaN if the value isn't a time. */
function momentOf(value: unknown): number {
  if (typeof value === 'string' && zonedTime.safeParse(value).success) return Date.parse(value)
  return typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)) ? Number(value) * 1000 : Number.NaN
}

/**
 * A reading as sensors and hubs send it to `POST /api/sensor-readings`. Temperature and humidity are both required to compute the vapor
 * pressure deficit. Other fields are ignored.
 */
const SentReading = z.object({
  /** When the sensor was read: ISO 8601 with a time zone, or Unix time in seconds. Defaults to the time of arrival. */
  time: z.optional(
    z.pipe(
      z.transform(momentOf),
      z
        .number('Must be a date and time with a time zone, such as 2026-11-28T17:04:05Z')
        .check(z.minimum(Date.UTC(2000, 0), 'This time is too long ago. Check the sensor’s clock.'), z.maximum(Date.UTC(2100, 0))),
    ),
  ),
  temperature: measured(-40, 140),
  humidity: measured(0, 100),
  leafTemperature: measuredIfAny(-40, 140),
  co2: measuredIfAny(0, 100_000),
  /** Applies to both temperatures. */
  unit: z._default(z.enum(['C', 'F'], 'Must be C or F'), 'C'),
})
export const SentReadings = z
  .array(SentReading, 'Send a reading as a JSON object, or several as an array')
  .check(z.minLength(1, 'Send at least one reading'), z.maxLength(maxSentReadings))
