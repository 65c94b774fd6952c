import { type Selectable, sql } from 'kysely'
import type { Business, BusinessEdits } from '../../../contracts/businesses.ts'
import type { DB, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import { markForSearch } from '../../kernel/search.ts'
import { recordAudit } from '../audit/index.ts'
import { fetchOutside, requireReadyMedia } from '../media/index.ts'
import { businessWords, requireClean } from '../screening/index.ts'
import { requirePermission } from '../team/index.ts'
import { requireOpenName } from './correct-name.ts'
import { getBusiness } from './get-business.ts'
import { requireLicensedState } from './licensed-state.ts'
import { readLocation } from './location.ts'
import { setBusinessPicture } from './picture.ts'
import { searchTextOf } from './text-filter.ts'

/**
 * Changes what a business says of itself. What is edited is marked, and imports of the register leave it alone.
 * @throws AppError not_found, forbidden, muted, invalid_input about `imageId`, about `name` where others rely on it, about `location`
 * where no license of it holds, or about words that are refused
 */
export async function editBusiness(
  ctx: Pick<Context, 'db' | 'clock' | 'cache' | 'jobs'>,
  actor: Actor,
  idOrSlug: string,
  edits: BusinessEdits,
): Promise<Business> {
  const now = ctx.clock.now()
  const answer = await inTransaction(ctx.db, async (tx) => {
    const { id } = await requirePermission(tx, actor, idOrSlug, 'profile', { lock: true })
    const before = await lockProfile(tx, id)
    const changes = changesOf(before, edits)
    if (changes.name !== undefined) requireOpenName(await getBusiness(tx, id, now))
    const { name, description, location, address, phone, website } = changes
    const shown = [before.name, before.description, before.location, before.address, before.phone, before.website]
    const words = { name, description, location, address, phone, website }
    requireClean((await businessWords(tx, ctx, actor, 'business_profile', id))(words, shown))
    const place = { state: before.state, country: before.country, ...changes }
    await requireLicensedState(tx, id, before, { state: place.state, country: place.country })
    const edited = Object.keys(changes).filter((field) => editedFields.has(field))
    const isPictureNew = await changePicture(tx, ctx, actor, before, edits)
    if (edited.length === 0 && !isPictureNew) return getBusiness(tx, id, now)
    await tx
      .updateTable('businesses')
      .set({
        ...changes,
        search_text: searchTextOf({ ...before, ...changes }),
        edited_fields: [...new Set([...before.edited_fields, ...edited])].sort(),
        updated_at: now,
      })
      .where('id', '=', id)
      .execute()
    await markForSearch(tx, 'business', [id])
    const business = await getBusiness(tx, id, now)
    const fields = [...edited, ...(isPictureNew ? ['picture'] : [])].join(' ')
    const entry = { action: 'business.edited', subjectType: 'business', subjectId: id, businessId: id } as const
    await recordAudit(tx, { ...entry, at: now, actorId: actor.id, details: { fields } })
    return business
  })
  ctx.cache.invalidate('businesses')
  return answer
}

type Row = Selectable<DB['businesses']>

/** The fields by which an import knows what the owner changed: see `keptByOwner` in server/features/directory/plan-listings.ts. */
const editedFields = new Set(['name', 'description', 'location', 'address', 'phone', 'website'])

const lockProfile = (tx: Tx, id: string) =>
  tx
    .selectFrom('businesses')
    .select([
      'id',
      'name',
      'type',
      'description',
      'location',
      'state',
      'country',
      'address',
      'phone',
      'website',
      'image_id',
      'image_url',
      'edited_fields',
    ])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

type Profile = Awaited<ReturnType<typeof lockProfile>>
type Changes = Partial<
  Pick<
    Row,
    | 'name'
    | 'description'
    | 'location'
    | 'city'
    | 'state'
    | 'country'
    | 'zip'
    | 'address'
    | 'phone'
    | 'website'
    | 'latitude'
    | 'longitude'
    | 'geo_precision'
    | 'pin_latitude'
    | 'pin_longitude'
    | 'pin_precision'
  >
>

function changesOf(before: Profile, edits: BusinessEdits): Changes {
  const changes: Changes = {}
  if (edits.name !== undefined && edits.name !== before.name) changes.name = edits.name
  for (const field of ['description', 'phone', 'website'] as const) {
    const after = edits[field] === undefined ? before[field] : edits[field] || null
    if (after !== before[field]) changes[field] = after
  }
  // Nobody's grow is given away, not even by its owner's mistake.
  const address = before.type === 'farm' ? null : edits.address === undefined ? before.address : edits.address || null
  if (address !== before.address) changes.address = address
  const location = edits.location ?? before.location
  if (location !== before.location || (changes.address !== undefined && location !== null)) {
    // A new address within the city is not where the old pin is: it is known by its city or ZIP code from then on.
    const { pin, ...place } = readLocation(location ?? '', before.type)
    const isElsewhere = location !== before.location
    Object.assign(changes, isElsewhere ? place : {}, {
      latitude: pin?.latitude ?? null,
      longitude: pin?.longitude ?? null,
      geo_precision: pin?.precision ?? null,
      pin_latitude: pin?.latitude ?? null,
      pin_longitude: pin?.longitude ?? null,
      pin_precision: pin?.precision ?? null,
    })
  }
  return changes
}

/** Whether there is another picture now, or none any more. One of another site comes later, by a job. */
async function changePicture(
  tx: Tx,
  ctx: Pick<Context, 'jobs' | 'clock'>,
  actor: Actor,
  before: Profile,
  { imageId, imageUrl }: BusinessEdits,
): Promise<boolean> {
  if (imageId !== undefined) {
    if (imageId === before.image_id) return false
    await requirePicture(tx, actor.id, imageId)
    await setBusinessPicture(tx, before.id, imageId)
    await setSource(tx, before.id, null)
    return true
  }
  if (imageUrl === undefined || imageUrl === (before.image_url ?? (before.image_id ? undefined : ''))) return false
  await setSource(tx, before.id, imageUrl || null)
  if (imageUrl) await fetchOutside(tx, ctx, { url: imageUrl, ownerId: actor.id, attach: { businessId: before.id } })
  else await setBusinessPicture(tx, before.id, null)
  return true
}

const setSource = (tx: Tx, id: string, imageUrl: string | null) =>
  tx.updateTable('businesses').set({ image_url: imageUrl }).where('id', '=', id).execute()

/** @throws AppError invalid_input */
async function requirePicture(tx: Tx, ownerId: string, mediaId: string): Promise<void> {
  const upload = await tx
    .selectFrom('media')
    .select('kind')
    .where(sql<boolean>`id = ${mediaId}::uuid`)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
  if (upload?.kind !== 'image') throw invalidField('imageId', 'Choose a picture that you uploaded')
  await requireReadyMedia(tx, ownerId, [mediaId])
}
