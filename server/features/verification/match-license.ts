import type { BusinessType } from '#contracts/business-types.ts'
import { dayMs } from '#contracts/time.ts'
import type { LicenseDifference, LicenseMatch } from '#contracts/verification.ts'
import { licenseNumberKey, nameKey } from '#server/kernel/fold-text.ts'
import { findState } from '#server/kernel/geo/us-states.ts'

export type StatedLicense = { licenseNumber: string; state: string; licenseName: string; businessType: BusinessType }

export type RegisteredLicense = {
  license_number_key: string | null
  state: string
  /** The name in the format of `nameKey`. */
  name_key: string
  business_type: BusinessType
}

export type Comparison = { match: LicenseMatch; differences: LicenseDifference[] }

/** At this similarity or above, a name may be a different spelling and needs a manual check. */
const nearName = 0.6

/**
 * Compares a statement with a register row. A full match requires the same state, the same number apart from case and punctuation, the same
 * name apart from case, punctuation, spaces and legal form, and a business type that may hold such a license.
 */
export function matchLicense(stated: StatedLicense, row: RegisteredLicense): Comparison {
  const isNumbered = row.state === stated.state && row.license_number_key === licenseNumberKey(stated.licenseNumber)
  if (!isNumbered) return { match: 'none', differences: ['number'] }
  const names = nameSimilarity(nameKey(stated.licenseName), row.name_key)
  const differences: LicenseDifference[] = []
  if (names < 1) differences.push('name')
  if (!mayHold(stated.businessType, row.business_type)) differences.push('type')
  return { match: names < nearName ? 'none' : differences.length > 0 ? 'near' : 'full', differences }
}

/**
 * License types a business type may hold. Dispensaries may deliver, and delivery services may be licensed as dispensaries. The register
 * lists makers, labs and anything it has no category for as "other", so all other business types may hold such a license.
 */
const acceptedTypes: Partial<Record<BusinessType, readonly BusinessType[]>> = {
  farm: ['farm'],
  dispensary: ['dispensary', 'delivery'],
  delivery: ['delivery', 'dispensary'],
}

const mayHold = (business: BusinessType, license: BusinessType): boolean =>
  (acceptedTypes[business] ?? [business, 'other']).includes(license)

/**
 * Similarity of two name keys from 0 to 1; 1 only for the same letters. If the shorter name has at least four letters and the longer one
 * contains all its words ("green door" and "green door of denver"), they are similar, no matter how much longer the other is.
 */
export function nameSimilarity(a: string, b: string): number {
  const [left, right] = [a.replaceAll(' ', ''), b.replaceAll(' ', '')]
  if (left === right) return left === '' ? 0 : 1
  const [shorter, longer] = [new Set(a.split(' ')), new Set(b.split(' '))].sort((x, y) => x.size - y.size) as [Set<string>, Set<string>]
  const isWithin = [...shorter].every((word) => longer.has(word)) && [...shorter].join('').length >= 4
  return Math.min(0.99, Math.max(isWithin ? nearName : 0, dice(left, right)))
}

/** Similarity of letter pairs (Sørensen–Dice). */
function dice(a: string, b: string): number {
  const pairs = new Map<string, number>()
  for (let i = 0; i + 2 <= a.length; i++) pairs.set(a.slice(i, i + 2), (pairs.get(a.slice(i, i + 2)) ?? 0) + 1)
  let common = 0
  for (let i = 0; i + 2 <= b.length; i++) {
    const left = pairs.get(b.slice(i, i + 2)) ?? 0
    if (left > 0) common++
    pairs.set(b.slice(i, i + 2), left - 1)
  }
  const total = Math.max(0, a.length - 1) + Math.max(0, b.length - 1)
  return total === 0 ? 0 : (2 * common) / total
}

const order: readonly LicenseMatch[] = ['full', 'near', 'none']

/**
 * The register row that fits a statement best, because a state may use one number for a store and its farm. A license in force that
 * matches comes before one that matches better but isn't in force. Null if there are no rows.
 */
export function bestMatch<Row extends RegisteredLicense & { standing: string }>(
  stated: StatedLicense,
  rows: readonly Row[],
): (Comparison & { row: Row }) | null {
  const compared = rows.map((row) => ({ row, ...matchLicense(stated, row) }))
  const rankOf = ({ row, match }: (typeof compared)[number]) =>
    (match === 'none' ? 10 : row.standing === 'listed' ? 0 : 5) + order.indexOf(match)
  return compared.sort((a, b) => rankOf(a) - rankOf(b))[0] ?? null
}

type Row = { state: string; authority: string | null; status: string | null; standing: string }

/** Why a registered license can't be used, with its status in the register; null if nothing is wrong. */
export function registerObjection({ state, authority, status, standing }: Row): string | null {
  const register = authority ? `The register of the ${authority}` : `The register of ${findState(state)?.name ?? state}`
  if (standing === 'missing') return `${register} no longer lists this license.`
  if (standing === 'inactive') return `${register} lists this license as “${status ?? 'not active'}”.`
  return null
}

/** `2027-01-31` → "January 31, 2027". */
export const longDate = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
