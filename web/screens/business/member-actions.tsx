'use no memo'
// Rendered a few times per visit, so memoizing would only add code to the first load of business pages.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, ChartColumn, Check, Ellipsis, Heart, PenLine, Store } from 'lucide-react'
import { lazy } from 'react'
import type { Business } from '#contracts/businesses.ts'
import { followBusiness, unfollowBusiness } from '#contracts/calls/people.ts'
import { useBlockBusiness } from '#web/entities/businesses/block-business.ts'
import { businessStatusOptions, cacheBusinessStatus } from '#web/entities/businesses/businesses.api.ts'
import { useFavorite } from '#web/entities/businesses/use-favorite.ts'
import { MessageButton } from '#web/entities/messages/message-button.tsx'
import { changeOwnFollowingCount } from '#web/entities/people/people.api.ts'
import { SubscribeBenefits, SubscribeButton } from '#web/entities/subscriptions/subscribe-button.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshFeed } from '#web/lib/refresh-posts.ts'
import { toggleOptions } from '#web/lib/saved-at-once.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { LazyMenu } from '#web/ui/lazy-overlays.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { ActionsSkeleton } from './business-skeleton.tsx'
import type { BusinessMenuProps } from './open-business-menu.tsx'

export default function MemberActions({ business }: { business: Business }) {
  const status = useQuery(businessStatusOptions(business.id))
  const { setFavorite } = useFavorite(business)
  const { setFollowing } = useFollowBusiness(business.id)
  if (status.isPending) return <ActionsSkeleton />
  if (!status.data) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-muted text-sm">
        The Subscribe and Follow buttons couldn’t be loaded.
        <Button variant="secondary" size="sm" onClick={() => void status.refetch()} pending={status.isFetching}>
          Retry
        </Button>
      </p>
    )
  }
  const { isSubscribed, isFavorited, isFollowing, isBlocked, isMuted, role } = status.data
  const runsIt = role !== null
  // No one posts or sets prices for an unclaimed listing, and a closed business doesn't accept new subscribers.
  const offersSubscription = !runsIt && business.isClaimed && !business.closure
  if (isBlocked) {
    return <BlockedActions business={business} />
  }
  return (
    <>
      {runsIt && <OwnerActions business={business} />}
      {/* The business's team sees these only to end a subscription or a follow. */}
      {(isSubscribed || offersSubscription) && <SubscribeButton business={business} isSubscribed={isSubscribed} />}
      {!isSubscribed && (!runsIt || isFollowing) && (
        <Button variant="secondary" onClick={() => setFollowing(!isFollowing)}>
          <span>
            {isFollowing ? 'Unfollow' : 'Follow'}
            <span className="sr-only"> {business.name}</span>
          </span>
        </Button>
      )}
      {!runsIt && business.isClaimed && (
        // An earlier refusal is outdated once the viewer subscribes, so remount.
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
      {!runsIt && <BusinessMenu business={business} isBlocked={false} isMuted={isMuted} isSubscribed={isSubscribed} />}
      {runsIt && <OwnerNote />}
      {offersSubscription && !isSubscribed && <SubscribeBenefits className="basis-full lg:text-right" />}
      {isSubscribed && !runsIt && (
        <p className="flex basis-full items-center gap-1.5 text-muted text-sm lg:justify-end">
          <Check aria-hidden="true" className="size-4 text-leaf" />
          You follow this business because you subscribe
        </p>
      )}
    </>
  )
}

function useFollowBusiness(businessId: string) {
  const client = useQueryClient()
  const { mutate } = useMutation(
    toggleOptions(client, {
      mutationKey: ['follow', businessId],
      save: (isFollowing) => call(isFollowing ? followBusiness : unfollowBusiness, { params: { id: businessId } }),
      show: (isFollowing) => {
        cacheBusinessStatus(client, businessId, { isFollowing })
        changeOwnFollowingCount(client, isFollowing ? 1 : -1)
      },
      onSaved: () => void refreshFeed(client),
      onFailed: (error) =>
        toast({ title: 'Error', description: messageOf(error, 'Failed to update follow status'), variant: 'destructive' }),
    }),
  )
  return { setFollowing: (isFollowing: boolean) => mutate(isFollowing) }
}

export function BlockedActions({ business }: { business: Business }) {
  const { setBlocked, isPending } = useBlockBusiness(business)
  return (
    <>
      <Button variant="secondary" onClick={() => setBlocked(false)} pending={isPending} pendingText="Unblocking...">
        Unblock
      </Button>
      <BusinessMenu business={business} isBlocked isMuted={false} isSubscribed={false} />
      <p className="flex basis-full items-center gap-1.5 text-muted text-sm lg:justify-end">
        <Ban aria-hidden="true" className="size-4" />
        You blocked this business
      </p>
    </>
  )
}

export const OwnerActions = ({ business }: { business: Business }) => (
  <>
    <Button asChild>
      <Link to="/create-post" state={{ postAs: business.id }}>
        <PenLine aria-hidden="true" />
        Post
      </Link>
    </Button>
    <Button asChild variant="secondary">
      <Link to="/business-dashboard" search={{ business: business.slug }}>
        <ChartColumn aria-hidden="true" />
        Dashboard
      </Link>
    </Button>
  </>
)

export const OwnerNote = () => (
  <p className="flex basis-full items-center gap-1.5 text-muted text-sm lg:justify-end">
    <Store aria-hidden="true" className="size-4 text-leaf" />
    You run this business
  </p>
)

const load = () => import('./open-business-menu.tsx')
const OpenBusinessMenu = lazy(load)

export function BusinessMenu(props: BusinessMenuProps) {
  return (
    <LazyMenu menu={{ draw: (trigger) => <OpenBusinessMenu {...props} trigger={trigger} /> }} load={load}>
      <IconButton label={`More actions for ${props.business.name}`} variant="outline">
        <Ellipsis aria-hidden="true" />
      </IconButton>
    </LazyMenu>
  )
}
