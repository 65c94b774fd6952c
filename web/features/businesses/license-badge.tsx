// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { Badge } from '../../ui/badge.tsx'
import { licenseBadge } from './license-words.ts'

export function LicenseBadge({
  business,
}: {
  business: Pick<BusinessSummary, 'licenseStanding' | 'isLicenseVerified' | 'hasVerifiedBadge'>
}) {
  const badge = licenseBadge(business)
  return badge && <Badge variant={badge.variant}>{badge.text}</Badge>
}

/** Where a listing comes from, if not from its owner. */
export function OriginBadge({ business }: { business: Pick<BusinessSummary, 'isDemo' | 'isClaimed'> }) {
  if (business.isDemo) return <Badge variant="neutral">Demo</Badge>
  return business.isClaimed ? null : <Badge variant="neutral">Unclaimed</Badge>
}
