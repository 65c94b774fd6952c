import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { AwaitedPhoto, listAwaitedPhotos as listContract } from '#contracts/archive-photos.endpoints.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import { figure } from '#contracts/fields.ts'
import type { ArchivedPhoto, HuntDocument } from '#contracts/hunt-archive.endpoints.ts'
import { maxArchivePhotos, maxPhotosOfLog } from '#contracts/limits.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordHuntEvents, requireHunt, requireHuntOfRow, requireHuntWords } from '#server/features/hunts/index.ts'
import { requireReadyMedia, storedFileKeys, syncMediaUses } from '#server/features/media/index.ts'
import { genotypesOfPlants } from '#server/features/plants/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { type ZipEntry, zipStream } from '#server/kernel/zip-stream.ts'
import type { ArchiveList, NameOf, NewIds } from './archive-table.ts'

export type PhotoRow = {
  mediaId: string
  alt: string
  day: string
  number: number | null
  copy: number | null
  logId: string | null
  traitId: string | null
  plantId: string | null
  runId: string | null
  note: string
  isBlind: boolean
  recordedAt: Date
  scorer: string | null
}

/** @throws AppError conflict if there are too many for an archive */
export async function photoRows(db: Db, huntId: Authorized<'hunts'>): Promise<PhotoRow[]> {
  const { rows } = await sql<PhotoRow>`
    select * from (
      select media.id as "mediaId", media.alt, grow_logs.logged_on as day, genotypes.number, plants.copy, grow_logs.id as "logId",
        null::uuid as "traitId", null::uuid as "plantId", null::uuid as "runId", '' as note, false as "isBlind",
        grow_logs.created_at as "recordedAt", null::text as scorer, grow_logs.id as subject, grow_log_photos.position
      from grow_logs
        join grow_log_photos on grow_log_photos.log_id = grow_logs.id
        join media on media.id = grow_log_photos.media_id
        left join plants on plants.id = grow_logs.plant_id
        left join genotypes on genotypes.id = plants.genotype_id
      where grow_logs.hunt_id = ${huntId}::uuid and grow_logs.deleted_at is null and media.kind = 'image' and media.status = 'ready'
      union all
      select media.id, media.alt, observations.observed_on, genotypes.number, plants.copy, null,
        observations.trait_id, observations.plant_id, observations.run_id, observations.note, observations.is_blind,
        observations.created_at, coalesce(observations.observed_by::text, 'scorer ' || observations.scorer), observations.id, 0
      from observations
        join media on media.id = observations.media_id
        join plants on plants.id = observations.plant_id
        join genotypes on genotypes.id = plants.genotype_id
      where observations.hunt_id = ${huntId}::uuid and observations.is_current and media.kind = 'image' and media.status = 'ready'
    ) as photos
    order by ("logId" is null), "recordedAt", subject, position
    limit ${maxArchivePhotos + 1}`.execute(db)
  if (rows.length > maxArchivePhotos) {
    throw new AppError('conflict', {
      message: `This hunt has more than ${figure(maxArchivePhotos)} photos, which is more than an archive can contain. Export it as JSON instead.`,
    })
  }
  return rows
}

type Numbering = {
  placeOf: (list: ArchiveList, id: unknown) => number | null
  numberOf: (scorer: string | null) => number | undefined
}

export function toArchivedPhoto(row: PhotoRow, { placeOf, numberOf }: Numbering): ArchivedPhoto {
  const { alt, logId, note, isBlind, day } = row
  if (logId !== null) return { file: fileOf(row), alt, growLog: placeOf('growLogs', logId), score: null }
  const scorer = numberOf(row.scorer)
  const [trait, plant] = [placeOf('traits', row.traitId) ?? 0, placeOf('plants', row.plantId) ?? 0]
  const score = { trait, plant, run: placeOf('runs', row.runId), observedOn: day, note, isBlind, recordedAt: row.recordedAt.toISOString() }
  return { file: fileOf(row), alt, growLog: null, score: { ...score, ...(scorer === undefined ? {} : { scorer }) } }
}

/** Returns a name that sorts by day. Its random suffix is the same in every archive of the hunt. */
function fileOf({ day, number, copy, mediaId }: PhotoRow): string {
  const subject = number === null ? 'hunt' : copy === 0 ? `plant-${number}` : `plant-${number}-${copy}`
  return `photos/${day}-${subject}-${mediaId.slice(-12)}.webp`
}

/** The largest version, in the format that most programs can open. */
const keyOf = ({ mediaId }: PhotoRow): string =>
  storedFileKeys({ id: mediaId, kind: 'image', extension: null }).findLast((key) => key.endsWith('.webp')) as string

/** Sizes requested from storage at once; with S3, each is a request. */
const sizesAtOnce = 16

/** In the order of the rows; null if a photo is missing from storage. */
async function sizesOf(storage: Context['storage'], rows: readonly PhotoRow[]): Promise<(number | null)[]> {
  const sizes: (number | null)[] = []
  for (let from = 0; from < rows.length; from += sizesAtOnce) {
    const part = rows.slice(from, from + sizesAtOnce).map(async (row) => {
      const stored = await storage.get(keyOf(row), { first: 0, last: 0 })
      if (stored && 'body' in stored) stored.body.destroy()
      return stored?.size ?? null
    })
    sizes.push(...(await Promise.all(part)))
  }
  return sizes
}

/** @throws AppError not_found, forbidden, conflict if there are too many */
export async function measureHuntPhotos(ctx: Pick<Context, 'db' | 'storage'>, actor: Actor, huntId: string) {
  const { id } = await requireHunt(ctx.db, actor, huntId, 'write')
  const sizes = (await sizesOf(ctx.storage, await photoRows(ctx.db, id))).filter((size) => size !== null)
  return { photoCount: sizes.length, byteSize: sizes.reduce((sum, size) => sum + size, 0) }
}

/** Opens each photo only when the download reaches it. */
export async function zipOf(ctx: Pick<Context, 'storage' | 'log'>, document: string, rows: readonly PhotoRow[]) {
  const content = Buffer.from(document)
  const sizes = await sizesOf(ctx.storage, rows)
  const photos = rows.flatMap((row, i): ZipEntry[] => {
    const size = sizes[i] ?? null
    if (size === null) {
      ctx.log.error({ mediaId: row.mediaId }, 'a photo for an archive is missing from the storage')
      return []
    }
    return [{ name: fileOf(row), size, open: () => contentOf(ctx.storage, row) }]
  })
  return zipStream([{ name: 'hunt.json', size: content.length, open: async () => Readable.from([content]) }, ...photos])
}

async function contentOf(storage: Context['storage'], row: PhotoRow): Promise<Readable> {
  const stored = await storage.get(keyOf(row))
  if (stored && 'body' in stored) return stored.body
  throw new Error(`photo ${row.mediaId} was deleted while an archive was being downloaded`)
}

const chunk = 1_000

/**
 * Records where the photos of an imported archive belong. They're uploaded one by one, so they are checked and processed like any other
 * upload, and an interrupted import can continue.
 */
export async function awaitPhotos(
  tx: Tx,
  { photos = [] }: HuntDocument,
  { huntId, ids, nameOf }: { huntId: string; ids: NewIds; nameOf: NameOf },
): Promise<void> {
  const idOf = (list: 'growLogs' | 'traits' | 'plants' | 'runs', place: number | null) => (place === null ? null : ids.get(list)?.[place])
  const positions = new Map<number, number>()
  // Generated in order, so that IDs sort like the photos.
  const rows = photos.map(({ file, alt, growLog, score }) => {
    const position = growLog === null ? null : (positions.get(growLog) ?? 0)
    if (growLog !== null) positions.set(growLog, (position ?? 0) + 1)
    return {
      ...{ id: newId(), hunt_id: huntId, file, alt, log_id: idOf('growLogs', growLog) ?? null, position },
      trait_id: idOf('traits', score?.trait ?? null) ?? null,
      plant_id: idOf('plants', score?.plant ?? null) ?? null,
      run_id: idOf('runs', score?.run ?? null) ?? null,
      observed_on: score?.observedOn ?? null,
      note: score?.note ?? '',
      is_blind: score?.isBlind ?? false,
      recorded_at: score ? new Date(score.recordedAt) : null,
      scorer: nameOf('scorer', score?.scorer),
    }
  })
  for (let from = 0; from < rows.length; from += chunk) {
    await tx
      .insertInto('awaited_photos')
      .values(rows.slice(from, from + chunk))
      .execute()
  }
}

/** @throws AppError not_found, forbidden, invalid_input about the cursor */
export async function listAwaitedPhotos(
  db: Db,
  actor: Actor,
  huntId: string,
  { limit, cursor }: Parsed<(typeof listContract)['query']>,
): Promise<Page<AwaitedPhoto>> {
  const after = decodeCursor(cursor, ['id'])
  await requireHunt(db, actor, huntId, 'write')
  const rows = await db
    .selectFrom('awaited_photos')
    .select(['id', 'file'])
    .where('hunt_id', '=', huntId)
    .$if(after !== null, (query) => query.where('id', '>', after?.[0] as string))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return toPage(rows, limit, ({ id }) => [id])
}

const missing = 'The hunt is no longer waiting for this photo.'

/**
 * Attaches an upload to the log or score that awaits it. Idempotent.
 * @throws AppError not_found, forbidden, muted, invalid_input about the upload or its text, conflict if the log or score can't have it
 * anymore
 */
export async function restorePhoto(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, id: string, mediaId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const photo = await lockAwaited(tx, actor, id).catch(async (error: unknown) => {
      // A retry after a lost response: the upload is already attached.
      if (error instanceof AppError && error.code === 'not_found' && (await isAttached(tx, actor, id, mediaId))) return null
      throw error
    })
    if (!photo) return
    // The hunt may have been shared since the import.
    await requireHuntWords(tx, actor, photo.hunt_id, { note: [photo.note, photo.alt] })
    await requireReadyMedia(tx, actor.id, [mediaId], { kinds: ['image'], field: 'mediaId' })
    await (photo.log_id === null ? addScore(tx, photo, mediaId, actor, ctx.clock.now()) : addToLog(tx, photo, mediaId))
    if (photo.alt !== '') await tx.updateTable('media').set({ alt: photo.alt }).where('id', '=', mediaId).execute()
    await tx.deleteFrom('awaited_photos').where('id', '=', id).execute()
  })
}

/** Locks the hunt, so that a concurrent retry sees the first call, and two photos don't get the same position. */
async function lockAwaited(tx: Tx, actor: Actor, id: string) {
  const row = await tx.selectFrom('awaited_photos').select('hunt_id').where('id', '=', id).executeTakeFirst()
  await requireHuntOfRow(tx, actor, row, missing, 'write', { lock: 'update' })
  const photo = await tx.selectFrom('awaited_photos').selectAll().where('id', '=', id).executeTakeFirst()
  if (!photo) throw notFound(missing)
  return photo
}

/** A score keeps the photo's ID. A log doesn't, so any of the person's logs with this upload counts. */
async function isAttached(tx: Tx, actor: Actor, id: string, mediaId: string): Promise<boolean> {
  const use = await tx
    .selectFrom('media_uses')
    .innerJoin('media', 'media.id', 'media_uses.media_id')
    .select('media.id')
    .where('media.id', '=', mediaId)
    .where('media.owner_id', '=', actor.id)
    .where((eb) => {
      const scores = eb.selectFrom('observations').select('id').where('id', '=', id)
      return eb.or([eb('media_uses.observation_id', '=', id), eb('media_uses.kind', '=', 'log').and(eb.not(eb.exists(scores)))])
    })
    .executeTakeFirst()
  return use !== undefined
}

type Photo = { id: string; hunt_id: string; log_id: string | null; position: number | null }
type Score = Photo & {
  trait_id: string | null
  plant_id: string | null
  run_id: string | null
  observed_on: string | null
  note: string
  is_blind: boolean
  recorded_at: Date | null
  scorer: string | null
}

/** Keeps the photo's old position. If that has been taken since the import, adds the photo at the end or, if the end is full, in a gap. */
async function addToLog(tx: Tx, { log_id, position }: Photo, mediaId: string): Promise<void> {
  const taken = sql`select position from grow_log_photos where log_id = ${log_id}::uuid`
  const { rows } = await sql<{ position: number }>`
    select free.position from generate_series(0, ${sql.lit(maxPhotosOfLog - 1)}) as free (position)
    where free.position not in (${taken})
    order by free.position is not distinct from ${position}::integer desc, free.position > all (${taken}) desc, free.position
    limit 1`.execute(tx)
  const free = rows[0]?.position
  if (free === undefined) throw new AppError('conflict', { message: `A log can have up to ${maxPhotosOfLog} photos.` })
  await tx
    .insertInto('grow_log_photos')
    .values({ log_id: log_id as string, position: free, media_id: mediaId })
    .execute()
  await syncMediaUses(tx, 'log', [log_id as string])
}

async function addScore(tx: Tx, photo: Score, mediaId: string, actor: Actor, now: Date): Promise<void> {
  const { id, hunt_id, run_id, note, is_blind, scorer } = photo
  const [trait_id, plant_id, observed_on] = [photo.trait_id as string, photo.plant_id as string, photo.observed_on as string]
  const trait = await tx.selectFrom('traits').select('kind').where('id', '=', trait_id).executeTakeFirst()
  if (trait?.kind !== 'photo') throw new AppError('conflict', { message: 'This photo’s trait no longer accepts photos.' })
  await tx
    .insertInto('observations')
    .values({
      ...{ id, hunt_id, trait_id, plant_id, run_id, observed_on, media_id: mediaId, note, is_blind, scorer },
      created_at: photo.recorded_at ?? now,
    })
    .execute()
  await syncMediaUses(tx, 'observation', [id])
  const genotypes = await genotypesOfPlants(tx, hunt_id, [plant_id])
  await recordHuntEvents(tx, [
    {
      ...{ huntId: hunt_id, kind: 'observation.made', genotypeId: genotypes.get(plant_id) ?? null, plantId: plant_id, subjectId: id },
      ...{ detail: { traitId: trait_id, number: null }, happenedOn: observed_on, recordedBy: actor.id, now },
    },
  ])
}

/** @throws AppError not_found, forbidden */
export async function forgetAwaitedPhotos(ctx: Pick<Context, 'db'>, actor: Actor, huntId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { id } = await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    await tx.deleteFrom('awaited_photos').where('hunt_id', '=', id).execute()
  })
}
