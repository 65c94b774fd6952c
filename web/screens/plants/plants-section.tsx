import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { CalendarDays, CircleSlash, Gavel, LayoutGrid, NotebookPen, Plus, Scissors, Search, Venus, X } from 'lucide-react'
import { type Dispatch, memo, type SetStateAction, useDeferredValue, useState } from 'react'
import type { Hunt } from '#contracts/hunts.ts'
import type { Genotype, Sex, Standing } from '#contracts/plants.ts'
import type { HuntSearch } from '#web/entities/hunts/hunt-search.ts'
import { shortDay } from '#web/entities/hunts/hunt-words.ts'
import { copiesWords, lastLogOf, sexLabels, stageLabels, stageOf, standingLabels } from '#web/entities/plants/plant-words.ts'
import { genotypesOptions } from '#web/entities/plants/plants.api.ts'
import { StandingBadge } from '#web/entities/plants/standing-badge.tsx'
import { counted, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CheckboxBox } from '#web/ui/checkbox.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Input } from '#web/ui/input.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

const AddSeedsDialog = lazyDialog(async () => (await import('./bulk-dialogs.tsx')).AddSeedsDialog)

const standings = [
  [undefined, 'All'],
  ['open', 'Undecided'],
  ['keep', standingLabels.keep],
  ['retest', standingLabels.retest],
  ['breed', standingLabels.breed],
  ['cull', standingLabels.cull],
] as const

export function PlantsSection({ hunt, search }: { hunt: Hunt; search: HuntSearch }) {
  const { data: genotypes, error, refetch, isFetching } = useQuery(genotypesOptions(hunt.id))
  const router = useRouter()
  const [text, setText] = useState('')
  // Typing must not wait for a long list.
  const wanted = useDeferredValue(text)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isAdding, setAdding] = useState(false)
  const canWrite = hunt.abilities.write
  const adding = isAdding && <AddSeedsDialog huntId={hunt.id} onOpenChange={setAdding} />
  if (!genotypes) {
    if (!error) return <ListSkeleton />
    return <LoadError title="The plants couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  if (genotypes.length === 0) {
    return (
      <>
        <EmptyState
          title="No plants yet"
          description={
            canWrite
              ? 'Number your seeds. Each one gets a plant, a label code and its own history.'
              : 'The grower hasn’t numbered any seeds.'
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
  const shown = filterGenotypes(genotypes, { standing: search.standing, sex: search.sex, isAliveOnly: search.alive, text: wanted })
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
          {Object.entries(sexLabels).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
        {canWrite && <AddButton onClick={() => setAdding(true)} className="ml-auto max-sm:hidden" />}
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
        <EmptyState level={3} title="No matching plants" description="Try other filters or another number.">
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
          filter={`${search.standing} ${search.sex} ${search.alive} ${wanted}`}
          huntId={hunt.id}
          genotypes={shown}
          chosen={chosen}
          onChoose={canWrite ? setChosen : null}
          summary={shown.length === genotypes.length ? counted(shown.length, 'pheno') : `${shown.length} of ${genotypes.length}`}
        />
      )}
      {/* Phones show this after the plants. */}
      {canWrite && <AddButton onClick={() => setAdding(true)} className="sm:hidden" />}
      {chosenGenotypes.length > 0 && (
        <BulkBar hunt={hunt} genotypes={chosenGenotypes} onClear={() => setChosen(new Set<Genotype['id']>())} />
      )}
      {adding}
    </div>
  )
}

const AddButton = ({ onClick, className }: { onClick: () => void; className: string }) => (
  <Button variant="secondary" size="lg" onClick={onClick} className={className}>
    <Plus aria-hidden="true" />
    Add seeds
  </Button>
)

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

const CutDialog = lazyDialog(async () => (await import('./bulk-dialogs.tsx')).CutDialog)
const SexDialog = lazyDialog(async () => (await import('./bulk-dialogs.tsx')).SexDialog)
const DatesDialog = lazyDialog(async () => (await import('./bulk-dialogs.tsx')).DatesDialog)
const PlaceDialog = lazyDialog(async () => (await import('./bulk-dialogs.tsx')).PlaceDialog)
const EndDialog = lazyDialog(async () => (await import('./edit-dialogs.tsx')).EndDialog)
const DecideDialog = lazyDialog(async () => (await import('#web/entities/plants/decide-dialog.tsx')).DecideDialog)
const LogDialog = lazyDialog(async () => (await import('./edit-dialogs.tsx')).LogDialog)

const actions = [
  { key: 'decide', name: 'Decide', Icon: Gavel },
  { key: 'log', name: 'Log', Icon: NotebookPen },
  { key: 'cut', name: 'Clone', Icon: Scissors },
  { key: 'sex', name: 'Sex', Icon: Venus },
  { key: 'place', name: 'Place', Icon: LayoutGrid },
  { key: 'dates', name: 'Dates', Icon: CalendarDays },
  { key: 'end', name: 'End', Icon: CircleSlash },
] as const
type Action = (typeof actions)[number]['key']

function BulkBar({ hunt, genotypes, onClear }: { hunt: Hunt; genotypes: readonly Genotype[]; onClear: () => void }) {
  const [open, setOpen] = useState<Action | null>(null)
  const dialog = { huntId: hunt.id, genotypes, onOpenChange: (isOpen: boolean) => !isOpen && setOpen(null), onDone: onClear }
  return (
    <section
      aria-label={`${genotypes.length} selected`}
      className="sticky bottom-[max(0.75rem,env(safe-area-inset-bottom))] z-10 -mx-2 flex animate-appear items-center gap-1 rounded-card border border-edge/60 bg-raised p-1.5 shadow-lift max-md:bottom-[calc(4.5rem+env(safe-area-inset-bottom))]"
    >
      <IconButton label="Clear selection" onClick={onClear} className="min-h-12 min-w-12">
        <X aria-hidden="true" />
      </IconButton>
      <span className="shrink-0 pr-2 font-semibold tabular-nums">{genotypes.length}</span>
      <div className="flex min-w-0 flex-1 gap-1 overflow-x-auto [scrollbar-width:none]">
        {actions.map(({ key, name, Icon }) => (
          <Button
            key={key}
            variant={key === 'decide' ? 'primary' : 'quiet'}
            size="lg"
            onClick={() => setOpen(key)}
            className="max-sm:min-h-14 max-sm:min-w-14 max-sm:flex-col max-sm:gap-0.5 max-sm:px-1.5 max-sm:py-1 max-sm:text-xs sm:px-3.5"
          >
            <Icon aria-hidden="true" />
            {name}
          </Button>
        ))}
      </div>
      {open === 'cut' && <CutDialog {...dialog} />}
      {open === 'sex' && <SexDialog {...dialog} />}
      {open === 'dates' && <DatesDialog {...dialog} />}
      {open === 'place' && <PlaceDialog {...dialog} />}
      {open === 'end' && <EndDialog {...dialog} />}
      {open === 'decide' && <DecideDialog {...dialog} />}
      {open === 'log' && <LogDialog {...dialog} hunt={hunt} />}
    </section>
  )
}

/** `open` means undecided. */
type PlantFilter = {
  standing?: Standing | 'open' | undefined
  sex?: Sex | undefined
  isAliveOnly?: boolean | undefined
  text?: string | undefined
}

/** “7” finds #7 before #70. Text also matches labels. */
export function filterGenotypes(genotypes: readonly Genotype[], { standing, sex, isAliveOnly, text = '' }: PlantFilter): Genotype[] {
  const wanted = text.trim().replace(/^#/, '').toLowerCase()
  const found = genotypes.filter(
    (genotype) =>
      (standing === undefined || genotype.standing === (standing === 'open' ? null : standing)) &&
      (sex === undefined || genotype.sex === sex) &&
      (!isAliveOnly || genotype.livingCopies > 0) &&
      (wanted === '' || String(genotype.number).startsWith(wanted) || genotype.label.toLowerCase().includes(wanted)),
  )
  const exact = found.filter(({ number }) => String(number) === wanted)
  return [...exact, ...found.filter(({ number }) => String(number) !== wanted)]
}

type Choose = Dispatch<SetStateAction<ReadonlySet<string>>>

type PlantListProps = {
  huntId: string
  /** A new filter shows the first step of its plants. A `key` would also mount every row again. */
  filter: string
  genotypes: readonly Genotype[]
  chosen: ReadonlySet<string>
  /** Null disables selection. */
  onChoose: Choose | null
  summary: string
}

const aStep = 150
const columns = 'md:grid-cols-[minmax(9rem,1.6fr)_6rem_7rem_8rem_7rem_6rem]'

function PlantList({ huntId, filter, genotypes, chosen, onChoose, summary }: PlantListProps) {
  const [count, setCount] = useState(aStep)
  const [lastFilter, setLastFilter] = useState(filter)
  if (lastFilter !== filter) {
    setLastFilter(filter)
    setCount(aStep)
  }
  const shown = genotypes.slice(0, count)
  const isAll = genotypes.every(({ id }) => chosen.has(id))
  const isSome = genotypes.some(({ id }) => chosen.has(id))
  const toggleAll = () => {
    const ids = new Set(genotypes.map(({ id }) => id))
    onChoose?.(isAll ? new Set([...chosen].filter((id) => !ids.has(id))) : new Set([...chosen, ...ids]))
  }
  return (
    <Card className="overflow-visible!">
      <div className="flex items-center border-line border-b">
        {onChoose && (
          <RowCheckbox
            label={isAll ? 'Clear selection' : 'Select all'}
            checked={isAll}
            indeterminate={isSome && !isAll}
            onChange={toggleAll}
          />
        )}
        <p className={cx('grid min-h-12 flex-1 items-center text-muted text-xs', onChoose ? 'pr-4' : 'px-4', columns)}>
          <span role="status">{chosen.size > 0 ? `${chosen.size} selected` : summary}</span>
          {['Sex', 'Stage', 'Copies', 'Decision', 'Last log'].map((name) => (
            <span key={name} aria-hidden="true" className="max-md:hidden">
              {name}
            </span>
          ))}
        </p>
      </div>
      <ul className="divide-y divide-line">
        {shown.map((genotype) => (
          <PlantRow key={genotype.id} huntId={huntId} genotype={genotype} isChosen={chosen.has(genotype.id)} onChoose={onChoose} />
        ))}
      </ul>
      {genotypes.length > count && (
        <div className="border-line border-t p-3 text-center">
          <Button variant="quiet" size="lg" onClick={() => setCount(count + aStep)}>
            Show {Math.min(aStep, genotypes.length - count)} more of {formatNumber(genotypes.length - count)}
          </Button>
        </div>
      )}
    </Card>
  )
}

type PlantRowProps = { huntId: string; genotype: Genotype; isChosen: boolean; onChoose: Choose | null }

/** Memoized, because selecting one of hundreds of plants would otherwise render them all. */
const PlantRow = memo(function PlantRow({ huntId, genotype, isChosen, onChoose }: PlantRowProps) {
  const toggle = () =>
    onChoose?.((chosen) => {
      const next = new Set(chosen)
      if (!next.delete(genotype.id)) next.add(genotype.id)
      return next
    })
  return (
    <li className={cx('relative flex transition-colors has-[a:hover]:bg-sunk/60', isChosen && 'bg-leaf-soft/60')}>
      {onChoose && <RowCheckbox label={`Select ${genotype.name}`} checked={isChosen} onChange={toggle} />}
      <PlantLink huntId={huntId} genotype={genotype} className={onChoose ? 'pr-4' : 'px-4'} />
    </li>
  )
})

function PlantLink({ huntId, genotype, className }: { huntId: string; genotype: Genotype; className: string }) {
  const stage = stageOf(genotype)
  const logged = lastLogOf(genotype)
  const isGone = genotype.livingCopies === 0
  return (
    <Link
      to="/pheno-hunt/$id/plants/$number"
      params={{ id: huntId, number: String(genotype.number) }}
      className={cx(
        'grid min-h-16 min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 py-2 md:gap-x-0',
        columns,
        className,
      )}
    >
      <span className="flex min-w-0 items-baseline gap-2">
        <span className={cx('font-semibold text-lg tabular-nums', isGone && 'text-muted line-through decoration-1')}>{genotype.name}</span>
        <span className="min-w-0 truncate">{genotype.label}</span>
      </span>
      <span className="max-md:hidden text-sm">{genotype.sex === 'unknown' ? <Nothing /> : sexLabels[genotype.sex]}</span>
      <span className="max-md:hidden text-sm">{stage ? stageLabels[stage] : <Nothing />}</span>
      <span className="max-md:hidden text-sm tabular-nums">{isGone ? <Badge>{copiesWords(genotype)}</Badge> : copiesWords(genotype)}</span>
      <span className="max-md:row-span-2 max-md:self-center">
        {genotype.standing ? (
          <StandingBadge standing={genotype.standing} />
        ) : genotype.kind === 'check' ? (
          <Badge>Check clone</Badge>
        ) : (
          <span className="max-md:hidden">
            <Nothing />
          </span>
        )}
      </span>
      <span className="max-md:hidden text-muted text-sm tabular-nums">{logged ? shortDay(logged) : <Nothing />}</span>
      <span className="min-w-0 text-muted text-sm md:hidden">
        {[
          copiesWords(genotype),
          ...(genotype.sex === 'unknown' ? [] : [sexLabels[genotype.sex]]),
          ...(stage ? [stageLabels[stage]] : []),
          ...(logged ? [`log ${shortDay(logged)}`] : []),
        ].join(' · ')}
      </span>
    </Link>
  )
}

const Nothing = () => (
  <span className="text-muted">
    <span aria-hidden="true">–</span>
    <span className="sr-only">Unknown</span>
  </span>
)

type RowCheckboxProps = { label: string; checked: boolean; indeterminate?: boolean; onChange: () => void }

function RowCheckbox({ label, ...props }: RowCheckboxProps) {
  return (
    <label className="grid min-h-12 w-13 shrink-0 cursor-pointer place-items-center self-stretch">
      <CheckboxBox aria-label={label} {...props} />
    </label>
  )
}
