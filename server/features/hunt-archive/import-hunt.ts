import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { utcDate } from '#contracts/age.ts'
import { ArchivedPhoto, HuntDocument } from '#contracts/hunt-archive.endpoints.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { maxArchivePhotos, maxArchiveRows } from '#contracts/limits.ts'
import type { ConnectionSettings, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type HuntEvent, insertHunt, loadHunt, recordHuntEvents, requireRoomForHunt } from '#server/features/hunts/index.ts'
import { freshCodes } from '#server/features/plants/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, type Issue, invalidInput } from '#server/kernel/errors.ts'
import { createGate } from '#server/kernel/gate.ts'
import { idempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { requireShallow } from '#server/kernel/json-body.ts'
import { awaitPhotos } from './archive-photos.ts'
import { type ArchiveColumn, type ArchiveList, type ArchiveTable, type NameOf, type NewIds, namesIn } from './archive-table.ts'
import { archiveTables } from './archive-tables.ts'
import { requireSoundDocument } from './check-document.ts'

/** Limits imports to one at a time per process, because a document is in memory both as bytes and as rows. */
export const importGate = createGate({ maxConcurrent: 1, maxWaiting: 2, maxWaitMs: 30_000 })

/** Larger documents are parsed and stored in a worker thread, so that they don't block the event loop. */
const maxBytesInPlace = 256 * 1024
/** In megabytes, in addition to the document's bytes. A document that needs more is refused. */
const maxWorkerHeap = 192
const timeLimitMs = 120_000

/** @throws the same errors as `importDocument`, and too_large, unavailable */
export function importHunt(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  databaseUrl: string,
  actor: Actor,
  sent: SentDocument,
): Promise<Hunt> {
  if (sent.bytes.length <= maxBytesInPlace) return importDocument(ctx, actor, sent)
  const { bytes } = sent
  const { databasePoolSize, statementTimeoutMs, lockTimeoutMs } = ctx.config
  const settings = { databasePoolSize, statementTimeoutMs, lockTimeoutMs }
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), {
    workerData: { databaseUrl, settings, actor, now: ctx.clock.now(), sent } satisfies ImportTask,
    transferList: bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer as ArrayBuffer] : [],
    resourceLimits: { maxOldGenerationSizeMb: maxWorkerHeap },
    execArgv: [],
    env: {},
  })
  return new Promise<Hunt>((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError('unavailable', { retryAfterSeconds: 60 })), timeLimitMs)
    const tooLarge = () => new AppError('too_large', { message: 'This document needs more memory than an import can use.' })
    worker.once('message', (outcome: ImportOutcome) => {
      if ('hunt' in outcome) resolve(outcome.hunt)
      else if ('refused' in outcome) reject(new AppError(...outcome.refused))
      else reject(Object.assign(new Error(outcome.failed.message), { code: outcome.failed.code }))
    })
    worker.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error))
    worker.once('exit', () => {
      clearTimeout(timer)
      reject(new AppError('unavailable', { retryAfterSeconds: 5 }))
    })
  }).finally(() => worker.terminate())
}

type SentDocument = { bytes: Buffer; idempotencyKey: string | undefined; path: string }

export type ImportTask = {
  databaseUrl: string
  settings: ConnectionSettings
  actor: Actor
  now: Date
  sent: Omit<SentDocument, 'bytes'> & { bytes: Uint8Array }
}
export type ImportOutcome =
  | { hunt: Hunt }
  | { refused: ConstructorParameters<typeof AppError> }
  /** Includes the database's error code, because errors lose it between threads. */
  | { failed: { message: string; code?: string | undefined } }

/**
 * Creates a private hunt with new IDs and codes, in one transaction. Entries keep the document's timestamps, which aren't evidence; only a
 * proof of the document is.
 * @throws AppError invalid_input if the document contradicts itself, conflict at the limit of hunts, idempotency_mismatch, too_large
 */
export async function importDocument(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { bytes, idempotencyKey: key, path }: SentDocument,
): Promise<Hunt> {
  const now = ctx.clock.now()
  const idempotency = idempotencyKey(key, path, bytes)
  const document = parseDocument(bytes)
  requireSoundDocument(document)
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      await requireRoomForHunt(tx, actor.id)
      const huntId = newId()
      const { hunt } = document
      await insertHunt(tx, {
        id: huntId,
        owner_id: actor.id,
        hunt_name: hunt.huntName,
        breeders: hunt.breeders,
        seed_count: hunt.seedCount,
        goals: hunt.goals,
        grow_environment: hunt.growEnvironment,
        germination_date: hunt.germinationDate,
        is_active: hunt.isActive,
        completed_on: hunt.completedOn,
        plant_limit: hunt.plantLimit,
        next_number: hunt.nextNumber,
        selects_males: hunt.selectsMales,
        ranks_harvested: hunt.ranksHarvested,
        created_at: now,
        updated_at: now,
      })
      const ids = idsFor(document)
      const nameOf = namesIn(document)
      for (const table of archiveTables) await insertTable(tx, table, document, { huntId, ids, now, nameOf })
      for (const table of archiveTables) await fillLate(tx, table, document, ids)
      await awaitPhotos(tx, document, { huntId, ids, nameOf })
      await recordHuntEvents(tx, eventsOfDocument(document, { huntId, ids, recordedBy: actor.id, now }))
      return loadHunt(tx, actor, huntId)
    }),
  )
}

/** Generated in order, so that IDs sort like the rows. */
const idsFor = (document: HuntDocument): NewIds =>
  new Map(archiveTables.filter(({ hasId }) => hasId).map(({ list }) => [list, document[list].map(() => newId())]))

type Making = { huntId: string; ids: NewIds; now: Date; nameOf: NameOf }

/** Parameters per statement; PostgreSQL's limit is 65,535. */
const maxParameters = 30_000

async function insertTable(tx: Tx, table: ArchiveTable, document: HuntDocument, making: Making): Promise<void> {
  const rows = document[table.list] as readonly Record<string, unknown>[]
  if (rows.length === 0) return
  const own = table.list === 'plants' ? await freshCodes(tx, rows.length) : []
  const names = [
    ...(table.hasId ? ['id'] : []),
    ...(table.belongsBy === 'hunt_id' ? ['hunt_id'] : []),
    ...(table.list === 'plants' ? ['kind', 'code'] : []),
    ...Object.keys(table.fixed ?? {}),
    ...Object.keys(table.columns),
  ]
  const chunk = Math.floor(maxParameters / names.length)
  for (let from = 0; from < rows.length; from += chunk) {
    const values = rows.slice(from, from + chunk).map((row, i) => {
      const place = from + i
      return [
        ...(table.hasId ? [making.ids.get(table.list)?.[place]] : []),
        ...(table.belongsBy === 'hunt_id' ? [making.huntId] : []),
        ...(table.list === 'plants' ? [row.copy === 0 ? 'seed' : 'clone', own[place]] : []),
        ...Object.values(table.fixed ?? {}),
        ...Object.values(table.columns).map((column) =>
          column.isLate
            ? null
            : column.isFlag
              ? row[column.field] === true
              : column.scorer
                ? making.nameOf(column.field, row[column.field])
                : storedValue(table.list, column, row[column.field], making.ids),
        ),
      ]
    })
    await sql`
      insert into ${sql.table(table.table)} (${sql.join(names.map((name) => sql.ref(name)))})
      values ${sql.join(values.map((row) => sql`(${sql.join(row)})`))}`.execute(tx)
  }
}

function storedValue(list: ArchiveList, { refersTo, isArray, isJson, isTime }: ArchiveColumn, value: unknown, ids: NewIds): unknown {
  if (value === null || value === undefined) return null
  if (refersTo) {
    const of = ids.get(refersTo) ?? []
    return isArray ? (value as number[]).map((place) => of[place]) : of[value as number]
  }
  if (list === 'growLogVersions' && isJson) {
    const { plant, ...said } = value as { plant: number | null }
    return JSON.stringify({ plantId: plant === null ? null : ids.get('plants')?.[plant], ...said, mediaIds: [] })
  }
  if (isTime) return new Date(value as string).toISOString()
  return isJson ? JSON.stringify(value) : value
}

async function fillLate(tx: Tx, table: ArchiveTable, document: HuntDocument, ids: NewIds): Promise<void> {
  const rows = document[table.list] as readonly Record<string, unknown>[]
  const own = ids.get(table.list) ?? []
  for (const [name, { field, refersTo, isLate }] of Object.entries(table.columns)) {
    if (!isLate || !refersTo) continue
    const pairs = rows.flatMap((row, i) => {
      const place = row[field]
      return typeof place === 'number' ? [{ id: own[i] as string, refers: ids.get(refersTo)?.[place] as string }] : []
    })
    if (pairs.length === 0) continue
    await sql`
      update ${sql.table(table.table)} as rows set ${sql.ref(name)} = late.refers
      from unnest(${pairs.map(({ id }) => id)}::uuid[], ${pairs.map(({ refers }) => refers)}::uuid[]) as late (id, refers)
      where rows.id = late.id`.execute(tx)
  }
}

/** A row has at most a few thousand characters of notes. */
const maxRowBytes = 256 * 1024
const maxIssues = 1_000

const lists = new Set<string>([...archiveTables.map(({ list }) => list), 'photos'])

/**
 * Parses an exported hunt row by row: a large document is in memory as bytes and rows, never as one string or tree, and an
 * invalid one is refused after its first thousand invalid fields.
 * @throws AppError invalid_input, too_large
 */
export function parseDocument(json: Buffer): HuntDocument {
  requireShallow(json)
  const issues: Issue[] = []
  const rows: Record<string, unknown[]> = {}
  const others: Record<string, unknown> = {}
  let left = maxArchiveRows
  for (const { name, from, to, isList } of membersOf(json)) {
    if (!lists.has(name) || !isList) {
      others[name] = parseValue(json, from, to)
      continue
    }
    const row = rowSchema(name)
    const isPhotos = name === 'photos'
    const parsed: unknown[] = []
    rows[name] = parsed
    for (const [start, end] of itemsOf(json, from)) {
      // Photos don't count as rows, because an export adds them to a document that may already have as many rows as an import accepts.
      if (isPhotos ? parsed.length === maxArchivePhotos : left-- === 0) {
        throw new AppError('too_large', { message: `This document has more ${isPhotos ? 'photos' : 'entries'} than an import accepts.` })
      }
      const result = row.safeParse(parseValue(json, start, end))
      const place = parsed.push(result.data) - 1
      for (const issue of result.error?.issues ?? []) issues.push({ ...issue, path: [name, place, ...issue.path] })
      if (issues.length >= maxIssues) throw invalidInput(issues.slice(0, maxIssues))
    }
  }
  // The rows were checked above. This reports anything else that is missing or invalid.
  const frame = HuntDocument.safeParse({ ...others, ...Object.fromEntries(Object.keys(rows).map((name) => [name, []])) })
  if (frame.error) issues.unshift(...frame.error.issues)
  if (issues.length > 0 || !frame.data) throw invalidInput(issues.slice(0, maxIssues))
  return Object.assign(frame.data, rows)
}

const rowSchema = (list: string) =>
  list === 'photos' ? ArchivedPhoto : (HuntDocument.shape[list as 'plants'] as z.ZodMiniArray<z.ZodMiniType>).def.element

const notJson = () => new AppError('invalid_input', { message: 'The body is not valid JSON.' })

function parseValue(json: Buffer, from: number, to: number): unknown {
  if (to - from > maxRowBytes) throw new AppError('too_large', { message: 'An entry of this document is too large.' })
  try {
    return JSON.parse(json.toString('utf8', from, to))
  } catch {
    throw notJson()
  }
}

const [quote, backslash, comma, colon, openList, closeList, openObject, closeObject] = [...'"\\,:[]{}'].map((sign) =>
  sign.charCodeAt(0),
) as [number, number, number, number, number, number, number, number]

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function skipSpace(json: Buffer, at: number): number {
  let next = at
  while (isSpace(json[next])) next++
  return next
}

/** Position after the value that starts at `at`. Leaves syntax checks to JSON.parse. */
function endOfValue(json: Buffer, at: number): number {
  let depth = 0
  for (let next = at; next < json.length; next++) {
    const byte = json[next]
    if (byte === quote) {
      for (next++; next < json.length && json[next] !== quote; next++) if (json[next] === backslash) next++
      if (depth === 0) return next + 1
    } else if (byte === openList || byte === openObject) depth++
    else if (byte === closeList || byte === closeObject) {
      if (depth === 0) return next
      if (--depth === 0) return next + 1
    } else if (depth === 0 && (byte === comma || isSpace(byte))) return next
  }
  throw notJson()
}

type Member = { name: string; from: number; to: number; isList: boolean }

function* membersOf(json: Buffer): Generator<Member> {
  const names = new Set<string>()
  let at = skipSpace(json, 0)
  if (json[at] !== openObject) throw notJson()
  at = skipSpace(json, at + 1)
  for (let isFirst = true; json[at] !== closeObject; isFirst = false) {
    if (!isFirst) at = skipSpace(json, behind(json, at, comma))
    if (json[at] !== quote) throw notJson()
    const end = endOfValue(json, at)
    const name = parseValue(json, at, end) as string
    if (names.has(name)) throw new AppError('invalid_input', { message: `“${name.slice(0, 40)}” is in this document twice.` })
    names.add(name)
    const from = skipSpace(json, behind(json, skipSpace(json, end), colon))
    const to = endOfValue(json, from)
    yield { name, from, to, isList: json[from] === openList }
    at = skipSpace(json, to)
  }
  if (skipSpace(json, at + 1) !== json.length) throw notJson()
}

function* itemsOf(json: Buffer, from: number): Generator<[number, number]> {
  let at = skipSpace(json, from + 1)
  for (let isFirst = true; json[at] !== closeList; isFirst = false) {
    if (!isFirst) at = skipSpace(json, behind(json, at, comma))
    const end = endOfValue(json, at)
    yield [at, end]
    at = skipSpace(json, end)
  }
}

function behind(json: Buffer, at: number, sign: number): number {
  if (json[at] !== sign) throw notJson()
  return at + 1
}

/** Reconstructs a hunt's history from a document's entries. Doesn't invent facts they lack: who acted, and the order within a day. */
function eventsOfDocument(
  document: HuntDocument,
  { huntId, ids, recordedBy, now }: { huntId: string; ids: NewIds; recordedBy: string; now: Date },
): HuntEvent[] {
  const idOf = (list: Parameters<NewIds['get']>[0], place: number | null): string | null =>
    place === null ? null : (ids.get(list)?.[place] ?? null)
  const genotypeOfPlant = (place: number | null): string | null =>
    place === null ? null : idOf('genotypes', document.plants[place]?.genotype ?? null)
  const event = (kind: HuntEvent['kind'], happenedOn: string, more: Partial<HuntEvent> = {}): HuntEvent => ({
    huntId,
    kind,
    happenedOn,
    recordedBy,
    now,
    ...more,
  })
  const photosOf = Map.groupBy(document.photos ?? [], ({ growLog }) => growLog)
  const ofPlant = (place: number | null) => ({ genotypeId: genotypeOfPlant(place), plantId: idOf('plants', place) })
  const today = utcDate(now)

  return [
    event('hunt.created', document.hunt.germinationDate ?? today),
    ...(document.hunt.completedOn === null ? [] : [event('hunt.completed', document.hunt.completedOn)]),
    ...document.plants.flatMap((plant, i) => {
      const about = ofPlant(i)
      return [
        ...(plant.cutOn === null ? [] : [event('plant.cut', plant.cutOn, about)]),
        ...(plant.rootedOn === null ? [] : [event('plant.rooted', plant.rootedOn, about)]),
        ...(plant.endedOn === null
          ? []
          : [
              event('plant.ended', plant.endedOn, {
                ...about,
                subjectId: idOf('decisions', plant.endedByDecision),
                detail: { how: plant.endedHow },
              }),
            ]),
      ]
    }),
    ...document.growLogs.map(({ plant, loggedOn, heightCm, rating }, i) =>
      event('log.written', loggedOn, {
        ...ofPlant(plant),
        subjectId: idOf('growLogs', i),
        detail: { heightCm, rating, photos: photosOf.get(i)?.length ?? 0 },
      }),
    ),
    ...document.observations.map(({ plant, observedOn, corrects, trait, valueNumber }, i) =>
      event(corrects === null ? 'observation.made' : 'observation.corrected', observedOn, {
        ...ofPlant(plant),
        subjectId: idOf('observations', i),
        detail: { traitId: idOf('traits', trait), number: valueNumber },
      }),
    ),
    ...document.harvests.map(({ plant, harvestedOn, wetGrams, dryGrams }, i) =>
      event('harvest.recorded', harvestedOn, { ...ofPlant(plant), subjectId: idOf('harvests', i), detail: { wetGrams, dryGrams } }),
    ),
    ...document.labResults.map(({ plant, testedOn, value }, i) =>
      event('lab.recorded', testedOn, { ...ofPlant(plant), subjectId: idOf('labResults', i), detail: { value } }),
    ),
    ...document.decisions.flatMap(({ genotype, kind, decidedOn, undoneAt }, i) => {
      const about = { genotypeId: idOf('genotypes', genotype), subjectId: idOf('decisions', i), detail: { kind } }
      return [
        event('decision.made', decidedOn, about),
        ...(undoneAt === null ? [] : [event('decision.undone', undoneAt.slice(0, 10), about)]),
      ]
    }),
  ]
}
