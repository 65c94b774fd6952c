import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Hunt } from '../../../contracts/hunts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListNote } from '../../ui/paged-list.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { BulkEntry } from './bulk-entry.tsx'
import { growthOptions, plantsOptions } from './grow-logs.api.ts'
import { GrowthSection } from './growth-section.tsx'
import { LogList } from './log-list.tsx'
import { plantsOf } from './plant-names.ts'
import { QuickLog } from './quick-log.tsx'
import { UnitsSwitch } from './units-switch.tsx'

type GrowLogsTabProps = {
  hunt: Pick<Hunt, 'id' | 'huntName' | 'germinationDate' | 'access'>
  /** The plant whose label was scanned: the quick entry begins with it. */
  plantId?: string | null
}

/** What was seen of the plants, and the ways to write it down: one by one with a thumb, or all of a day in a table. */
export function GrowLogsTab({ hunt, plantId = null }: GrowLogsTabProps) {
  const [isBulk, setBulk] = useState(false)
  const genotypes = useQuery(plantsOptions(hunt.id))
  const growth = useQuery(growthOptions(hunt.id))
  const mayWrite = hunt.access !== 'view'
  if (genotypes.isPending) {
    return (
      <SkeletonGroup label="Loading the plants..." className="grid gap-5">
        <Skeleton className="h-[30rem] w-full" />
        <Skeleton className="h-32 w-full" />
      </SkeletonGroup>
    )
  }
  if (!genotypes.data) {
    return (
      <Card>
        <ErrorState
          title="The plants could not be loaded"
          description={messageOf(genotypes.error)}
          onRetry={() => void genotypes.refetch()}
          pending={genotypes.isFetching}
        />
      </Card>
    )
  }
  const plants = plantsOf(genotypes.data, hunt.germinationDate)
  const heights = new Map(
    growth.data?.plants.map(({ plant, points }) => [plant.id, points.findLast(({ heightCm }) => heightCm !== null)?.heightCm]),
  )
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <UnitsSwitch />
        {mayWrite && plants.length > 1 && (
          <Button variant="secondary" size="lg" onClick={() => setBulk(!isBulk)}>
            {isBulk ? 'Quick log' : 'Bulk entry'}
          </Button>
        )}
      </div>
      {mayWrite && isBulk && <BulkEntry hunt={hunt} plants={plants} />}
      {mayWrite && !isBulk && (
        <QuickLog key={hunt.id} hunt={hunt} plants={plants} lastHeightOf={(id) => heights.get(id) ?? null} firstPlantId={plantId} />
      )}
      {plants.length === 0 && <ListNote title="No plants yet">Number seeds in this hunt, and each gets its logs here.</ListNote>}
      <GrowthSection hunt={hunt} />
      <LogList hunt={hunt} plants={plants} mayWrite={mayWrite} />
    </div>
  )
}
