import type { Business, BusinessSummary, License, PublicVerification } from '#contracts/businesses.ts'
import type { WeeklyHours } from '#contracts/locations.ts'
import { productAgeOf } from '#server/features/jurisdictions/index.ts'
import { pictureUrl } from '#server/kernel/media-address.ts'
import { openNow } from '#server/kernel/opening-hours.ts'
import type { DetailRow, LicenseRow, SummaryRow, VerificationRow } from './businesses.queries.ts'

export function toSummary(row: SummaryRow, now: Date, distanceMiles: number | null = null): BusinessSummary {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    type: row.type,
    description: row.description,
    location: row.location,
    address: row.address,
    phone: row.phone,
    website: row.website,
    // Never the URL that the owner entered, because visitors' browsers would contact that site.
    imageUrl: row.image_id && pictureUrl(row.image_id, 'medium', 'webp'),
    averageRating: row.average_rating,
    totalRatings: row.total_ratings,
    subscriberCount: row.subscriber_count,
    isClaimed: row.claimed_at !== null,
    isDemo: row.is_demo,
    licenseStanding: row.license_standing,
    isLicenseVerified: row.is_license_verified,
    hasVerifiedBadge: row.has_verified_badge,
    pin:
      row.pin_latitude === null || row.pin_longitude === null || row.pin_precision === null
        ? null
        : { latitude: row.pin_latitude, longitude: row.pin_longitude, precision: row.pin_precision },
    distanceMiles,
    openNow: row.opening_hours && toOpenNow(row.opening_hours, now),
    timeZone: row.opening_hours?.timeZone ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

function toOpenNow({ timeZone, intervals, specialDays }: NonNullable<SummaryRow['opening_hours']>, now: Date): BusinessSummary['openNow'] {
  const hours: WeeklyHours = Array.from({ length: 7 }, () => [])
  for (const [weekday, opens, closes] of intervals) hours[weekday]?.push({ opens, closes })
  const special = specialDays.map(({ day, opens, closes, note }) => ({
    day,
    note,
    intervals: opens.map((minute, i) => ({ opens: minute, closes: closes[i] as number })),
  }))
  const { changesAt, ...state } = openNow({ timeZone, hours, specialDays: special }, now)
  return { ...state, changesAt: changesAt?.toISOString() ?? null }
}

export function toBusiness(row: DetailRow, licenses: LicenseRow[], verification: VerificationRow | undefined, now: Date): Business {
  return {
    ...toSummary(row, now),
    city: row.city,
    state: row.state,
    zip: row.zip,
    licenses: licenses.map(toLicense),
    verification: toPublicVerification(verification),
    productAge: productAgeOf(row),
  }
}

const neverVerified: PublicVerification = {
  status: 'none',
  licenseNumber: null,
  state: null,
  authority: null,
  source: null,
  sourceDate: null,
  checkedAt: null,
  expiresOn: null,
  expirySource: null,
  basis: null,
  reason: null,
}

export function toPublicVerification(row: VerificationRow | undefined): PublicVerification {
  if (!row) return neverVerified
  const status = row.status === 'verified' && row.is_over ? 'expired' : row.status
  if (status !== 'verified' && status !== 'expired' && status !== 'revoked') return neverVerified
  return {
    status,
    licenseNumber: row.license_number,
    state: row.state,
    authority: row.authority,
    source: row.source,
    sourceDate: row.source_date,
    checkedAt: row.checked_at?.toISOString() ?? null,
    expiresOn: row.expires_on,
    expirySource: row.expiry_source,
    basis: row.basis,
    reason: row.reason,
  }
}

export const toLicense = (row: LicenseRow): License => ({
  id: row.id,
  licenseNumber: row.license_number,
  licenseType: row.license_type,
  status: row.status,
  designation: row.designation,
  standing: row.standing,
  state: row.state,
  authority: row.authority,
  source: row.source,
  sourceDate: row.source_date,
})
