import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Hunt } from '../../../contracts/hunts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { genotypesOptions, runsOptions } from '../plants/plants.api.ts'
import { recordsOptions, traitsOptions } from '../traits/traits.api.ts'
import { KeeperChoice } from './keeper-choice.tsx'

/** Which phenotype to keep, how sure that is, and what would make it surer. */
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
        title="The ranking could not be made"
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
    title="Nothing to rank by yet"
    description="A ranking needs traits that say what is better: more, less, or close to a target. Yield, vigor and days of flower are a beginning."
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
