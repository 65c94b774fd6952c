import { sql } from 'kysely'
import type { HuntDocument } from '../../../contracts/hunt-archive.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import type { ConnectionSettings, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import type { AppError } from '../../kernel/errors.ts'
import { idempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { insertHunt, loadHunt, recordHuntEvents, requireRoomForHunt } from '../hunts/index.ts'
import { freshCodes } from '../plants/index.ts'
import type { ArchiveColumn, ArchiveList, ArchiveTable, NewIds } from './archive-table.ts'
import { archiveTables } from './archive-tables.ts'
import { requireSoundDocument } from './check-document.ts'
import { eventsOfDocument } from './events-of-document.ts'
import { parseDocument } from './parse-document.ts'

export type SentDocument = { bytes: Buffer; idempotencyKey: string | undefined; path: string }

/** What `import-worker.ts` is told, and what it answers. */
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
  /** With the code that a database's error has: between threads an error is only its message. */
  | { failed: { message: string; code?: string | undefined } }

/**
 * Makes a hunt of a document: private, with ids and codes of its own, all or nothing. Times of entries are those that the document
 * states; they prove nothing, a proof of the document does.
 * @throws AppError invalid_input where it contradicts itself, conflict where the person has too many hunts, idempotency_mismatch, too_large
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
        created_at: now,
        updated_at: now,
      })
      const ids = idsFor(document)
      for (const table of archiveTables) await insertTable(tx, table, document, { huntId, ids, now })
      for (const table of archiveTables) await fillLate(tx, table, document, ids)
      await recordHuntEvents(tx, eventsOfDocument(document, { huntId, ids, recordedBy: actor.id, now }))
      return loadHunt(tx, actor, huntId)
    }),
  )
}

/** One after the other, so that they sort as the rows stand. */
const idsFor = (document: HuntDocument): NewIds =>
  new Map(archiveTables.filter(({ hasId }) => hasId).map(({ list }) => [list, document[list].map(() => newId())]))

type Making = { huntId: string; ids: NewIds; now: Date }

/** Parameters of one statement: PostgreSQL takes 65,535. */
const mostParameters = 30_000

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
  const chunk = Math.floor(mostParameters / names.length)
  for (let from = 0; from < rows.length; from += chunk) {
    const values = rows.slice(from, from + chunk).map((row, i) => {
      const place = from + i
      return [
        ...(table.hasId ? [making.ids.get(table.list)?.[place]] : []),
        ...(table.belongsBy === 'hunt_id' ? [making.huntId] : []),
        ...(table.list === 'plants' ? [row.copy === 0 ? 'seed' : 'clone', own[place]] : []),
        ...Object.values(table.fixed ?? {}),
        ...Object.values(table.columns).map((column) =>
          column.isLate ? null : storedValue(table.list, column, row[column.field], making.ids),
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
  // To the millisecond, as it was compared.
  if (isTime) return new Date(value as string).toISOString()
  return isJson ? JSON.stringify(value) : value
}

/** References to rows that were written after. */
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
