import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldQuestion } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Claim, ClaimOptions } from '../../../contracts/claims.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'
import { ClaimedListing } from './claimed-listing.tsx'
import { claimOptions } from './claims.api.ts'
import { CodeStep } from './code-step.tsx'
import { MethodForm } from './method-form.tsx'
import { ReviewStep } from './review-step.tsx'

/** Shows that a listing of the register is one's own, step by step. */
export function ClaimScreen({ slug }: { slug: string }) {
  const { data, error, refetch, isFetching } = useQuery(claimOptions(slug))
  if (data) return <View slug={slug} options={data} />
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Frame>
        <EmptyState title="Business Not Found" description="This listing is not there any more. Find yours again, or register it.">
          <Button asChild>
            <Link to="/business/register" search={{}}>
              Register Business
            </Link>
          </Button>
        </EmptyState>
      </Frame>
    )
  }
  // An account that came through OpenID, and was never asked.
  if (error instanceof ApiError && error.code === 'birthday_required') {
    return (
      <Frame>
        <EmptyState title="Your profile comes first" description="We need your birthday once. Then open the listing again and claim it.">
          <Button asChild>
            <Link to="/onboarding">Create your profile</Link>
          </Button>
        </EmptyState>
      </Frame>
    )
  }
  if (error) {
    return (
      <Frame>
        <ErrorState
          level={1}
          title="The listing could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      </Frame>
    )
  }
  return (
    <Frame>
      <SkeletonGroup label="Loading the listing..." className="grid gap-6">
        <Skeleton className="h-9 w-3/5 rounded-full" />
        <Card>
          <CardBody>
            <SkeletonText lines={4} />
          </CardBody>
        </Card>
        <Skeleton className="h-60 rounded-card" />
      </SkeletonGroup>
    </Frame>
  )
}

const Frame = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto grid w-full max-w-feed gap-6 px-4 py-8 sm:px-6 sm:py-12">{children}</div>
)

function View({ slug, options }: { slug: string; options: ClaimOptions }) {
  const { business, isOwned, isOwnTeam, isClosed, claim } = options
  if (isOwnTeam) {
    return (
      <Frame>
        <EmptyState title={`You run ${business.name}`} description="There is nothing to claim: it is yours to edit.">
          <Button asChild>
            <Link to="/business-dashboard" search={{ business: business.slug }}>
              Open the dashboard
            </Link>
          </Button>
        </EmptyState>
      </Frame>
    )
  }
  if (isClosed) {
    return (
      <Frame>
        <EmptyState title="Nobody can claim this business" description="It is made up, for trying things out. It does not exist.">
          <Button asChild variant="secondary">
            <Link to="/discover">Discover businesses</Link>
          </Button>
        </EmptyState>
      </Frame>
    )
  }
  return (
    <Frame>
      <PageHeader
        title={`Claim ${business.name}`}
        description="Show us that it is yours, and you can edit its page, keep its menu and answer in its name."
      />
      <ClaimedListing options={options} />
      {claim?.status === 'open' ? (
        <Step slug={slug} claim={claim} name={business.name} />
      ) : (
        <>
          {claim && <LastOutcome claim={claim} />}
          {isOwned && (
            <Note title="Somebody owns this listing already">
              If it is yours, tell us. We look into it, and ask both sides where we must.
            </Note>
          )}
          <MethodForm key={claim?.id} slug={slug} options={options} />
        </>
      )}
    </Frame>
  )
}

function Step({ slug, claim, name }: { slug: string; claim: Claim; name: string }) {
  return claim.method === 'review' ? (
    <ReviewStep slug={slug} claim={claim} />
  ) : (
    <CodeStep key={claim.id} slug={slug} claim={claim} name={name} />
  )
}

/** Why the claim before is over. */
function LastOutcome({ claim: { status, closedBecause, reason } }: { claim: Claim }) {
  if (status === 'rejected') return <Note title="We could not confirm your claim">{reason}</Note>
  if (closedBecause === 'attempts')
    return <Note title="The code was wrong five times">That claim is closed. Begin again, or let us decide.</Note>
  if (closedBecause === 'expired') return <Note title="The time for the code was over">That claim is closed. Begin again.</Note>
  return null
}

function Note({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className="flex gap-3 rounded-input bg-clay-soft p-4 text-sm">
      <ShieldQuestion aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-clay" />
      <span>
        <strong className="block font-semibold">{title}</strong>
        {children}
      </span>
    </p>
  )
}
