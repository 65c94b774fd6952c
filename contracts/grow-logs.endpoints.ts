import { endpoint } from './endpoint.ts'
import { Id, IdParams, numeric, page } from './fields.ts'
import { GrowLog, GrowLogChange, GrowLogVersion, Growth, NewGrowLog, NewGrowLogRow, PhotosOfDay, whole } from './grow-logs.ts'
import { Day } from './hunts.ts'
import { maxLogsAtOnce } from './limits.ts'
import * as z from './zod.ts'

export const listGrowLogs = endpoint({
  method: 'GET',
  path: '/api/grow-logs',
  summary: "List a hunt's logs or those of one of its plants, newest day first",
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
  summary: 'Write a log. Idempotent by ID. Returns 409 if the ID exists with different content.',
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
  summary: 'Write up to 200 logs of one hunt, all or nothing. Idempotent if the rows have IDs.',
  tag: 'Grow logs',
  access: 'member',
  words: 'mixed',
  idempotent: true,
  body: z.object({
    huntId: Id,
    /** Errors name rows by index: `logs.3.heightCm`. */
    logs: z
      .array(NewGrowLogRow)
      .check(z.minLength(1, 'Send at least one row'), z.maxLength(maxLogsAtOnce, `At most ${maxLogsAtOnce} rows`)),
  }),
  response: z.array(GrowLog),
  status: 201,
})

export const getGrowLog = endpoint({
  method: 'GET',
  path: '/api/grow-logs/:id',
  summary: 'Read a log',
  tag: 'Grow logs',
  access: 'member',
  params: IdParams,
  response: GrowLog,
})

export const updateGrowLog = endpoint({
  method: 'PATCH',
  path: '/api/grow-logs/:id',
  summary: 'Correct a log. Earlier versions are stored. Idempotent.',
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
  summary: 'Delete a log, which can be restored for 30 days. Returns 409 if you send an outdated `version`.',
  tag: 'Grow logs',
  access: 'member',
  params: IdParams,
  query: z.object({ version: z.optional(numeric(z.int())) }),
})

export const restoreGrowLog = endpoint({
  method: 'POST',
  path: '/api/grow-logs/:id/restore',
  summary: 'Restore a deleted log. Idempotent.',
  tag: 'Grow logs',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  response: GrowLog,
})

export const listGrowLogVersions = endpoint({
  method: 'GET',
  path: '/api/grow-logs/:id/versions',
  summary: 'List up to 100 earlier versions of a log and who changed it, newest first. Requires the right to edit the hunt.',
  tag: 'Grow logs',
  access: 'member',
  params: IdParams,
  response: z.array(GrowLogVersion),
})

export const getPhotosOfDay = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/photos',
  summary: 'List the photos of all plants from one day, for comparison',
  tag: 'Grow logs',
  access: 'member',
  params: IdParams,
  /** Defaults to the latest day with photos. */
  query: z.object({ on: z.optional(Day) }),
  response: PhotosOfDay,
})

export const getGrowth = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/growth',
  summary: "Read every plant's heights and ratings over time, for charts",
  tag: 'Grow logs',
  access: 'member',
  params: IdParams,
  response: Growth,
})
