import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Hunt } from '#contracts/hunts.ts'
import { genotypesOptions, runsOptions } from '#web/entities/plants/plants.api.ts'
import { recordsOptions, traitsOptions } from '#web/entities/traits/traits.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { KeeperChoice } from './keeper-choice.tsx'

/** Which phenotype to keep, how certain that is, and how to become more certain. */
export function KeeperSection({ hunt }: { hunt: Hunt }) {
  const genotypes = useQuery(genotypesOptions(hunt.id))
  const traits = useQuery(traitsOptions(hunt.id))
  const runs = useQuery(runsOptions(hunt.id))
  const records = useQuery(recordsOptions(hunt.id))
  const queries = [genotypes, traits, runs, records]

  if (genotypes.data && traits.data && runs.data && records.data) {
    if (traits.data.every(({ direction, isArchived }) => direction === 'none' || isArchived)) return <NothingToScore hunt={hunt} />
    return <KeeperChoice hunt={hunt} genotypes={genotypes.data} traits={traits.data} runs={runs.data} records={records.data} />
  }
  const failed = queries.find(({ error }) => error)
  if (failed) {
    return (
      <ErrorState
        level={3}
        title="The ranking couldn’t be loaded"
        description={messageOf(failed.error)}
        onRetry={() => queries.filter(({ error }) => error).forEach((query) => void query.refetch())}
        pending={queries.some(({ isFetching }) => isFetching)}
      />
    )
  }
  return (
    <SkeletonGroup label="Loading the ranking..." className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Skeleton className="h-112 rounded-card" />
      <Skeleton className="h-80 rounded-card" />
    </SkeletonGroup>
  )
}

const NothingToScore = ({ hunt }: { hunt: Hunt }) => (
  <EmptyState
    level={3}
    title="Nothing to rank yet"
    description="A ranking needs traits that define what’s better: more, less, or close to a target. Yield, vigor and flower days are a good start."
  >
    {hunt.abilities.write && (
      <Button asChild>
        <Link to="/pheno-hunt" search={{ tab: 'tracker', hunt: hunt.id }}>
          Choose traits
        </Link>
      </Button>
    )}
  </EmptyState>
)
