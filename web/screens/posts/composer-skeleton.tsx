import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

export function ComposerSkeleton() {
  return (
    <SkeletonGroup label="Loading the form..." className="mt-5 grid gap-5 rounded-card border border-line bg-surface p-4 sm:p-6">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-36" />
      <Skeleton className="h-10 w-2/3" />
    </SkeletonGroup>
  )
}
