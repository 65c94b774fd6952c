import { hash } from 'node:crypto'
import { compactName } from '../../kernel/geo/place-names.ts'
import { nameKey } from '../../kernel/license-keys.ts'
import { streetKey } from './names.ts'

/** The keys by which the register knows a license, a place and an address again. */

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
 * State and number alone do not do. In the shipped file 280 pairs of rows share them: 229 stores in Washington hold an
 * adult-use and a medical license under one number, and 51 licensees in Arizona a store and an offsite grow, in another
 * town. With the type of the license all but 11 rows are told apart; those 11 repeat a license under another spelling or
 * name, and are refused as repetitions.
 *
 * Where the register has no number (all of Connecticut, Delaware, Maryland, New Jersey; 178 of New Mexico's), name, type
 * and address stand in for it: such a license that moves is a new one.
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
 * What all licenses of one business at one place share: its name and its street and city, or its ZIP code or city where no
 * street is known. Null where nothing says where it is; a county does not.
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
