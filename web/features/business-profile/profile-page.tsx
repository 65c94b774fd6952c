import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../lib/api-error.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { businessOptions } from '../businesses/businesses.api.ts'
import { ProfileForm } from './profile-form.tsx'

/** What a business says of itself on its page. */
export function ProfilePage({ business }: { business: { slug: string } }) {
  const { data, error, refetch, isFetching } = useQuery(businessOptions(business.slug))
  if (data) return <ProfileForm key={data.id} business={data} />
  if (error) {
    return (
      <ErrorState title="The page could not be loaded" description={messageOf(error)} onRetry={() => void refetch()} pending={isFetching} />
    )
  }
  return (
    <SkeletonGroup label="Loading the page..." className="grid max-w-feed gap-5">
      <Skeleton className="h-40 rounded-card" />
      <Skeleton className="h-28" />
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
    </SkeletonGroup>
  )
}
