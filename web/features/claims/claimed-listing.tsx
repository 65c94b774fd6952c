import { Link } from '@tanstack/react-router'
import { businessTypeLabels } from '../../../contracts/business-types.ts'
import type { ClaimOptions } from '../../../contracts/claims.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { textLink } from '../../ui/link-styles.ts'

/** What the register says of the listing, so that nobody claims another one. */
export function ClaimedListing({ options: { business, licenses } }: { options: ClaimOptions }) {
  return (
    <Card asChild>
      <section aria-label="The listing">
        <CardBody className="grid gap-3">
          <Facts>
            <Fact name="Type">{businessTypeLabels[business.type]}</Fact>
            <Fact name="Place">{[business.address, business.location].filter(Boolean).join(', ')}</Fact>
            <Fact name="License">{licenses.flatMap(({ licenseNumber }) => licenseNumber ?? []).join(', ')}</Fact>
            <Fact name="Authority">{[...new Set(licenses.flatMap(({ authority }) => authority ?? []))].join(', ')}</Fact>
          </Facts>
          <p className="text-sm">
            Not yours?{' '}
            <Link to="/business/register" search={{}} className={textLink}>
              Find or register another
            </Link>
          </p>
        </CardBody>
      </section>
    </Card>
  )
}
