import { CatchBoundary } from '@tanstack/react-router'
import { type ComponentType, type LazyExoticComponent, Suspense } from 'react'
import { isMissingCode } from '../../lib/missing-code.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'

type LazyPartProps = {
  id: string
  title: string
  /** Draws its own section. */
  Part: LazyExoticComponent<ComponentType>
}

/** A section of another feature. Until it is here, and if it fails, its section stands there all the same, and the others are left alone. */
export function LazyPart({ id, title, Part }: LazyPartProps) {
  return (
    <CatchBoundary
      getResetKey={() => id}
      errorComponent={({ error, reset }) => (
        <SettingsSection id={id} title={title}>
          {isMissingCode(error) ? (
            <ErrorState
              level={3}
              title="This section could not be loaded"
              description="You may be offline, or there is a new version of this page. Check your connection, then reload."
              // What could not be fetched once is not asked for again by the same page.
              onRetry={() => window.location.reload()}
            />
          ) : (
            <ErrorState
              level={3}
              title="This section ran into an error"
              description="The fault is ours. The other sections are not affected."
              onRetry={reset}
            />
          )}
        </SettingsSection>
      )}
    >
      <Suspense fallback={<Loading id={id} title={title} />}>
        <Part />
      </Suspense>
    </CatchBoundary>
  )
}

const Loading = ({ id, title }: Omit<LazyPartProps, 'Part'>) => (
  <SettingsSection id={id} title={title}>
    <SkeletonGroup label={`Loading ${title}...`} className="grid gap-5">
      {[1, 2, 3].map((row) => (
        <div key={row} className="flex items-center justify-between gap-8">
          <SkeletonText className="flex-1" />
          <Skeleton className="h-9 w-28" />
        </div>
      ))}
    </SkeletonGroup>
  </SettingsSection>
)
