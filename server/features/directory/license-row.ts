import { hash } from 'node:crypto'
import { isCalendarDate } from '#contracts/age.ts'
import { type BusinessType, businessTypes } from '#contracts/business-types.ts'
import type { Precision } from '#contracts/businesses.ts'
import type { Tx } from '#server/db/connect.ts'
import { licenseNumberKey, nameKey } from '#server/kernel/fold-text.ts'
import { compactName } from '#server/kernel/geo/place-names.ts'
import { findState, usStates } from '#server/kernel/geo/us-states.ts'
import { type RawRow, streetKey, tidyName } from './read-records.ts'
import { type PlaceNote, readPlace } from './row-place.ts'

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

/** What the import repaired, dropped or guessed in a row it accepted. */
export type RowNote =
  | PlaceNote
  | 'read as Windows-1252'
  | 'unknown status counted as listed'
  | 'unknown business type'
  | 'date unreadable'
  | 'expiry unreadable'

type ReadRow = { license: LicenseRow; notes: RowNote[] }

const maxName = 200
const maxText = 500

/** @returns the reason the row was refused, or the license with its notes */
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
  // Digest of the parsed values, not of the text: if a new release reads a row better, its license is rewritten.
  // Excludes the date: a newer file with the same content only changes the date.
  // Without an expiry, the digest equals that of files from before the column existed, so an empty column rewrites nothing.
  const said = { ...license, ...keys, ...(expiresOn !== null && { expires_on: expiresOn }) }
  const content_hash = hash('sha1', JSON.stringify(said), 'base64url')
  return { license: { ...license, ...keys, expires_on: expiresOn, source_date: sourceDate, content_hash }, notes }
}

const statesByName = new Map(usStates.map((state) => [state.name.toLowerCase(), state.code]))
const stateOf = (text: string): string | null => findState(text)?.code ?? statesByName.get(text.toLowerCase()) ?? null

/** Accepts `2023-08-12`, optionally followed by a time, and `8/12/2023`. */
function readDate(text: string): string | null {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  const date = american ? `${american[3]}-${american[1]?.padStart(2, '0')}-${american[2]?.padStart(2, '0')}` : text.slice(0, 10)
  return isCalendarDate(date) ? date : null
}

/** Normalizes a US number to "(907) 563-9333 ext. 2". Null for anything else ("TBD", "N/a", a type from a shifted column). */
function readPhone(text: string): string | null {
  const [number = '', extension] = text.split(/\bext\.?|\bx(?=\s*\d+$)/i)
  const digits = number.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  if (!/^[2-9]\d{9}$/.test(digits)) return null
  const inner = extension?.replace(/\D/g, '')
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}${inner ? ` ext. ${inner}` : ''}`
}

/** Normalizes a web address to an absolute URL without campaign parameters. Null for anything else. */
function readWebsite(text: string): string | null {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (text === '' || /\s/.test(text) || !URL.canParse(address)) return null
  const url = new URL(address)
  if (!/^[^.]+(\.[^.]+)+$/.test(url.hostname) || url.username !== '') return null
  for (const name of [...url.searchParams.keys()]) if (/^(utm_|y_source|gclid|fbclid)/i.test(name)) url.searchParams.delete(name)
  return url.href
}

/**
 * What the authorities' status words mean to someone looking for a business. "Listed" is a license in force; "inactive" is any reason not
 * to visit: not yet granted, paused, ended.
 */
type Standing = 'listed' | 'inactive'

const listed = [
  'active',
  'active (issued)',
  'active-operating',
  'active-pending inspection',
  'complete',
  'operating',
  'operational',
  'issued',
  'approved',
  'current',
  'licensed',
  'open',
  'renewed',
]

const inactive = [
  'inactive',
  'suspended',
  'license void',
  'void',
  'non-operational',
  'not operating',
  'payment_pending',
  'active title certificate',
  'expired',
  'revoked',
  'surrendered',
  'canceled',
  'cancelled',
  'closed',
  'denied',
  'withdrawn',
  'terminated',
  'pending',
  'provisional',
  'conditional',
]

/** Common words that a state uses differently. In Alaska an application is "complete", then "delegated" for approval. */
const byState: Record<string, Standing> = { 'AK complete': 'inactive', 'AK delegated': 'inactive' }

const standings = new Map<string, Standing>([
  ...listed.map((status) => [status, 'listed'] as const),
  ...inactive.map((status) => [status, 'inactive'] as const),
])

/** Null for an unknown word: it counts as listed, is shown as is, and the import reports it. */
export function standingOf(status: string, state: string): Standing | null {
  const word = status.trim().toLowerCase().replace(/\s+/g, ' ')
  // Seven states have no status in data/licenses-us.csv, so presence in the register must be enough.
  if (word === '') return 'listed'
  return byState[`${state} ${word}`] ?? standings.get(word) ?? null
}

type TypedLicense = { state: string; licenseNumber: string; licenseType: string; businessType: string }

/** Vermont's license numbers start with the type of license, and its file has the numbers in the type column. */
const vermontTypes: Record<string, { licenseType: string; businessType: BusinessType }> = {
  CLTV: { licenseType: 'Cultivator', businessType: 'farm' },
  SCLT: { licenseType: 'Small Cultivator', businessType: 'farm' },
  MANU: { licenseType: 'Manufacturer', businessType: 'other' },
  RTLR: { licenseType: 'Retailer', businessType: 'dispensary' },
  TLAB: { licenseType: 'Testing Laboratory', businessType: 'other' },
  WHSL: { licenseType: 'Wholesaler', businessType: 'other' },
}

/** Unambiguous types that the files' own mapping calls "other". A grow among them must be recognized as one. */
const plainTypes: [RegExp, BusinessType][] = [
  [/^craft marijuana cooperative$/i, 'farm'],
  // New Jersey's terms for the customers a store may sell to.
  [/^(medicinal and recreational|recreational cannabis only)$/i, 'dispensary'],
]

/** Keywords in a license's type, for rows without a known business type. The first match wins. */
const words: [RegExp, BusinessType][] = [
  [/cultivat|grow|farm|microbusiness/i, 'farm'],
  [/\blab|testing|manufactur|production|process|transport|distribut|wholesale|research|extract/i, 'other'],
  [/deliver|courier/i, 'delivery'],
  [/hospitality|consumption|lounge|cafe/i, 'food_service'],
  [/retail|dispensar|\bstores?\b|provision/i, 'dispensary'],
]

/** Normalizes a row's license number and type. `isUnknown`: the row states a business type that isn't one of this site's. */
function readLicenseType(row: TypedLicense): {
  licenseNumber: string | null
  licenseType: string | null
  businessType: BusinessType
  isUnknown: boolean
} {
  const vermont = row.state === 'VT' && row.licenseNumber === '' ? /^([A-Z]{4})\d{4}$/.exec(row.licenseType) : null
  const vermontType = vermont ? vermontTypes[vermont[1] as string] : undefined
  if (vermontType) return { licenseNumber: row.licenseType, ...vermontType, isUnknown: false }
  const type = row.businessType.toLowerCase().replace(/[\s-]+/g, '_')
  const isKnown = (businessTypes as readonly string[]).includes(type)
  const plain = type === 'other' || !isKnown ? plainTypes.find(([pattern]) => pattern.test(row.licenseType)) : undefined
  const guessed = isKnown ? undefined : words.find(([pattern]) => pattern.test(row.licenseType))
  return {
    licenseNumber: isNumber(row.licenseNumber) ? row.licenseNumber : null,
    licenseType: row.licenseType || null,
    businessType: plain?.[1] ?? (isKnown ? (type as BusinessType) : (guessed?.[1] ?? 'other')),
    isUnknown: type !== '' && !isKnown,
  }
}

/** New Mexico's file has "Premises License" in place of missing numbers. */
const isNumber = (text: string) => /\d/.test(text)

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
 * State and number alone aren't enough. In data/licenses-us.csv, 291 pairs of rows share them: 229 stores in Washington hold an
 * adult-use and a medical license under one number, and 51 licensees in Arizona a store and an offsite grow in another
 * town. Adding the license type distinguishes these 280; the other 11 repeat a license under another spelling or name, and
 * are refused as duplicates.
 *
 * If the row has no number (all of Connecticut's, Delaware's, Maryland's and New Jersey's, 178 of New Mexico's, 39 others), name,
 * type and address replace it: such a license becomes a new one when it moves.
 */
function registerKey(license: Identified): string {
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
 * Shared by all licenses of a business at a place: its name with its street and city, or else with its ZIP code, city or
 * coordinates. Null if the location is unknown; a county is not enough.
 */
function placeKey(license: Placed): string | null {
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

function addressKey(license: { authority: string | null; state: string; street: string | null; city: string | null }): string | null {
  if (!license.street) return null
  const parts = [license.state, license.authority ?? '', streetKey(license.street), compactName(license.city ?? '')]
  return hash('sha1', parts.join('|'), 'base64url')
}

/**
 * Links a license without a listing to a business created by its owner. Imports keep this link, and the page shows the
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
