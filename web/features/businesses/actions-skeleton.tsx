import { Skeleton } from '../../ui/skeleton.tsx'

/** Where the buttons of a business will be. */
export const ActionsSkeleton = () => (
  <>
    <Skeleton className="h-10 w-28" />
    <Skeleton className="size-10 rounded-full" />
  </>
)
