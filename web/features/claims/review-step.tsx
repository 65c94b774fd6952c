import { Link } from '@tanstack/react-router'
import type { Claim } from '../../../contracts/claims.ts'
import { Ago } from '../../ui/ago.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { claimOptions } from './claims.api.ts'
import { GiveUp } from './give-up.tsx'

/** Somebody of ours has to decide. */
export function ReviewStep({ slug, claim }: { slug: string; claim: Claim }) {
  return (
    <Card asChild>
      <section aria-labelledby="review">
        <CardBody className="grid gap-4 sm:p-6">
          <div>
            <h2 id="review" className="text-xl">
              We're reviewing your claim
            </h2>
            <p className="mt-1.5 text-muted">
              You sent it <Ago at={claim.createdAt} />. We'll email you as soon as it's decided.
              {claim.isDispute && ' Someone owns the listing already, so we ask both sides.'}
            </p>
          </div>
          {claim.statement && (
            <blockquote className="border-line border-l-2 pl-4 text-muted wrap-anywhere whitespace-pre-line">{claim.statement}</blockquote>
          )}
          <div className="flex flex-wrap gap-3">
            <Button asChild variant="secondary" size="lg">
              <Link to="/">Go to your feed</Link>
            </Button>
            <GiveUp optionsKey={claimOptions(slug).queryKey} claim={claim} text="Withdraw claim" />
          </div>
        </CardBody>
      </section>
    </Card>
  )
}
