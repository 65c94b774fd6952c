import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import { maxImageBytes } from '#contracts/media.rules.ts'
import type { Media } from '#contracts/media.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { today } from '#server/features/hunts/index.ts'
import { mediaOf, storePicture } from '#server/features/media/index.ts'
import { recordObservations } from '#server/features/traits/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { bodyLimits, createGate } from '#server/kernel/gate.ts'
import { readHeader } from '#server/kernel/media-header.ts'
import { MediaRefused } from '#server/kernel/media-maker.ts'
import type { Api } from '#server/kernel/route.ts'
import {
  type BrapiQuery,
  countedPage,
  dayOf,
  fullListResponse,
  infoOf,
  isOneOf,
  known,
  noonOf,
  objectOf,
  type QueryResult,
  singleResponse,
  textOf,
  uuidsOf,
} from './asked.ts'
import { addCall, basePath } from './brapi-call.ts'
import { type GrownHunt, huntsOf, huntsOfPlants, idsOfHunts } from './hunts.ts'
import { type Body, namedAs, type Row, RowError, referencesOf, requireId, sentDay, sentText, stableId } from './write-call.ts'

type ImageRow = { total: number; media_id: string; hunt_id: string; plant_id: string; observation_id: string | null; on: string }

export function addressOf({ config }: Pick<Context, 'config'>, picture: Media | undefined): string | undefined {
  const file = picture?.sources.at(-1)?.webp
  return file && `${config.publicUrl}${file}`
}

/** A key reads only metadata. It doesn't open the pictures themselves, whose URLs require the viewer's session. */
export async function readImages({ ctx, hunts, filter, paging }: BrapiQuery): Promise<QueryResult> {
  const ids = pageIds(idsOfHunts(hunts))
  const { items, total } = await countedPage(
    (limit, offset) =>
      sql<ImageRow>`
        select count(*) over () as total, photos.* from (
          select media_id, hunt_id, plant_id, id as observation_id, observed_on as "on" from observations
          where hunt_id = ${ids} and media_id is not null and is_current and not is_withdrawn
          union all
          select grow_log_photos.media_id, grow_logs.hunt_id, grow_logs.plant_id, null::uuid, grow_logs.logged_on
          from grow_logs join grow_log_photos on grow_log_photos.log_id = grow_logs.id
          where grow_logs.hunt_id = ${ids} and grow_logs.plant_id is not null and grow_logs.deleted_at is null) as photos
        join media on media.id = photos.media_id and media.kind = 'image' and media.status = 'ready'
        where ${isOneOf(sql`photos.media_id`, filter.imageDbIds)} and ${isOneOf(sql`photos.plant_id`, filter.observationUnitDbIds)}
          and ${isOneOf(sql`photos.observation_id`, filter.observationDbIds)}
        order by photos.hunt_id, photos."on", photos.media_id limit ${limit} offset ${offset}`
        .execute(ctx.db)
        .then(({ rows }) => rows),
    paging,
  )
  const media = await mediaOf(
    ctx.db,
    items.map(({ media_id }) => media_id),
  )
  const rows = items.map((row) => {
    const picture = media.get(row.media_id)
    const largest = picture?.sources.at(-1)?.webp
    return known({
      imageDbId: row.media_id,
      imageName: picture?.alt || `Photo of ${row.on}`,
      imageFileName: largest?.split('/').at(-1),
      description: picture?.alt,
      imageHeight: picture?.height,
      imageWidth: picture?.width,
      imageURL: addressOf(ctx, picture),
      mimeType: 'image/webp',
      imageTimeStamp: noonOf(row.on),
      observationUnitDbId: row.plant_id,
      observationDbIds: row.observation_id === null ? [] : [row.observation_id],
      additionalInfo: infoOf({ trialDbId: row.hunt_id }),
    })
  })
  return { rows, total }
}

const maxRows = 200

/** Each picture takes up to 10 MB of memory until it is stored, and clients send several in parallel. */
const pictures = createGate({ ...bodyLimits, perCaller: { maxConcurrent: 2, maxWaiting: 8 } })

export const imageWriteRoutes = [`POST ${basePath}/images`, `PUT ${basePath}/images/:id/imagecontent`]

/**
 * Receives photos as Field Book sends them: first the metadata, then the picture. Nothing is stored before the picture arrives, so the
 * returned ID contains the metadata.
 */
export function addImageWrites({ app, ctx }: Api): void {
  addCall(
    { app, ctx },
    {
      ...{ method: 'POST', path: '/images', scope: 'hunts:write' },
      handle: async ({ actor, request }) => {
        if (!Array.isArray(request.body)) throw new AppError('invalid_input', { message: 'Send a JSON array.' })
        const rows = request.body.map((body: unknown, i): Row => ({ name: `Row ${i + 1}`, body: objectOf(body) }))
        if (rows.length === 0 || rows.length > maxRows) {
          throw new AppError('invalid_input', { message: `Send between 1 and ${maxRows} entries at once.` })
        }
        const found = await readKnown(ctx, await huntsOf(ctx.db, actor), rows)
        const announced = rows.map((row) => {
          try {
            return announce(ctx, actor, found, row.body)
          } catch (error) {
            throw namedAs(row, rows.length, error)
          }
        })
        return fullListResponse(announced)
      },
    },
  )
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(/^(image\/|application\/octet-stream)/, { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
    addCall(
      { app: scope, ctx },
      {
        ...{ method: 'PUT', path: '/images/:id/imagecontent', scope: 'hunts:write', allowance: 'upload', maxBytes: maxImageBytes },
        before: ({ actor, request }) => requirePhoto(ctx, actor, tokenIn(request)),
        bodyGate: pictures,
        handle: async ({ actor, request, checked }) => singleResponse(await addPicture(ctx, actor, checked, request.body)),
      },
    )
  })
}

type Photo = { observationId: string; plantId: string; traitId: string; day: string }

const tokenOf = ({ observationId, plantId, traitId, day }: Photo): string => [observationId, plantId, traitId, day].join('.')

function photoOf(token: string): Photo | null {
  const [observationId = '', plantId = '', traitId = '', day = ''] = token.split('.')
  return dayOf(day) === day && [observationId, plantId, traitId].every(isUuid) ? { observationId, plantId, traitId, day } : null
}

const tokenIn = ({ params }: FastifyRequest): string => (params as { id: string }).id

/** A photo that the person can add, and their hunts. */
type Expected = Photo & { huntId: string; hunts: readonly GrownHunt[] }

/** @throws AppError not_found */
async function requirePhoto(ctx: Context, actor: Actor, token: string): Promise<Expected> {
  const photo = photoOf(token)
  const hunts = photo ? await huntsOf(ctx.db, actor) : []
  const [huntId] = photo ? (await huntsOfPlants(ctx.db, hunts, [photo.plantId])).values() : []
  if (!photo || !huntId) throw notFound('No trial that you can edit has this image. Send its metadata first.')
  return { ...photo, huntId, hunts }
}

type PhotoTrait = { id: string; name: string; hunt_id: string }
type Known = {
  /** The hunt of each plant that the person can edit. */
  huntOfPlant: ReadonlyMap<string, string>
  /** The photo traits of each hunt, in the hunt's order. */
  traits: ReadonlyMap<string, readonly PhotoTrait[]>
}

/** What the rows of a request refer to. A row without a valid ID is refused when its turn comes. */
async function readKnown(ctx: Context, hunts: readonly GrownHunt[], rows: readonly Row[]): Promise<Known> {
  const plantIds = uuidsOf(rows.map(({ body }) => textOf(body.observationUnitDbId ?? '').trim()))
  const huntOfPlant = await huntsOfPlants(ctx.db, hunts, plantIds)
  const traits = await ctx.db
    .selectFrom('traits')
    .select(['id', 'name', 'hunt_id'])
    .where(sql<boolean>`hunt_id = ${pageIds([...new Set(huntOfPlant.values())])}`)
    .where('kind', '=', 'photo')
    .where('is_archived', '=', false)
    .orderBy('position')
    .execute()
  return { huntOfPlant, traits: Map.groupBy(traits, ({ hunt_id }) => hunt_id) }
}

/** @throws RowError */
function announce(ctx: Context, actor: Actor, { huntOfPlant, traits }: Known, body: Body): object {
  const plantId = requireId(body, 'observationUnitDbId', 'a plant that you can edit')
  const huntId = huntOfPlant.get(plantId)
  if (huntId === undefined) throw new RowError('observationUnitDbId must be the ID of a plant that you can edit.')
  const ofHunt = traits.get(huntId) ?? []
  const terms = new Set<unknown>(Array.isArray(body.descriptiveOntologyTerms) ? body.descriptiveOntologyTerms : [])
  const trait = ofHunt.find(({ id, name }) => terms.has(id) || terms.has(name)) ?? ofHunt[0]
  if (!trait) throw new RowError('This trial has no variable for photos. Add a photo trait to the hunt in the app first.')
  const day = sentDay(body, 'imageTimeStamp') ?? today(ctx.clock.now())
  const references = referencesOf(body)
  const [reference] = references
  const name = sentText(body, 'imageName') || sentText(body, 'imageFileName') || ''
  const key = reference ? [reference.referenceSource, reference.referenceId] : [name, sentText(body, 'imageTimeStamp') ?? '']
  const observationId = stableId([actor.id, 'images', plantId, trait.id, ...key])
  return known({
    imageDbId: tokenOf({ observationId, plantId, traitId: trait.id, day }),
    imageName: name,
    imageFileName: sentText(body, 'imageFileName'),
    imageTimeStamp: noonOf(day),
    mimeType: sentText(body, 'mimeType'),
    observationUnitDbId: plantId,
    ...(references.length > 0 && { externalReferences: references }),
  })
}

/** Repeating the call returns the same photo. */
async function addPicture(ctx: Context, actor: Actor, expected: Expected, bytes: unknown): Promise<object> {
  const { observationId, plantId, traitId, day, huntId, hunts } = expected
  let mediaId = await photoValue(ctx, observationId)
  if (!mediaId) {
    const picture = requirePicture(bytes)
    const value = (id: string) => ({ kind: 'photo' as const, mediaId: id })
    try {
      const error = await storePicture(ctx, { ownerId: actor.id, bytes: picture }, async (tx, id) => {
        const observation = { id: observationId, traitId, plantId, observedOn: day, value: value(id) }
        const fields = { note: '', isBlind: false, correctsId: null, sameDay: 'add' as const }
        await recordObservations({ db: tx, clock: ctx.clock }, actor, huntId, [{ ...observation, ...fields }])
      })
      if (error !== null) throw new AppError('invalid_input', { message: error })
    } catch (error) {
      // A concurrent retry may have stored the photo in the meantime.
      if (!(error instanceof AppError) || error.code !== 'conflict' || !(await photoValue(ctx, observationId))) throw error
    }
    mediaId = await photoValue(ctx, observationId)
  }
  const filter = { imageDbIds: mediaId ? [mediaId] : [] }
  const { rows } = await readImages({ ctx, actor, hunts, filter, paging: { page: 0, pageSize: 1 } })
  return rows[0] ?? {}
}

async function photoValue({ db }: Context, id: string): Promise<string | null> {
  const row = await db.selectFrom('observations').select('media_id').where('id', '=', id).executeTakeFirst()
  return row?.media_id ?? null
}

function requirePicture(bytes: unknown): Buffer {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw new AppError('invalid_input', { message: 'Send the bytes of the picture.' })
  try {
    if (readHeader(bytes, bytes.length).kind === 'image') return bytes
  } catch (error) {
    if (!(error instanceof MediaRefused)) throw error
    throw new AppError('invalid_input', { message: error.message })
  }
  throw new AppError('invalid_input', { message: 'Only pictures can be added.' })
}
