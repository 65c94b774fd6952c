import { Link } from '@tanstack/react-router'
import { businessTypeLabels } from '../../../contracts/business-types.ts'
import type { ClaimOptions } from '../../../contracts/claims.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { textLink } from '../../ui/link-styles.ts'

/** What the register says of the listing, so that nobody claims another one. */
export function ClaimedListing({ options: { business, licenses } }: { options: ClaimOptions }) {
  const facts: [string, string | null][] = [
    ['Type', businessTypeLabels[business.type]],
    ['Place', [business.address, business.location].filter(Boolean).join(', ') || null],
    ['License', licenses.flatMap(({ licenseNumber }) => licenseNumber ?? []).join(', ') || null],
    ['Authority', [...new Set(licenses.flatMap(({ authority }) => authority ?? []))].join(', ') || null],
  ]
  return (
    <Card asChild>
      <section aria-label="The listing">
        <CardBody className="grid gap-3">
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5 text-sm">
            {facts.map(
              ([name, value]) =>
                value && (
                  <div key={name} className="contents">
                    <dt className="font-normal! text-muted">{name}</dt>
                    <dd className="wrap-anywhere">{value}</dd>
                  </div>
                ),
            )}
          </dl>
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
