import { growthStages } from './choices.ts'
import { Id, line } from './fields.ts'
import { Day } from './hunts.ts'
import { maxPhotosOfLog } from './limits.ts'
import { Media } from './media.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

export const GrowthStage = z.enum(growthStages)
export type GrowthStage = z.infer<typeof GrowthStage>

/** How many days a deleted log can be restored before it is erased. */
export const daysToRestore = 30

/** “#7” is the seed plant, “#7-2” its second clone. */
export const PlantOfLog = z.object({
  id: Id,
  genotypeId: Id,
  number: z.int(),
  /** 0 is the seed plant; clones count from 1. */
  copy: z.int(),
  /** The grower's name for the genotype; may be empty. */
  label: z.string(),
  /** The eight characters printed on the plant's label. */
  code: z.string(),
})
export type PlantOfLog = z.infer<typeof PlantOfLog>

const between = (low: number, high: number, unit = '') => {
  const message = `Must be ${low} to ${high}${unit === '' ? '' : ` ${unit}`}`
  return z.number(message).check(z.minimum(low, message), z.maximum(high, message))
}
export const whole = (low: number, high: number) => {
  const message = `Must be a whole number from ${low} to ${high}`
  return z.int(message).check(z.minimum(low, message), z.maximum(high, message))
}

/** In metric units. Null or empty means not recorded. */
const fields = {
  /** Any day up to tomorrow, because of time zones. */
  loggedOn: Day,
  /** As entered. If null, the response computes it from the start of the plant or hunt; days 1 to 7 are week 1. */
  week: z.nullable(whole(0, 520)),
  stage: z.nullable(GrowthStage),
  heightCm: z.nullable(between(0, 1000, 'cm')),
  rating: z.nullable(whole(1, 10)),
  notes: line(4000),
  airCelsius: z.nullable(between(-30, 70, '°C')),
  leafCelsius: z.nullable(between(-30, 70, '°C')),
  humidityPercent: z.nullable(between(0, 100, '%')),
  co2Ppm: z.nullable(between(0, 20_000, 'ppm')),
  ppfd: z.nullable(between(0, 5000, 'µmol/m²/s')),
  /** Electrical conductivity of the feed and the runoff. */
  ecIn: z.nullable(between(0, 20, 'mS/cm')),
  ecOut: z.nullable(between(0, 20, 'mS/cm')),
  phIn: z.nullable(between(0, 14)),
  phOut: z.nullable(between(0, 14)),
  feed: line(1000),
  pestControl: line(1000),
  training: line(1000),
}

export const GrowLog = z.object({
  ...fields,
  id: Id,
  huntId: Id,
  /** Null for the whole hunt. */
  plant: z.nullable(PlantOfLog),
  /** False if the week was computed from the start of the plant or hunt. */
  isWeekStated: z.boolean(),
  /** Computed from the leaf temperature or, if unknown, from 2 °C below the air temperature. Null if temperature or humidity is unknown. */
  vpdKpa: z.nullable(z.number()),
  photos: z.array(Media),
  author: z.nullable(Person),
  /** Starts at 1 and changes with every edit. Send it with an edit. */
  version: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type GrowLog = z.infer<typeof GrowLog>

const given = {
  loggedOn: fields.loggedOn,
  week: z._default(fields.week, null),
  stage: z._default(fields.stage, null),
  heightCm: z._default(fields.heightCm, null),
  rating: z._default(fields.rating, null),
  notes: z._default(fields.notes, ''),
  airCelsius: z._default(fields.airCelsius, null),
  leafCelsius: z._default(fields.leafCelsius, null),
  humidityPercent: z._default(fields.humidityPercent, null),
  co2Ppm: z._default(fields.co2Ppm, null),
  ppfd: z._default(fields.ppfd, null),
  ecIn: z._default(fields.ecIn, null),
  ecOut: z._default(fields.ecOut, null),
  phIn: z._default(fields.phIn, null),
  phOut: z._default(fields.phOut, null),
  feed: z._default(fields.feed, ''),
  pestControl: z._default(fields.pestControl, ''),
  training: z._default(fields.training, ''),
}

const mediaIds = z.array(Id).check(z.maxLength(maxPhotosOfLog, `At most ${maxPhotosOfLog} photos`))

/** An entry about several plants has one row per plant, each with its own ID. */
export const NewGrowLogRow = z.object({
  ...given,
  /** A UUIDv7 from the client, for idempotency. If omitted, the server generates one. */
  id: z.optional(Id),
  /** Null for the whole hunt. */
  plantId: z._default(z.nullable(Id), null),
  /** The author's processed uploads that nothing else uses. */
  mediaIds: z._default(mediaIds, []),
})
export type NewGrowLogRow = z.infer<typeof NewGrowLogRow>

export const NewGrowLog = z.extend(NewGrowLogRow, { huntId: Id })
export type NewGrowLog = z.infer<typeof NewGrowLog>

/** Omitted fields are unchanged; null or an empty string clears a field. */
export const GrowLogChange = z.extend(
  z.partial(z.object({ ...fields, plantId: z.nullable(Id), mediaIds })),
  /** The version that was edited. A stale one is rejected (409 `conflict`). */
  { version: z.int() },
)
export type GrowLogChange = z.infer<typeof GrowLogChange>

export const GrowLogVersion = z.object({
  ...fields,
  version: z.int(),
  plantId: z.nullable(Id),
  photosCount: z.int(),
  changedBy: z.nullable(Person),
  changedAt: z.iso.datetime(),
})
export type GrowLogVersion = z.infer<typeof GrowLogVersion>

export const PhotosOfDay = z.object({
  on: z.nullable(Day),
  /** Latest first. */
  days: z.array(z.object({ on: Day, photosCount: z.int() })),
  /** Sorted by number. Photos of the whole hunt come first and have no plant. */
  plants: z.array(
    z.object({
      plant: z.nullable(PlantOfLog),
      photos: z.array(
        z.object({
          media: Media,
          logId: z.nullable(Id),
          observationId: z.nullable(Id),
          /** Upload time; the time of capture isn't stored. */
          addedAt: z.iso.datetime(),
        }),
      ),
    }),
  ),
})
export type PhotosOfDay = z.infer<typeof PhotosOfDay>

/** Heights and ratings per response. */
export const maxGrowthPoints = 20_000

export const Growth = z.object({
  plants: z.array(
    z.object({
      plant: PlantOfLog,
      /** Oldest first. */
      points: z.array(
        z.object({
          logId: Id,
          on: Day,
          /** Day 1 is the plant's start or, for a seed plant without a start date, the hunt's start. Null if unknown or earlier. */
          day: z.nullable(z.int()),
          week: z.nullable(z.int()),
          heightCm: z.nullable(z.number()),
          rating: z.nullable(z.int()),
        }),
      ),
    }),
  ),
  /** False if the hunt has more points than the limit; the response then contains only the newest. */
  isComplete: z.boolean(),
})
export type Growth = z.infer<typeof Growth>
