import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Day } from './hunts.ts'
import { Id, IdParams } from './ids.ts'
import { Media } from './media.ts'
import { numeric, page } from './pagination.ts'
import { Person } from './people.ts'
import { line } from './text.ts'

export const growthStages = ['germination', 'seedling', 'vegetative', 'flower', 'drying', 'curing'] as const
export const GrowthStage = z.enum(growthStages)
export type GrowthStage = z.infer<typeof GrowthStage>

export const maxPhotosOfLog = 10
/** Rows of one batch. */
export const maxLogsAtOnce = 200
/** How long a deleted log can be brought back; then it is gone. */
export const daysToRestore = 30

/** A plant, as a log names it: “#7” is the plant of the seed, “#7-2” its second clone. */
export const PlantOfLog = z.object({
  id: Id,
  genotypeId: Id,
  number: z.int(),
  /** 0: the plant of the seed; clones count from 1. */
  copy: z.int(),
  /** What the grower calls the genotype; may be empty. */
  label: z.string(),
  /** Eight characters, as printed on its label. */
  code: z.string(),
})
export type PlantOfLog = z.infer<typeof PlantOfLog>

const between = (low: number, high: number, unit = '') => {
  const message = `Must be ${low} to ${high}${unit === '' ? '' : ` ${unit}`}`
  return z.number(message).check(z.minimum(low, message), z.maximum(high, message))
}
const whole = (low: number, high: number) => {
  const message = `Must be a whole number from ${low} to ${high}`
  return z.int(message).check(z.minimum(low, message), z.maximum(high, message))
}

/** What a log says, all in SI units. Null or empty: not said. */
const fields = {
  /** May lie back as far as you like; at most tomorrow, as somewhere it is tomorrow already. */
  loggedOn: Day,
  /** As stated; where it is null, the answer has the one that the germination date gives. The first seven days are week 1. */
  week: z.nullable(whole(0, 520)),
  stage: z.nullable(GrowthStage),
  heightCm: z.nullable(between(0, 1000, 'cm')),
  rating: z.nullable(whole(1, 10)),
  notes: line(4000),
  airCelsius: z.nullable(between(-30, 70, '°C')),
  leafCelsius: z.nullable(between(-30, 70, '°C')),
  humidityPercent: z.nullable(between(0, 100, '%')),
  co2Ppm: z.nullable(between(0, 20_000, 'ppm')),
  /** Light that the leaves get, in µmol/m²/s. */
  ppfd: z.nullable(between(0, 5000, 'µmol/m²/s')),
  /** Of what goes in and of what runs off, in mS/cm. */
  ecIn: z.nullable(between(0, 20, 'mS/cm')),
  ecOut: z.nullable(between(0, 20, 'mS/cm')),
  phIn: z.nullable(between(0, 14)),
  phOut: z.nullable(between(0, 14)),
  feed: line(1000),
  pestControl: line(1000),
  training: line(1000),
}

/** One entry about one plant, or about the whole hunt, on one day. */
export const GrowLog = z.object({
  ...fields,
  id: Id,
  huntId: Id,
  /** Null: of the whole hunt. */
  plant: z.nullable(PlantOfLog),
  /** Whether the week was stated; otherwise it follows from the day on which the plant, or else the hunt, began. */
  isWeekStated: z.boolean(),
  /** From the leaf's temperature, or the air's less 2 °C; null without temperature and humidity. */
  vpdKpa: z.nullable(z.number()),
  photos: z.array(Media),
  /** Null: whoever wrote it has left. */
  author: z.nullable(Person),
  /** 1 when it was written; changes with every edit. Sent back with one. */
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

/** One row of a batch. An entry over many plants is a row for each, every one with an id of its own. */
export const NewGrowLogRow = z.object({
  ...given,
  /** A UUIDv7 made by whoever writes, so that sending the log twice is known for what it is. Without one the server makes it. */
  id: z.optional(Id),
  /** Null: of the whole hunt. */
  plantId: z._default(z.nullable(Id), null),
  /** Ready uploads of the writer's own, shown nowhere else. */
  mediaIds: z._default(mediaIds, []),
})
export type NewGrowLogRow = z.infer<typeof NewGrowLogRow>

export const NewGrowLog = z.extend(NewGrowLogRow, { huntId: Id })
export type NewGrowLog = z.infer<typeof NewGrowLog>

/** What is not given stays; null or an empty text takes it out. */
export const GrowLogChange = z.extend(
  z.partial(z.object({ ...fields, plantId: z.nullable(Id), mediaIds })),
  /** The version that the change was made on: where the log is another by now, nothing is changed (409 `conflict`). */
  { version: z.int() },
)
export type GrowLogChange = z.infer<typeof GrowLogChange>

/** What a log said until it was changed or deleted. */
export const GrowLogVersion = z.object({
  ...fields,
  version: z.int(),
  plantId: z.nullable(Id),
  photosCount: z.int(),
  /** Who changed it to what came next, and when. */
  changedBy: z.nullable(Person),
  changedAt: z.iso.datetime(),
})
export type GrowLogVersion = z.infer<typeof GrowLogVersion>

export const listGrowLogs = endpoint({
  method: 'GET',
  path: '/api/grow-logs',
  summary: 'Logs of a hunt, or of one of its plants, the newest day first',
  tag: 'Grow logs',
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    huntId: Id,
    plantId: z.optional(Id),
    from: z.optional(Day),
    to: z.optional(Day),
    week: z.optional(numeric(whole(0, 520))),
  }),
  response: z.array(GrowLog),
})

export const createGrowLog = endpoint({
  method: 'POST',
  path: '/api/grow-logs',
  summary: 'Write a log; the same id with the same content again answers the same log, with another content 409',
  tag: 'Grow logs',
  access: 'member',
  words: 'mixed',
  idempotent: true,
  body: NewGrowLog,
  response: GrowLog,
  status: 201,
})

export const createGrowLogs = endpoint({
  method: 'POST',
  path: '/api/grow-logs/batch',
  summary: 'Write up to 200 logs of one hunt, all or none; safe to repeat where the rows have ids',
  tag: 'Grow logs',
  access: 'member',
  words: 'mixed',
  idempotent: true,
  body: z.object({
    huntId: Id,
    /** A row that is wrong is named by its place: `logs.3.heightCm`. */
    logs: z
      .array(NewGrowLogRow)
      .check(z.minLength(1, 'Send at least one row'), z.maxLength(maxLogsAtOnce, `At most ${maxLogsAtOnce} rows`)),
  }),
  /** In the order of the rows. */
  response: z.array(GrowLog),
  status: 201,
})

export const getGrowLog = endpoint({
  method: 'GET',
  path: '/api/grow-logs/:id',
  summary: 'One log',
  tag: 'Grow logs',
  access: 'member',
  params: IdParams,
  response: GrowLog,
})

export const changeGrowLog = endpoint({
  method: 'PATCH',
  path: '/api/grow-logs/:id',
  summary: 'Correct a log; what it said before is kept. A change that is there already answers the log as it is',
  tag: 'Grow logs',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: GrowLogChange,
  response: GrowLog,
})

export const deleteGrowLog = endpoint({
  method: 'DELETE',
  path: '/api/grow-logs/:id',
  summary: 'Take a log out; it can be brought back for 30 days. 409 where `version` is given and it is another by now',
  tag: 'Grow logs',
  access: 'member',
  params: IdParams,
  query: z.object({ version: z.optional(numeric(z.int())) }),
})

export const restoreGrowLog = endpoint({
  method: 'POST',
  path: '/api/grow-logs/:id/restore',
  summary: 'Bring back a log that was taken out; one that is there stays as it is',
  tag: 'Grow logs',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  response: GrowLog,
})

export const listGrowLogVersions = endpoint({
  method: 'GET',
  path: '/api/grow-logs/:id/versions',
  summary: 'What a log said before, and who changed it; the newest first, at most the last 100',
  tag: 'Grow logs',
  access: 'member',
  params: IdParams,
  response: z.array(GrowLogVersion),
})

export const getPhotosOfDay = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/photos',
  summary: "All plants' photos of one day, side by side",
  tag: 'Grow logs',
  access: 'member',
  params: IdParams,
  /** Without a day, the newest that has photos. */
  query: z.object({ on: z.optional(Day) }),
  response: z.object({
    on: z.nullable(Day),
    /** Every day with photos, the newest first. */
    days: z.array(z.object({ on: Day, photosCount: z.int() })),
    /** In the order of their numbers; photos of the whole hunt come first, without a plant. */
    plants: z.array(
      z.object({
        plant: z.nullable(PlantOfLog),
        photos: z.array(
          z.object({
            media: Media,
            logId: z.nullable(Id),
            observationId: z.nullable(Id),
            /** When it came here: when it was taken is not kept with a picture. */
            addedAt: z.iso.datetime(),
          }),
        ),
      }),
    ),
  }),
})
export type PhotosOfDay = z.infer<typeof getPhotosOfDay.response>

/** Heights and ratings of one answer. */
export const maxGrowthPoints = 20_000

export const getGrowth = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/growth',
  summary: "Every plant's heights and ratings in time, for curves",
  tag: 'Grow logs',
  access: 'member',
  params: IdParams,
  response: z.object({
    plants: z.array(
      z.object({
        plant: PlantOfLog,
        /** The oldest first. */
        points: z.array(
          z.object({
            logId: Id,
            on: Day,
            /** Days since the plant, or else the hunt, began; null where neither says when. */
            day: z.nullable(z.int()),
            week: z.nullable(z.int()),
            heightCm: z.nullable(z.number()),
            rating: z.nullable(z.int()),
          }),
        ),
      }),
    ),
    /** False where there are more points than fit: the newest are here. */
    isComplete: z.boolean(),
  }),
})
export type Growth = z.infer<typeof getGrowth.response>
