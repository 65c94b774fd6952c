import { hash } from 'node:crypto'
import type { Tx } from '#server/db/connect.ts'
import { compactName } from '#server/kernel/geo/place-names.ts'
import { nameKey } from '#server/kernel/license-keys.ts'
import { streetKey } from './read-records.ts'

type Identified = {
  state: string
  license_number_key: string | null
  license_type: string | null
  business_name: string
  street: string | null
  city: string | null
  zip: string | null
}

/**
 * The identity of a license across files.
 *
 * State and number alone aren't enough. In the shipped file, 280 pairs of rows share them: 229 stores in Washington hold an
 * adult-use and a medical license under one number, and 51 licensees in Arizona a store and an offsite grow in another
 * town. Adding the license type distinguishes all but 11 rows; those 11 repeat a license under another spelling or name,
 * and are refused as duplicates.
 *
 * If the register has no number (all of Connecticut, Delaware, Maryland, New Jersey; 178 of New Mexico's), name, type and
 * address replace it: such a license becomes a new one when it moves.
 */
export function registerKey(license: Identified): string {
  const { state, license_number_key: number, license_type: type } = license
  const typeKey = nameKey(type ?? '')
  if (number) return `${state}:${number}:${typeKey}`
  const parts = [
    nameKey(license.business_name),
    typeKey,
    streetKey(license.street ?? ''),
    compactName(license.city ?? ''),
    license.zip ?? '',
  ]
  return `${state}#${hash('sha1', parts.join('|'), 'base64url')}`
}

type Placed = Identified & { latitude: number | null; longitude: number | null }

/**
 * Shared by all licenses of a business at a place: its name with its street and city, or with its ZIP code or city if the
 * street is unknown. Null if the location is unknown; a county is not enough.
 */
export function placeKey(license: Placed): string | null {
  const where = placeWords(license)
  return where && `${license.state}|${nameKey(license.business_name)}|${where}`
}

function placeWords({ street, city, zip, latitude, longitude }: Placed): string | null {
  const cityKey = city ? compactName(city) : ''
  if (street && (cityKey || zip)) return `${streetKey(street)}, ${cityKey || zip}`
  if (zip) return zip
  if (cityKey) return cityKey
  if (latitude === null || longitude === null) return null
  return `${street ? `${streetKey(street)}, ` : ''}${latitude.toFixed(3)} ${longitude.toFixed(3)}`
}

/** Null without a street. */
export function addressKey(license: {
  authority: string | null
  state: string
  street: string | null
  city: string | null
}): string | null {
  if (!license.street) return null
  const parts = [license.state, license.authority ?? '', streetKey(license.street), compactName(license.city ?? '')]
  return hash('sha1', parts.join('|'), 'base64url')
}

/**
 * Links a license without a listing to a business created by its owner. Imports keep such a link, and the page shows the
 * register's data. A register listing has exactly the licenses of its place.
 */
export async function linkLicense(tx: Tx, licenseId: string, businessId: string): Promise<void> {
  await tx
    .updateTable('licenses')
    .set({ business_id: businessId })
    .where('id', '=', licenseId)
    .where('business_id', 'is', null)
    .where((eb) =>
      eb.exists(eb.selectFrom('businesses').select('id').where('businesses.id', '=', businessId).where('register_place', 'is', null)),
    )
    .execute()
}

/** Unlinks a license that turned out to be another business's. Register listings are unaffected. */
export async function unlinkLicense(tx: Tx, licenseId: string): Promise<void> {
  await tx
    .updateTable('licenses')
    .set({ business_id: null })
    .where('id', '=', licenseId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('businesses')
          .select('businesses.id')
          .whereRef('businesses.id', '=', 'licenses.business_id')
          .where('businesses.register_place', 'is', null),
      ),
    )
    .execute()
}
