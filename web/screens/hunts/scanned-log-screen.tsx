import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listGenotypes } from '#contracts/calls/plants.ts'
import type { FoundPlant, Genotype } from '#contracts/plants.ts'
import { growthOptions, plantsOptions } from '#web/entities/grow-logs/grow-logs.api.ts'
import { plantsOf } from '#web/entities/grow-logs/plant-names.ts'
import { QuickLog } from '#web/entities/grow-logs/quick-log.tsx'
import { huntOptions } from '#web/entities/hunts/hunts.api.ts'
import { cachedOf } from '#web/entities/offline/cache-offline.ts'
import { GrowingBar } from '#web/entities/offline/growing-bar.tsx'
import { isUnreachableError } from '#web/entities/offline/reach.ts'
import { plantByCodeOptions } from '#web/entities/plants/plants.api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { LogList } from '#web/screens/grow-logs/log-list.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState, LoadError } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

async function cachedPlant(code: string): Promise<Pick<FoundPlant, 'huntId' | 'plantId'> | null> {
  const cached = (await cachedOf(listGenotypes.path)) as Genotype[][]
  for (const { huntId, plants } of cached.flat()) {
    const plant = plants.find((each) => each.code === code.toUpperCase())
    if (plant) return { huntId, plantId: plant.id }
  }
  return null
}

/** Opens from a scanned label, at the quick entry for its plant. */
export function ScannedLogScreen({ code }: { code: string }) {
  return (
    <div className="mx-auto grid max-w-feed gap-5 px-4 pt-5 pb-16 sm:px-6">
      <GrowingBar />
      <Scanned code={code} />
    </div>
  )
}

function Scanned({ code }: { code: string }) {
  const found = useQuery(plantByCodeOptions(code))
  const cached = useQuery({
    queryKey: ['kept-plant', code],
    queryFn: () => cachedPlant(code),
    enabled: !found.data && isUnreachableError(found.error),
  })
  const plant = found.data ?? cached.data
  if (found.isPending || cached.isLoading) return <Loading />
  if (!plant) {
    const isUnknown = found.error instanceof ApiError && found.error.status === 404
    return (
      <Card>
        <ErrorState
          title={isUnknown ? 'No plant has this code' : 'The plant couldn’t be loaded'}
          description={isUnknown ? 'The code may have a typo, or the hunt may not be shared with you.' : messageOf(found.error)}
          onRetry={isUnknown ? undefined : () => void found.refetch()}
          pending={found.isFetching}
        >
          <Button asChild variant="secondary" size="lg">
            <Link to="/pheno-hunt" search={{ tab: 'logs' }}>
              Choose a plant
            </Link>
          </Button>
        </ErrorState>
      </Card>
    )
  }
  return <LogOf huntId={plant.huntId} plantId={plant.plantId} />
}

function LogOf({ huntId, plantId }: { huntId: string; plantId: string }) {
  const hunt = useQuery(huntOptions(huntId))
  const genotypes = useQuery(plantsOptions(huntId))
  const growth = useQuery(growthOptions(huntId))
  const failed = [hunt, genotypes].find(({ isError, data }) => isError && !data)
  if (failed) {
    return (
      <Card>
        <LoadError title="The hunt couldn’t be loaded" query={failed} />
      </Card>
    )
  }
  if (!hunt.data || !genotypes.data) return <Loading />
  const plants = plantsOf(genotypes.data, hunt.data.germinationDate)
  const lastHeightOf = (id: string) =>
    growth.data?.plants.find(({ plant }) => plant.id === id)?.points.findLast(({ heightCm }) => heightCm !== null)?.heightCm ?? null
  const mayWrite = hunt.data.access !== 'view'
  return (
    <>
      <h1 className="text-2xl">{hunt.data.huntName}</h1>
      {mayWrite ? (
        <QuickLog key={plantId} hunt={hunt.data} plants={plants} lastHeightOf={lastHeightOf} firstPlantId={plantId} />
      ) : (
        <p className="text-muted">You can view this hunt but not change it.</p>
      )}
      <LogList hunt={hunt.data} plants={plants} mayWrite={mayWrite} firstPlantId={plantId} />
    </>
  )
}

const Loading = () => (
  <SkeletonGroup label="Loading the plant..." className="grid gap-5">
    <Skeleton className="h-9 w-56" />
    <Skeleton className="h-[30rem] w-full" />
  </SkeletonGroup>
)
