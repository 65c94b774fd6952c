import type { BusinessSummary } from '#contracts/businesses.ts'
import { Badge } from '#web/ui/badge.tsx'
import { closureTitles } from './business-notices.tsx'
import { licenseBadge } from './license-words.ts'

export function LicenseBadge({
  business,
}: {
  business: Pick<BusinessSummary, 'licenseStanding' | 'isLicenseVerified' | 'hasVerifiedBadge'>
}) {
  const badge = licenseBadge(business)
  return badge && <Badge variant={badge.variant}>{badge.text}</Badge>
}

export const ClosureBadge = ({ business: { closure } }: { business: Pick<BusinessSummary, 'closure'> }) =>
  closure && <Badge variant="clay">{closureTitles[closure.kind]}</Badge>

export function OriginBadge({ business }: { business: Pick<BusinessSummary, 'isDemo' | 'isClaimed'> }) {
  if (business.isDemo) return <Badge variant="neutral">Demo</Badge>
  return business.isClaimed ? null : <Badge variant="neutral">Unclaimed</Badge>
}
