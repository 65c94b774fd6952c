import type * as z from 'zod/mini'
import { isUuid } from '#contracts/addresses.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireHuntOfRow } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { hashedId, newId } from '#server/kernel/ids.ts'
import { type Api, abortEarlyOptions } from '#server/kernel/route.ts'
import { dayOf, fullListResponse, objectOf, type QueryReader, type Status, singleResponse } from './asked.ts'
import { addCall } from './brapi-call.ts'
import { type GrownHunt, huntsOf } from './hunts.ts'

export class RowError extends Error {
  override readonly name = 'RowError'
}

export type Body = Record<string, unknown>
/** An entry of a request. `name` identifies the entry in error messages. */
export type Row = { name: string; body: Body }
/** Features' own functions are called with `ctx`, so that they run in the request's transaction. */
export type Writing = { ctx: { db: Tx; clock: Context['clock'] }; actor: Actor }
export type RowWriting = Writing & { body: Body }
/** `isRepeated` if an earlier call with the same external reference created the entry. It may have been changed in the app since. */
export type Entry = { id: string; isRepeated?: boolean }

export type Writer = {
  service: string
  /** Returns the new entry, or the existing one, unchanged, for a repeated external reference. */
  create: (writing: RowWriting) => Promise<Entry>
  update: (writing: RowWriting, id: string) => Promise<void>
  /** Runs after all rows, except repeated ones, for changes that depend on several of them. */
  finish?: (writing: Writing, rows: readonly { id: string; body: Body }[]) => Promise<void>
  /** Runs last, for each row that isn't repeated, for changes that need all rows to be written. */
  finishEach?: (writing: RowWriting, id: string) => Promise<void>
  /** BrAPI updates some services with `PUT /<service>`, several entries per call, and others by ID. */
  put: 'one' | 'several' | 'both'
  read: QueryReader
  /** `read`'s filter by ID. */
  byId: string
  idName: string
  /** Names in `additionalInfo` that are returned but can't be written. */
  ignored?: readonly string[]
}

/** Each entry takes several statements, and the hunt stays locked until the call ends. */
const maxRows = 200

/** A writer's routes, for `serverinfo`. */
export const writtenRoutes = ({ service, put }: Pick<Writer, 'service' | 'put'>): string[] => [
  `POST /${service}`,
  ...(put === 'one' ? [] : [`PUT /${service}`]),
  ...(put === 'several' ? [] : [`PUT /${service}/:id`]),
]

/**
 * `POST` creates and `PUT` changes entries, all or nothing. Repeating a `PUT` is safe, and so is repeating a `POST` if its entries have
 * external references.
 */
export function addWrites(api: Api, writer: Writer): void {
  const call = { scope: 'hunts:write' } as const
  const { service, create, update } = writer
  addCall(api, {
    ...{ ...call, method: 'POST', path: `/${service}` },
    handle: async ({ ctx, actor, request }) => {
      if (!Array.isArray(request.body)) throw new AppError('invalid_input', { message: 'Send a JSON array.' })
      const rows = request.body.map((body: unknown, i): Row => ({ name: `Row ${i + 1}`, body: objectOf(body) }))
      const { found, status } = await writeAll(ctx, actor, writer, rows, create)
      return fullListResponse(found, status)
    },
  })
  if (writer.put !== 'one') {
    addCall(api, {
      ...{ ...call, method: 'PUT', path: `/${service}` },
      handle: async ({ ctx, actor, request }) => {
        const rows = Object.entries(objectOf(request.body)).map(([id, body]): Row => ({ name: id, body: objectOf(body) }))
        const { found, status } = await writeAll(ctx, actor, writer, rows, updating(update))
        return fullListResponse(found, status)
      },
    })
  }
  if (writer.put !== 'several') {
    addCall(api, {
      ...{ ...call, method: 'PUT', path: `/${service}/:id` },
      handle: async ({ ctx, actor, request }) => {
        const { id } = request.params as { id: string }
        const { found } = await writeAll(ctx, actor, writer, [{ name: id, body: objectOf(request.body) }], updating(update))
        // A sample may have become part of another one.
        return singleResponse(found[0] ?? {})
      },
    })
  }
}

const missing = 'No entry has this ID, or you can’t see it.'

const updating =
  (update: Writer['update']) =>
  async (writing: RowWriting, { name }: Row): Promise<Entry> => {
    if (!isUuid(name)) throw new RowError(missing)
    const id = name.toLowerCase()
    await update(writing, id)
    return { id }
  }

type Write = (writing: RowWriting, row: Row) => Promise<Entry>
type Written = { found: object[]; status: Status[] }

async function writeAll(ctx: Context, actor: Actor, writer: Writer, rows: readonly Row[], write: Write): Promise<Written> {
  if (rows.length === 0 || rows.length > maxRows) {
    throw new AppError('invalid_input', { message: `Send between 1 and ${maxRows} entries at once.` })
  }
  const ids = await inTransaction(ctx.db, async (db) => {
    const started = ctx.clock.now().getTime()
    const writing: Writing = { ctx: { db, clock: ctx.clock }, actor }
    const inTurn = async <Result>(each: (writing: RowWriting, row: Row, i: number) => Promise<Result>): Promise<Result[]> => {
      const results: Result[] = []
      for (const [i, row] of rows.entries()) {
        // IDs derived from references aren't chronological, so each entry gets its own creation time, by which it is sorted.
        const clock = { now: () => new Date(started + i) }
        const result = each({ ctx: { db, clock }, actor, body: row.body }, row, i).catch((error: unknown) => {
          throw namedAs(row, rows.length, error)
        })
        results.push(await result)
      }
      return results
    }
    const entries = await inTurn(write)
    await writer.finish?.(
      writing,
      entries.flatMap(({ id, isRepeated }, i) => (isRepeated ? [] : [{ id, body: rows[i]?.body ?? {} }])),
    )
    await inTurn(async (one, _row, i) => {
      const { id, isRepeated } = entries[i] as Entry
      if (!isRepeated) await writer.finishEach?.(one, id)
    })
    return entries.map(({ id }) => id)
  })
  // `read` doesn't filter trials by ID, so pass it only the hunts that were written.
  const isWritten = ({ id }: GrownHunt) => writer.byId !== 'trialDbIds' || ids.includes(id)
  const hunts = (await huntsOf(ctx.db, actor)).filter(isWritten)
  const paging = { page: 0, pageSize: rows.length }
  const { rows: read } = await writer.read({ ctx, actor, hunts, filter: { [writer.byId]: ids }, paging })
  const byId = new Map(read.map((entry) => [(entry as Body)[writer.idName], entry]))
  const found = ids.flatMap((id, i) => {
    const entry = byId.get(id)
    const references = referencesOf(rows[i]?.body)
    return entry ? [withReferences(entry, references)] : []
  })
  const named = new Set(rows.flatMap(({ body }) => Object.keys(sentObject(body, 'additionalInfo'))))
  const ignored = (writer.ignored ?? []).filter((name) => named.has(name))
  return {
    found,
    status: ignored.map((name) => ({ messageType: 'WARNING', message: `additionalInfo.${name} is read-only.` })),
  }
}

/** Clients find their own entries by the references they sent, which are returned before this site's. */
function withReferences(entry: object, sent: readonly Reference[]): object {
  if (sent.length === 0) return entry
  const { externalReferences: own = [] } = entry as { externalReferences?: readonly Reference[] }
  const isOwn = (reference: Reference) => own.some((each) => each.referenceId === reference.referenceId)
  return { ...entry, externalReferences: [...sent.filter((reference) => !isOwn(reference)), ...own] }
}

/** Adds the row's name to the first error. The whole call was rolled back. */
export function namedAs({ name }: Row, rows: number, error: unknown): unknown {
  const begin = rows === 1 ? '' : `Nothing was written. ${name}: `
  if (error instanceof RowError) return new AppError('invalid_input', { message: `${begin}${error.message}` })
  if (!(error instanceof AppError) || error.status >= 500) return error
  const [field] = Object.entries(error.fields ?? {})
  return new AppError(error.code, { message: `${begin}${field ? `${field[0]}: ${field[1]}` : error.message}`, cause: error })
}

/**
 * Locks an entry and returns its version. BrAPI has no versions, so a change must not fail because another call, such as a first attempt
 * of the same one, is still running.
 * @throws AppError not_found, forbidden
 */
export async function lockVersion(
  { ctx, actor }: Writing,
  table: 'genotypes' | 'plants' | 'runs' | 'seed_lots',
  id: string,
): Promise<number> {
  const entry = await ctx.db.selectFrom(table).select('hunt_id').where('id', '=', id).executeTakeFirst()
  await requireHuntOfRow(ctx.db, actor, entry, missing, 'write', { lock: 'share' })
  const locked = await ctx.db.selectFrom(table).select('version').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!locked) throw notFound(missing)
  return locked.version
}

export type Reference = { referenceSource: string; referenceId: string }

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Also accepts `referenceID`, the name of `referenceId` in BrAPI 2.0. */
export function referencesOf(body: unknown): Reference[] {
  const given = (body as { externalReferences?: unknown } | null)?.externalReferences
  if (!Array.isArray(given)) return []
  return given.flatMap((each: unknown): Reference[] => {
    if (typeof each !== 'object' || each === null) return []
    const { referenceId: id, referenceID, referenceSource } = each as Body
    const referenceId = textOf(id) || textOf(referenceID)
    return referenceId ? [{ referenceSource: textOf(referenceSource), referenceId }] : []
  })
}

/** Returns the same ID for the same key, so that a repeated call finds what the first one created. */
export const stableId = (key: readonly string[]): string => hashedId(JSON.stringify(key))

/** The ID of a new entry, derived from its external reference if there is one. `within` is the hunt, or the person for a new hunt. */
export function idFor({ actor, body }: RowWriting, service: string, within: string): string {
  const [reference] = referencesOf(body)
  return reference ? stableId([actor.id, service, within, reference.referenceSource, reference.referenceId]) : newId()
}

/** The ID of the entry to create, from `idFor`, and whether an earlier call has already created it. */
export async function entryFor(
  writing: RowWriting,
  table: 'hunts' | 'genotypes' | 'plants' | 'traits',
  service: string,
  within: string,
): Promise<Required<Entry>> {
  const id = idFor(writing, service, within)
  const there = await writing.ctx.db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()
  return { id, isRepeated: there !== undefined }
}

export function sentObject(body: Body, name: string): Body {
  const value = body[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {}
}

/** Undefined if the field wasn't sent, and empty if it is null. @throws RowError */
export function sentText(body: Body, name: string): string | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  if (value === null) return ''
  if (typeof value === 'object') throw new RowError(`${name} must be text.`)
  return String(value).trim()
}

/** A day, or the day of a time in that time's own zone. Null if the field is empty. @throws RowError */
export function sentDay(body: Body, name: string): string | null | undefined {
  const text = sentText(body, name)
  if (text === undefined) return undefined
  if (text === '') return null
  const day = dayOf(text)
  if (day === undefined) throw new RowError(`${name} must be a day such as 2026-06-30.`)
  return day
}

/** @throws RowError */
export function sentNumber(body: Body, name: string): number | null | undefined {
  const text = sentText(body, name)
  if (text === undefined) return undefined
  if (text === '') return null
  const number = Number(text)
  if (!Number.isFinite(number)) throw new RowError(`${name} must be a number.`)
  return number
}

/** `additionalInfo` may contain only text, so `true` may be text. @throws RowError */
export function sentFlag(body: Body, name: string): boolean | undefined {
  const text = sentText(body, name)?.toLowerCase()
  if (text === undefined || text === '') return undefined
  if (text !== 'true' && text !== 'false') throw new RowError(`${name} must be true or false.`)
  return text === 'true'
}

/** Null if the field is empty. @throws RowError */
export function sentId(body: Body, name: string, what: string): string | null | undefined {
  const text = sentText(body, name)
  if (text === undefined) return undefined
  if (text === '') return null
  if (!isUuid(text)) throw new RowError(`${name} must be the ID of ${what}.`)
  return text.toLowerCase()
}

/** @throws RowError */
export function requireId(body: Body, name: string, what: string): string {
  const id = sentId(body, name, what)
  if (!id) throw new RowError(`${name} must be the ID of ${what}.`)
  return id
}

/** Validates a row with the schema of this API's own call. `names` maps its field names to BrAPI's. @throws RowError */
export function checked<Schema extends z.ZodMiniType>(schema: Schema, input: object, names: Record<string, string> = {}): Parsed<Schema> {
  const result = schema.safeParse(input, abortEarlyOptions)
  if (result.success) return result.data as Parsed<Schema>
  const [issue] = result.error.issues
  const [field = ''] = issue?.path ?? []
  throw new RowError([names[String(field)] ?? String(field), issue?.message].filter(Boolean).join(': '))
}
