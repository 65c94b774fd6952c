import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Claim, ClaimOptions } from '../../../contracts/claims.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { businessOptions, myBusinessesOptions } from '../businesses/businesses.api.ts'
import { ClaimedListing } from './claimed-listing.tsx'
import { claimOptions } from './claims.api.ts'
import { ClaimNote, ClosedClaim } from './closed-claim.tsx'
import { CodeStep } from './code-step.tsx'
import { MethodForm } from './method-form.tsx'
import { ReviewStep } from './review-step.tsx'

/** Proves that a listing of the register is the person's own, step by step. */
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
        description="Prove that it's yours, and you can edit its page and its menu and answer reviews."
      />
      <ClaimedListing options={options} />
      {claim?.status === 'open' ? (
        <Step slug={slug} claim={claim} name={business.name} />
      ) : (
        <>
          {claim && <ClosedClaim claim={claim} />}
          {isOwned && (
            <ClaimNote title="Someone owns this listing already">If it's yours, tell us. We review it and ask both sides.</ClaimNote>
          )}
          <MethodForm key={claim?.id} slug={slug} options={options} />
        </>
      )}
    </Frame>
  )
}

function Step({ slug, claim, name }: { slug: string; claim: Claim; name: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  if (claim.method === 'review') return <ReviewStep slug={slug} claim={claim} />
  const optionsKey = claimOptions(slug).queryKey
  return (
    <CodeStep
      key={claim.id}
      claim={claim}
      optionsKey={optionsKey}
      onRight={async () => {
        await client.invalidateQueries({ queryKey: myBusinessesOptions.queryKey })
        void client.invalidateQueries({ queryKey: businessOptions(slug).queryKey })
        await refreshCurrentUser()
        await navigate({ to: '/business-dashboard', search: { business: slug } })
        client.removeQueries({ queryKey: optionsKey })
        toast({ title: `${name} is yours`, description: 'Edit its page and its menu, and invite your team from here.' })
      }}
    />
  )
}
