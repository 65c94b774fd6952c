import { Skeleton, SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'

/** The shape of a profile. */
export function ProfileSkeleton() {
  return (
    <SkeletonGroup label="Loading this profile..." className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6">
      <div className="overflow-hidden rounded-card border border-line bg-surface">
        <Skeleton shape="picture" className="h-28 sm:h-36" />
        <div className="-mt-14 grid gap-4 p-5 sm:px-7">
          <span className="w-fit rounded-full border-4 border-surface bg-surface">
            <Skeleton shape="circle" className="size-24" />
          </span>
          <Skeleton className="h-8 w-3/5 max-w-64 rounded-full" />
          <SkeletonText lines={3} />
          <Skeleton className="h-12 w-4/5 max-w-72" />
        </div>
      </div>
    </SkeletonGroup>
  )
}
