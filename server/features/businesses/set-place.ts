import type { Tx } from '../../db/connect.ts'
import { markForSearch } from '../../kernel/search.ts'
import { requireLicensedState } from './licensed-state.ts'
import type { TypedLocation } from './location.ts'
import { searchTextOf } from './text-filter.ts'

export type BusinessPlaceInput = TypedLocation & { address: string | null; phone: string | null }

/**
 * Puts a business where its main location is, marking what changed so that imports of the register leave it alone. Of a farm,
 * `readLocation` has made sure that nothing finer than its city comes here.
 * @returns the names of the fields that changed
 * @throws AppError invalid_input about `location` where no license of the business holds
 */
export async function setBusinessPlace(tx: Tx, businessId: string, place: BusinessPlaceInput, now: Date): Promise<string[]> {
  const before = await tx
    .selectFrom('businesses')
    .select(['name', 'description', 'location', 'state', 'country', 'address', 'phone', 'pin_latitude', 'pin_longitude', 'edited_fields'])
    .where('id', '=', businessId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  await requireLicensedState(tx, businessId, before, place)
  const { pin, ...columns } = place
  const isMoved =
    before.location !== place.location ||
    before.pin_latitude !== (pin?.latitude ?? null) ||
    before.pin_longitude !== (pin?.longitude ?? null)
  const edited = [
    ...(isMoved ? ['location'] : []),
    ...(before.address !== place.address ? ['address'] : []),
    ...(before.phone !== place.phone ? ['phone'] : []),
  ]
  if (edited.length === 0) return []
  await tx
    .updateTable('businesses')
    .set({
      ...columns,
      latitude: pin?.latitude ?? null,
      longitude: pin?.longitude ?? null,
      geo_precision: pin?.precision ?? null,
      pin_latitude: pin?.latitude ?? null,
      pin_longitude: pin?.longitude ?? null,
      pin_precision: pin?.precision ?? null,
      search_text: searchTextOf({ name: before.name, description: before.description, location: place.location }),
      edited_fields: [...new Set([...before.edited_fields, ...edited])].sort(),
      updated_at: now,
    })
    .where('id', '=', businessId)
    .execute()
  await markForSearch(tx, 'business', [businessId])
  return edited
}
