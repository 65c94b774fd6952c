import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, ChartColumn, Check, Heart, PenLine, Store } from 'lucide-react'
import type { Business } from '../../../contracts/businesses.ts'
import { useIsHydrating } from '../../lib/use-is-hydrating.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { MessageButton } from '../messages/message-button.tsx'
import { ActionsSkeleton } from './actions-skeleton.tsx'
import { BusinessMenu } from './business-menu.tsx'
import { businessStatusOptions } from './businesses.api.ts'
import { SubscribeButton } from './subscribe-button.tsx'
import { useBlockBusiness } from './use-block-business.ts'
import { useFavorite } from './use-favorite.ts'
import { useFollowBusiness } from './use-follow-business.ts'

/** Subscribe, follow, the heart, and what else there is, once it is known what holds already. */
export default function MemberActions({ business }: { business: Business }) {
  const status = useQuery(businessStatusOptions(business.id))
  const { setFavorite } = useFavorite(business)
  const { setFollowing } = useFollowBusiness(business.id)
  const isHydrating = useIsHydrating()
  if (status.isPending || isHydrating) {
    return <ActionsSkeleton />
  }
  if (!status.data) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-muted text-sm">
        Subscribe and Follow could not be loaded.
        <Button variant="secondary" size="sm" onClick={() => void status.refetch()} pending={status.isFetching}>
          Retry
        </Button>
      </p>
    )
  }
  const { isSubscribed, isFavorited, isFollowing, isBlocked, role } = status.data
  const runsIt = role !== null
  if (isBlocked) return <BlockedActions business={business} />
  return (
    <>
      {runsIt && (
        <Button asChild>
          <Link to="/create-post" state={{ postAs: business.id }}>
            <PenLine aria-hidden="true" />
            Post
          </Link>
        </Button>
      )}
      {runsIt && (
        <Button asChild variant="secondary">
          <Link to="/business-dashboard" search={{ business: business.slug }}>
            <ChartColumn aria-hidden="true" />
            Dashboard
          </Link>
        </Button>
      )}
      {/* Whoever runs it is offered neither, and can end what there is already. */}
      {(!runsIt || isSubscribed) && <SubscribeButton business={business} isSubscribed={isSubscribed} showPrice />}
      {!isSubscribed && (!runsIt || isFollowing) && (
        <Button variant="secondary" onClick={() => setFollowing(!isFollowing)}>
          <span>
            {isFollowing ? 'Unfollow' : 'Follow'}
            <span className="sr-only"> {business.name}</span>
          </span>
        </Button>
      )}
      {!runsIt && business.isClaimed && (
        // A refusal is of the time before: who has subscribed since is not told to.
        <MessageButton key={String(isSubscribed)} to={{ kind: 'business', id: business.id, name: business.name }} />
      )}
      <IconButton
        label={`Favorite ${business.name}`}
        variant="outline"
        aria-pressed={isFavorited}
        onClick={() => setFavorite(!isFavorited)}
      >
        <Heart aria-hidden="true" />
      </IconButton>
      {!runsIt && <BusinessMenu business={business} isBlocked={false} isSubscribed={isSubscribed} />}
      {runsIt && (
        <p className="flex basis-full items-center gap-1.5 text-muted text-sm lg:justify-end">
          <Store aria-hidden="true" className="size-4 text-leaf" />
          You run this business
        </p>
      )}
      {isSubscribed && !runsIt && (
        <p className="flex basis-full items-center gap-1.5 text-muted text-sm lg:justify-end">
          <Check aria-hidden="true" className="size-4 text-leaf" />
          Following comes with your subscription
        </p>
      )}
    </>
  )
}

function BlockedActions({ business }: { business: Business }) {
  const { setBlocked, isPending } = useBlockBusiness(business)
  return (
    <>
      <Button variant="secondary" onClick={() => setBlocked(false)} pending={isPending} pendingText="Unblocking...">
        Unblock
      </Button>
      <BusinessMenu business={business} isBlocked isSubscribed={false} />
      <p className="flex basis-full items-center gap-1.5 text-muted text-sm lg:justify-end">
        <Ban aria-hidden="true" className="size-4" />
        You have blocked this business
      </p>
    </>
  )
}
