import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonCard, SkeletonGroup, SkeletonRow, SkeletonText } from '../../ui/skeleton.tsx'
import { Specimen } from './specimen.tsx'

export function States() {
  return (
    <>
      <Specimen title="Loading" note="The shape of what comes.">
        {() => (
          <div className="grid gap-5">
            <SkeletonGroup className="grid gap-4 sm:grid-cols-2">
              <SkeletonCard />
              <SkeletonCard />
            </SkeletonGroup>
            <SkeletonGroup label="Loading notifications">
              <SkeletonRow />
              <SkeletonRow />
            </SkeletonGroup>
            <SkeletonGroup label="Loading text">
              <SkeletonText lines={3} />
            </SkeletonGroup>
          </div>
        )}
      </Specimen>
      <Specimen title="Empty">
        {() => (
          <EmptyState level={3} title="No businesses found" description="Nothing by that name within 25 miles of Denver.">
            <Button>Search all of Colorado</Button>
            <Button variant="secondary">Clear filters</Button>
          </EmptyState>
        )}
      </Specimen>
      <Specimen title="Error">
        {() => (
          <Card>
            <ErrorState
              level={3}
              title="The list did not load"
              description="The connection was lost. What you typed is kept."
              onRetry={() => undefined}
            />
          </Card>
        )}
      </Specimen>
    </>
  )
}
