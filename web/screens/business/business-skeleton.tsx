import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'

export const PartSkeleton = () => <Skeleton className="h-40 w-full rounded-card" />

export function BusinessSkeleton() {
  return (
    <SkeletonGroup label="Loading this business..." className="mx-auto max-w-page px-4 pb-16 sm:px-6 sm:pt-6">
      <Skeleton className="h-28 rounded-none max-sm:-mx-4 sm:h-40 sm:rounded-card lg:h-48" />
      <div className="mt-6 grid gap-4">
        <Skeleton className="h-8 w-3/5 max-w-96 rounded-full" />
        <Skeleton className="h-4 w-2/5 max-w-56 rounded-full" />
        <Skeleton className="h-4 w-4/5 max-w-md rounded-full" />
      </div>
      <div className="mt-8 grid gap-8 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <SkeletonText lines={6} />
        <Skeleton className="h-64 rounded-card" />
      </div>
    </SkeletonGroup>
  )
}

export const ActionsSkeleton = () => (
  <>
    <Skeleton className="h-10 w-28" />
    <Skeleton className="size-10 rounded-full" />
  </>
)
