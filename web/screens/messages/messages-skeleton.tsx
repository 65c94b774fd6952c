import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

export function MessagesSkeleton() {
  return (
    <SkeletonGroup label="Loading the messages..." className="flex flex-1 flex-col justify-end gap-3 p-4 sm:p-6">
      <Skeleton className="h-10 w-3/5 rounded-card" />
      <Skeleton className="h-16 w-2/5 rounded-card" />
      <Skeleton className="h-10 w-1/2 self-end rounded-card" />
      <Skeleton className="h-10 w-1/3 rounded-card" />
      <Skeleton className="h-16 w-3/5 self-end rounded-card" />
    </SkeletonGroup>
  )
}
