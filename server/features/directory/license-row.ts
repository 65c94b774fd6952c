import { hash } from 'node:crypto'
import { isCalendarDate } from '../../../contracts/age.ts'
import type { BusinessType } from '../../../contracts/business-types.ts'
import type { Precision } from '../../../contracts/businesses.ts'
import { findState, usStates } from '../../kernel/geo/us-states.ts'
import { licenseNumberKey, nameKey } from '../../kernel/license-keys.ts'
import type { RawRow } from './columns.ts'
import { type Standing, standingOf } from './license-statuses.ts'
import { readLicenseType } from './license-types.ts'
import { tidyName } from './names.ts'
import { addressKey, placeKey, registerKey } from './register-key.ts'
import { type PlaceNote, readPlace } from './row-place.ts'

/** A row of a license file, read and judged: what the register stores of it. */
export type LicenseRow = {
  register_key: string
  register_place: string | null
  address_key: string | null
  name_key: string
  state: string
  license_number: string | null
  license_number_key: string | null
  business_name: string
  license_type: string | null
  business_type: BusinessType
  status: string | null
  standing: Standing
  designation: string | null
  street: string | null
  city: string | null
  county: string | null
  zip: string | null
  phone: string | null
  website: string | null
  latitude: number | null
  longitude: number | null
  geo_precision: Precision | null
  authority: string | null
  authority_id: string | null
  source_date: string | null
  expires_on: string | null
  content_hash: string
}

/** What the import had to set right, drop or guess in a row that it took all the same. */
export type RowNote =
  | PlaceNote
  | 'read as Windows-1252'
  | 'unknown status counted as listed'
  | 'unknown business type'
  | 'date unreadable'
  | 'expiry unreadable'

export type ReadRow = { license: LicenseRow; notes: RowNote[] }

const maxName = 200
const maxText = 500

/** @returns why the row was refused, or the license with what was noted about it */
export function readLicense(row: RawRow): ReadRow | { refused: string } {
  const state = stateOf(row.state)
  if (row.state === '') return { refused: 'The column state is empty.' }
  if (state === null) return { refused: `“${row.state.slice(0, 40)}” is not a US state.` }
  if (row.dba_name === '') return { refused: 'The column dba_name is empty.' }
  const long = Object.entries(row).find(([column, text]) => text.length > (column === 'dba_name' ? maxName : maxText))
  if (long) return { refused: `The column ${long[0]} has ${long[1].length} characters.` }
  if (Object.values(row).some((text) => text.includes('\0'))) return { refused: 'The row contains a NUL character.' }

  const notes: RowNote[] = []
  const type = readLicenseType({ state, licenseNumber: row.license_number, licenseType: row.license_type, businessType: row.business_type })
  if (type.isUnknown) notes.push('unknown business type')
  const standing = standingOf(row.license_status, state)
  if (standing === null) notes.push('unknown status counted as listed')
  const place = readPlace({ ...row, state }, (note) => notes.push(note))
  const sourceDate = readDate(row.data_refreshed)
  if (row.data_refreshed !== '' && sourceDate === null) notes.push('date unreadable')
  const expiresOn = readDate(row.license_expiration)
  if (row.license_expiration !== '' && expiresOn === null) notes.push('expiry unreadable')
  const name = tidyName(row.dba_name) || row.dba_name

  const license = {
    name_key: nameKey(name),
    state,
    license_number: type.licenseNumber,
    license_number_key: type.licenseNumber && licenseNumberKey(type.licenseNumber),
    business_name: name,
    license_type: type.licenseType,
    business_type: type.businessType,
    status: row.license_status || null,
    standing: standing ?? 'listed',
    designation: row.designation || null,
    street: place.street,
    city: place.city,
    county: place.county,
    zip: place.zip,
    phone: readPhone(row.phone),
    website: readWebsite(row.website),
    latitude: place.pin?.latitude ?? null,
    longitude: place.pin?.longitude ?? null,
    geo_precision: place.pin?.precision ?? null,
    authority: row.authority || null,
    authority_id: row.authority_id || null,
  }
  const keys = { register_key: registerKey(license), register_place: placeKey(license), address_key: addressKey(license) }
  // Of what was understood, not of the text: when the importer learns to read a row better, its license is written anew.
  // The date stays out: a newer file that says the same changes nothing but the date.
  // Without an expiry the digest is what it was before files could have one: nothing is written anew for a column that is empty.
  const said = { ...license, ...keys, ...(expiresOn !== null && { expires_on: expiresOn }) }
  const content_hash = hash('sha1', JSON.stringify(said), 'base64url')
  return { license: { ...license, ...keys, expires_on: expiresOn, source_date: sourceDate, content_hash }, notes }
}

const statesByName = new Map(usStates.map((state) => [state.name.toLowerCase(), state.code]))
const stateOf = (text: string): string | null => findState(text)?.code ?? statesByName.get(text.toLowerCase()) ?? null

/** `2023-08-12`, also with a time after it, and `8/12/2023`. */
function readDate(text: string): string | null {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  const date = american ? `${american[3]}-${american[1]?.padStart(2, '0')}-${american[2]?.padStart(2, '0')}` : text.slice(0, 10)
  return isCalendarDate(date) ? date : null
}

/** A US number in one form, "(907) 563-9333 ext. 2"; null for what is none ("TBD", "N/a", a type that slipped a column). */
function readPhone(text: string): string | null {
  const [number = '', extension] = text.split(/\bext\.?|\bx(?=\s*\d+$)/i)
  const digits = number.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  if (!/^[2-9]\d{9}$/.test(digits)) return null
  const inner = extension?.replace(/\D/g, '')
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}${inner ? ` ext. ${inner}` : ''}`
}

/** An absolute address without the tags of advertising campaigns; null for what is none. */
function readWebsite(text: string): string | null {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (text === '' || /\s/.test(text) || !URL.canParse(address)) return null
  const url = new URL(address)
  if (!/^[^.]+(\.[^.]+)+$/.test(url.hostname) || url.username !== '') return null
  for (const name of [...url.searchParams.keys()]) if (/^(utm_|y_source|gclid|fbclid)/i.test(name)) url.searchParams.delete(name)
  return url.href
}
