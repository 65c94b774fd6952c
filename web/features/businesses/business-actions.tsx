import { useQuery } from '@tanstack/react-query'
import { Heart } from 'lucide-react'
import type { Business } from '../../../contracts/businesses.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { businessStatusOptions } from './businesses.api.ts'
import { SubscribeButton } from './subscribe-button.tsx'
import { useFavorite } from './use-favorite.ts'

/** Subscribe and the heart. A visitor has one button, which leads to signing in and back here. */
export function BusinessActions({ business }: { business: Business }) {
  const user = useCurrentUser()
  return user ? <OwnActions business={business} /> : <SubscribeButton business={business} isSubscribed={false} />
}

function OwnActions({ business }: { business: Business }) {
  const status = useQuery(businessStatusOptions(business.id))
  const { setFavorite } = useFavorite(business)
  if (status.isPending) {
    return (
      <>
        <Skeleton className="h-10 w-28" />
        <Skeleton className="size-10 rounded-full" />
      </>
    )
  }
  if (!status.data) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-muted text-sm">
        Your subscription could not be loaded.
        <Button variant="secondary" size="sm" onClick={() => void status.refetch()} pending={status.isFetching}>
          Retry
        </Button>
      </p>
    )
  }
  const { isSubscribed, isFavorited } = status.data
  return (
    <>
      <SubscribeButton business={business} isSubscribed={isSubscribed} />
      <IconButton
        label={`Favorite ${business.name}`}
        variant="outline"
        aria-pressed={isFavorited}
        onClick={() => setFavorite(!isFavorited)}
      >
        <Heart aria-hidden="true" />
      </IconButton>
    </>
  )
}
