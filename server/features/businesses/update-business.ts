import { type Selectable, sql } from 'kysely'
import { type Amenity, amenities } from '#contracts/amenities.ts'
import { isNameOpen } from '#contracts/businesses.rules.ts'
import type { Business, BusinessEdits } from '#contracts/businesses.ts'
import type { DB, Tx } from '#server/db/connect.ts'
import { asLocked } from '#server/db/locked.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { fetchOutside, type IsForEveryone, requireReadyMedia, syncMediaUses } from '#server/features/media/index.ts'
import { businessWords, requireClean } from '#server/features/screening/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField, notFound } from '#server/kernel/errors.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { reportDuplicate } from './create-business.ts'
import { requireLicensedState } from './listing-state.ts'
import { pinColumns, readLocation } from './location.ts'
import { getBusiness } from './read-businesses.ts'
import { searchTextOf } from './search.ts'

/**
 * Marks edited fields, which register imports then skip.
 * @throws AppError not_found, forbidden, muted, invalid_input about `imageId`, about `name` if others rely on it, about
 * `location` if it leaves the states of the business's licenses, or for refused text
 */
export async function updateBusiness(
  ctx: Pick<Context, 'db' | 'clock' | 'cache' | 'jobs'>,
  actor: Actor,
  idOrSlug: string,
  edits: BusinessEdits,
): Promise<Business> {
  const now = ctx.clock.now()
  const answer = await inTransaction(ctx.db, async (tx) => {
    const { id } = await requirePermission(tx, actor, idOrSlug, 'profile')
    const before = await lockProfile(tx, id)
    await requirePermission(tx, actor, id, 'profile', { lock: true })
    const changes = changesOf(before, edits)
    if (changes.name !== undefined) requireOpenName(await getBusiness(tx, id, now))
    const { name, description, location, address, phone, website } = changes
    const shown = [before.name, before.description, before.location, before.address, before.phone, before.website]
    const words = { name, description, location, address, phone, website }
    requireClean((await businessWords(tx, ctx, actor, 'business_profile', id))(words, shown))
    const place = { state: before.state, country: before.country, ...changes }
    await requireLicensedState(tx, asLocked('businesses', id), before, { state: place.state, country: place.country })
    const edited = Object.keys(changes).filter((field) => editedFields.has(field))
    const others = [
      ...((await changePicture(tx, ctx, actor, before, edits)) ? ['picture'] : []),
      ...((await changeLogo(tx, actor, before, edits)) ? ['logo'] : []),
      ...((await changeAmenities(tx, before, edits)) ? ['amenities'] : []),
    ]
    if (edited.length + others.length === 0) return getBusiness(tx, id, now)
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
    await reportIfDuplicate(tx, { ...before, ...changes }, changes, actor.id, now)
    const business = await getBusiness(tx, id, now)
    const fields = [...edited, ...others].join(' ')
    const entry = { action: 'business.edited', subjectType: 'business', subjectId: id, businessId: id } as const
    await recordAudit(tx, { ...entry, at: now, actorId: actor.id, details: { fields } })
    return business
  })
  ctx.cache.invalidate('businesses')
  return answer
}

/** Licensed businesses and listings from the register are never reported as duplicates. */
async function reportIfDuplicate(tx: Tx, after: Profile, changes: Changes, userId: string, now: Date): Promise<void> {
  const isMoved = changes.name !== undefined || changes.city !== undefined || changes.state !== undefined
  if (!isMoved || after.is_demo || after.register_place !== null || after.license_standing !== 'none') return
  await reportDuplicate(tx, { ...after, licenseNumber: after.stated_license_number }, userId, now)
}

type Row = Selectable<DB['businesses']>

/** Fields marked as edited by the owner: see `ownerFacts` in server/features/directory/update-listings.ts. */
const editedFields = new Set(['name', 'description', 'location', 'address', 'phone', 'website'])

/** @throws AppError not_found if the business was merged in the meantime */
async function lockProfile(tx: Tx, id: string) {
  const profile = await tx
    .selectFrom('businesses')
    .select([
      'id',
      'name',
      'type',
      'description',
      'location',
      'city',
      'state',
      'country',
      'address',
      'phone',
      'website',
      'image_id',
      'image_url',
      'logo_id',
      'amenities',
      'edited_fields',
      'stated_license_number',
      'license_standing',
      'register_place',
      'is_demo',
    ])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!profile) throw notFound('Business not found.')
  return profile
}

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
  // Never store a farm's address, even if its owner enters one by mistake.
  const address = before.type === 'farm' ? null : edits.address === undefined ? before.address : edits.address || null
  if (address !== before.address) changes.address = address
  const location = edits.location ?? before.location
  if (location !== before.location || (changes.address !== undefined && location !== null)) {
    // The old pin doesn't apply to a new address in the same city, which is then located by city or ZIP code.
    const { pin, ...place } = readLocation(location ?? '', before.type)
    const isElsewhere = location !== before.location
    Object.assign(changes, isElsewhere ? place : {}, {
      ...pinColumns(pin),
    })
  }
  return changes
}

/** @returns whether the picture changed. A picture from another site is fetched later, by a job. */
async function changePicture(
  tx: Tx,
  ctx: Pick<Context, 'jobs' | 'clock'>,
  actor: Actor,
  before: Profile,
  { imageId, imageUrl }: BusinessEdits,
): Promise<boolean> {
  if (imageId !== undefined) {
    if (imageId === before.image_id) return false
    await requirePicture(tx, actor.id, imageId, 'imageId')
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

async function changeLogo(tx: Tx, actor: Actor, before: Profile, { logoId }: BusinessEdits): Promise<boolean> {
  if (logoId === undefined || logoId === before.logo_id) return false
  if (logoId !== null) await requirePicture(tx, actor.id, logoId, 'logoId')
  await setLogo(tx, before.id, logoId)
  return true
}

/** @returns whether the amenities changed. Their text isn't screened, because it comes from a list. */
async function changeAmenities(tx: Tx, before: Profile, { amenities: given, amenitiesBefore: read }: BusinessEdits): Promise<boolean> {
  if (given === undefined) return false
  const isUntouched = (each: Amenity) => read !== undefined && read.includes(each) === given.includes(each)
  const after = amenities.filter((each) => (isUntouched(each) ? before.amenities : given).includes(each))
  if (after.join() === before.amenities.join()) return false
  await tx.updateTable('businesses').set({ amenities: after }).where('id', '=', before.id).execute()
  return true
}

/** @throws AppError invalid_input */
async function requirePicture(tx: Tx, ownerId: string, mediaId: string, field: 'imageId' | 'logoId'): Promise<void> {
  const upload = await tx
    .selectFrom('media')
    .select('kind')
    .where(sql<boolean>`id = ${mediaId}::uuid`)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
  if (upload?.kind !== 'image') throw invalidField(field, 'Choose a picture that you uploaded')
  await requireReadyMedia(tx, ownerId, [mediaId], { field })
}

/** @throws AppError invalid_input about `name` if others rely on the current one */
function requireOpenName(business: Business): void {
  if (isNameOpen(business)) return
  const isLicensed = business.licenses.length > 0 || business.verification.status !== 'none'
  const why = isLicensed ? 'This name is on its license.' : 'People reviewed or subscribed to this business under this name.'
  throw invalidField('name', `${why} Contact us to correct it.`)
}

/**
 * Lets an admin correct any name. Like an owner's edit, it survives later register imports. The slug doesn't change, because
 * others link to it.
 * @throws AppError not_found
 */
export async function correctName(ctx: Pick<Context, 'db' | 'clock' | 'cache'>, actor: Actor, id: string, name: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const before = await tx
      .selectFrom('businesses')
      .select(['name', 'description', 'location', 'edited_fields'])
      .where(sql<boolean>`id = ${id}::uuid`)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!before) throw notFound('Business not found.')
    if (before.name === name) return
    await tx
      .updateTable('businesses')
      .set({
        name,
        search_text: searchTextOf({ ...before, name }),
        edited_fields: [...new Set([...before.edited_fields, 'name'])].sort(),
        updated_at: now,
      })
      .where('id', '=', id)
      .execute()
    await markForSearch(tx, 'business', [id])
    const entry = { action: 'business.renamed', subjectType: 'business', subjectId: id, businessId: id } as const
    await recordAudit(tx, { ...entry, at: now, actorId: actor.id })
  })
  ctx.cache.invalidate('businesses')
}

/** No-op if the business was deleted. */
export async function setBusinessPicture(tx: Tx, businessId: string, mediaId: string | null): Promise<void> {
  await tx.updateTable('businesses').set({ image_id: mediaId }).where('id', '=', businessId).execute()
  await syncMediaUses(tx, 'business', [businessId])
}

/** Shows a picture from another site, unless the business has chosen another picture, or none, since its download began. */
export async function attachFetchedPicture(tx: Tx, businessId: string, mediaId: string): Promise<void> {
  const waiting = await tx
    .selectFrom('businesses')
    .innerJoin('media', 'media.source_url', 'businesses.image_url')
    .select('businesses.id')
    .where('businesses.id', '=', businessId)
    .where('media.id', '=', mediaId)
    .forNoKeyUpdate('businesses')
    .executeTakeFirst()
  if (waiting) await setBusinessPicture(tx, businessId, mediaId)
}

export async function setLogo(tx: Tx, businessId: string, mediaId: string | null): Promise<void> {
  await tx.updateTable('businesses').set({ logo_id: mediaId }).where('id', '=', businessId).execute()
  await syncMediaUses(tx, 'business', [businessId])
}

export const isBusinessPictureShown: IsForEveryone = (businessId) => sql<boolean>`exists (
  select from businesses where businesses.id = ${businessId} and businesses.moderation is null)`
