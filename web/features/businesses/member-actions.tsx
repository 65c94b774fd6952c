// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useQuery } from '@tanstack/react-query'
import { Check, Heart } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { Business } from '../../../contracts/businesses.ts'
import { useIsHydrating } from '../../lib/use-is-hydrating.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { MessageButton } from '../messages/message-button.tsx'
import { ActionsSkeleton } from './actions-skeleton.tsx'
import { BusinessMenu } from './business-menu.tsx'
import { businessStatusOptions } from './businesses.api.ts'
import { SubscribeButton } from './subscribe-button.tsx'
import { useFavorite } from './use-favorite.ts'
import { useFollowBusiness } from './use-follow-business.ts'

// Few run the business, or have blocked it.
const OwnerActions = lazy(async () => ({ default: (await import('./owner-actions.tsx')).OwnerActions }))
const OwnerNote = lazy(async () => ({ default: (await import('./owner-actions.tsx')).OwnerNote }))
const BlockedActions = lazy(async () => ({ default: (await import('./blocked-actions.tsx')).BlockedActions }))

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
  if (isBlocked) {
    return (
      <Suspense fallback={<ActionsSkeleton />}>
        <BlockedActions business={business} />
      </Suspense>
    )
  }
  return (
    <>
      {runsIt && (
        <Suspense>
          <OwnerActions business={business} />
        </Suspense>
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
        <Suspense>
          <OwnerNote />
        </Suspense>
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
