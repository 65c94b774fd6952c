import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

export function FormSkeleton() {
  return (
    <SkeletonGroup className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <FieldSkeleton />
        <FieldSkeleton />
      </div>
      <FieldSkeleton />
      <FieldSkeleton height="h-24" />
      <FieldSkeleton />
      <Skeleton className="mt-2 h-12 w-44 justify-self-end" />
    </SkeletonGroup>
  )
}

function FieldSkeleton({ height = 'h-10' }: { height?: string }) {
  return (
    <span className="grid gap-1.5">
      <Skeleton className="h-5 w-24 rounded-full" />
      <Skeleton className={height} />
    </span>
  )
}
