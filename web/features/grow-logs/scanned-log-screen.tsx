import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getHunt } from '../../../contracts/hunts.ts'
import { type FoundPlant, findPlantByCode, type Genotype, listGenotypes } from '../../../contracts/plants.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call, queryKey } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { GrowingBar } from '../offline/growing-bar.tsx'
import { keepOffline, keptOf } from '../offline/keep-offline.ts'
import { isNoAnswer } from '../offline/no-answer.ts'
import { growthOptions, plantsOptions } from './grow-logs.api.ts'
import { LogList } from './log-list.tsx'
import { plantsOf } from './plant-names.ts'
import { QuickLog } from './quick-log.tsx'

const codeOptions = (code: string) =>
  keepOffline(
    queryOptions({
      queryKey: queryKey(findPlantByCode, { params: { code } }),
      queryFn: ({ signal }) => call(findPlantByCode, { params: { code } }, { signal }),
    }),
  )

/** The plant of a label that was never scanned with a network: whose it is, the hunts that are kept here say. */
async function keptPlant(code: string): Promise<Pick<FoundPlant, 'huntId' | 'plantId'> | null> {
  const kept = (await keptOf(listGenotypes.path)) as Genotype[][]
  for (const { huntId, plants } of kept.flat()) {
    const plant = plants.find((each) => each.code === code.toUpperCase())
    if (plant) return { huntId, plantId: plant.id }
  }
  return null
}

const huntOptions = (id: string) =>
  keepOffline(
    queryOptions({
      queryKey: queryKey(getHunt, { params: { id } }),
      queryFn: ({ signal }) => call(getHunt, { params: { id } }, { signal }),
    }),
  )

/** Where a scanned label leads: the quick entry for that plant. */
export function ScannedLogScreen({ code }: { code: string }) {
  return (
    <div className="mx-auto grid max-w-feed gap-5 px-4 pt-5 pb-16 sm:px-6">
      <GrowingBar />
      <Scanned code={code} />
    </div>
  )
}

function Scanned({ code }: { code: string }) {
  const found = useQuery(codeOptions(code))
  const kept = useQuery({
    queryKey: ['kept-plant', code],
    queryFn: () => keptPlant(code),
    enabled: !found.data && isNoAnswer(found.error),
  })
  const plant = found.data ?? kept.data
  if (found.isPending || kept.isLoading) return <Loading />
  if (!plant) {
    const isUnknown = found.error instanceof ApiError && found.error.status === 404
    return (
      <Card>
        <ErrorState
          title={isUnknown ? 'No plant has this code' : 'The plant could not be looked up'}
          description={
            isUnknown ? 'It may have been mistyped, or it belongs to a hunt that is not shared with you.' : messageOf(found.error)
          }
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
        <ErrorState
          title="The hunt could not be loaded"
          description={messageOf(failed.error)}
          onRetry={() => void failed.refetch()}
          pending={failed.isFetching}
        />
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
        <p className="text-muted">This hunt is shared with you to look at, not to change.</p>
      )}
      <LogList hunt={hunt.data} plants={plants} mayWrite={mayWrite} firstPlantId={plantId} />
    </>
  )
}

const Loading = () => (
  <SkeletonGroup label="Looking up the plant..." className="grid gap-5">
    <Skeleton className="h-9 w-56" />
    <Skeleton className="h-[30rem] w-full" />
  </SkeletonGroup>
)
