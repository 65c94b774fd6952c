import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Plus, Search } from 'lucide-react'
import { useState } from 'react'
import type { Hunt } from '../../../contracts/hunts.ts'
import type { Genotype } from '../../../contracts/plants.ts'
import { messageOf } from '../../lib/api-error.ts'
import { counted } from '../../lib/counted.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Input } from '../../ui/input.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { HuntSearch } from './hunt-search.ts'
import { filterGenotypes } from './plant-filter.ts'
import { PlantList } from './plant-list.tsx'
import { sexWords, standingWords } from './plant-words.ts'
import { genotypesOptions } from './plants.api.ts'

const AddSeedsDialog = lazyDialog(async () => (await import('./bulk-dialogs.tsx')).AddSeedsDialog)

const standings = [
  [undefined, 'All'],
  ['open', 'Undecided'],
  ['keep', standingWords.keep],
  ['retest', standingWords.retest],
  ['breed', standingWords.breed],
  ['cull', standingWords.cull],
] as const

/** The list that a grower works from: find, choose many, and do one thing to all of them. */
export function PlantsSection({ hunt, search }: { hunt: Hunt; search: HuntSearch }) {
  const { data: genotypes, error, refetch, isFetching } = useQuery(genotypesOptions(hunt.id))
  const router = useRouter()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isAdding, setAdding] = useState(false)
  const canWrite = hunt.abilities.write
  const adding = isAdding && <AddSeedsDialog huntId={hunt.id} onOpenChange={setAdding} />
  if (!genotypes) {
    if (!error) return <ListSkeleton />
    return (
      <ErrorState
        title="The plants could not be loaded"
        description={messageOf(error)}
        onRetry={() => void refetch()}
        pending={isFetching}
      />
    )
  }
  if (genotypes.length === 0) {
    return (
      <>
        <EmptyState
          title="No plants yet"
          description={
            canWrite
              ? 'Number your seeds: each gets a plant, a code for its label and a history.'
              : 'The grower has not numbered any seeds.'
          }
        >
          {canWrite && (
            <Button size="lg" onClick={() => setAdding(true)}>
              <Plus aria-hidden="true" />
              Add seeds
            </Button>
          )}
        </EmptyState>
        {adding}
      </>
    )
  }
  const shown = filterGenotypes(genotypes, { standing: search.standing, sex: search.sex, isAliveOnly: search.alive, text })
  const chosenGenotypes = genotypes.filter(({ id }) => chosen.has(id))
  const narrow = (change: Partial<Record<keyof HuntSearch, HuntSearch[keyof HuntSearch] | undefined>>) =>
    void router.navigate({
      to: '/pheno-hunt/$id',
      params: { id: hunt.id },
      search: Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)) as HuntSearch,
      replace: true,
      resetScroll: false,
    })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="sr-only">Plants</h2>
        <Input
          type="search"
          aria-label="Find by number or label"
          placeholder="Number or label"
          start={<Search aria-hidden="true" />}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="min-w-44 flex-1 sm:max-w-64 [&_input]:min-h-12"
        />
        <Select
          aria-label="Sex"
          value={search.sex ?? ''}
          onChange={(event) => narrow({ sex: (event.target.value || undefined) as HuntSearch['sex'] })}
          className="w-40 max-sm:w-32 [&_select]:min-h-12"
        >
          <option value="">Any sex</option>
          {Object.entries(sexWords).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
        {canWrite && (
          <Button variant="secondary" size="lg" onClick={() => setAdding(true)} className="ml-auto max-sm:w-full">
            <Plus aria-hidden="true" />
            Add seeds
          </Button>
        )}
      </div>
      <div className="-mx-4 flex gap-2 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0">
        {standings.map(([standing, words]) => (
          <Chip key={words} pressed={search.standing === standing} onClick={() => narrow({ standing })} className="min-h-12">
            {words}
          </Chip>
        ))}
        <span aria-hidden="true" className="mx-1 w-px shrink-0 bg-line" />
        <Chip pressed={search.alive === true} onClick={() => narrow({ alive: search.alive ? undefined : true })} className="min-h-12">
          Alive
        </Chip>
      </div>
      {shown.length === 0 ? (
        <EmptyState level={3} title="No plant matches" description="Choose other filters, or look for another number.">
          <Button
            variant="secondary"
            size="lg"
            onClick={() => {
              setText('')
              narrow({ standing: undefined, sex: undefined, alive: undefined })
            }}
          >
            Show all
          </Button>
        </EmptyState>
      ) : (
        <PlantList
          key={`${search.standing} ${search.sex} ${search.alive} ${text}`}
          huntId={hunt.id}
          genotypes={shown}
          chosen={chosen}
          onChoose={canWrite ? setChosen : null}
          summary={shown.length === genotypes.length ? counted(shown.length, 'phenotype') : `${shown.length} of ${genotypes.length}`}
        />
      )}
      {chosenGenotypes.length > 0 && (
        <BulkBar hunt={hunt} genotypes={chosenGenotypes} onClear={() => setChosen(new Set<Genotype['id']>())} />
      )}
      {adding}
    </div>
  )
}

const ListSkeleton = () => (
  <SkeletonGroup label="Loading plants..." className="grid gap-4">
    <Skeleton className="h-12 max-w-md" />
    <Skeleton className="h-12 max-w-xl" />
    <div className="grid gap-px">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((each) => (
        <Skeleton key={each} className="h-16" />
      ))}
    </div>
  </SkeletonGroup>
)
