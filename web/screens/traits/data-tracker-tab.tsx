import { useQuery } from '@tanstack/react-query'
import { FileUp, FlaskConical, Footprints, ListChecks, type LucideIcon, Scale, Table2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { recordObservations } from '#contracts/calls/observations.ts'
import { recordedSources } from '#contracts/choices.ts'
import type { Hunt } from '#contracts/hunts.ts'
import type { Trait } from '#contracts/traits.ts'
import { plantsOptions } from '#web/entities/grow-logs/grow-logs.api.ts'
import { plantsOf } from '#web/entities/grow-logs/plant-names.ts'
import { TraitMatrix } from '#web/entities/growing-plots/trait-matrix.tsx'
import { useOutbox } from '#web/entities/offline/use-outbox.ts'
import { usePlantsWithPendingEnds } from '#web/entities/plants/plant-writes.ts'
import { openedTrait } from '#web/entities/traits/trait-words.ts'
import { recordsOptions, traitsOptions } from '#web/entities/traits/traits.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { ListNote } from '#web/ui/paged-list.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { matrixGenotypes, matrixTraits, trackerOf, withPending } from './tracker-rows.ts'

const Walk = lazy(async () => ({ default: (await import('./walk.tsx')).Walk }))
const ScoreTable = lazy(async () => ({ default: (await import('./score-table.tsx')).ScoreTable }))
const ScoreImport = lazy(async () => ({ default: (await import('./score-import.tsx')).ScoreImport }))
const HarvestTable = lazy(async () => ({ default: (await import('./harvest-table.tsx')).HarvestTable }))
const LabTable = lazy(async () => ({ default: (await import('./lab-table.tsx')).LabTable }))
const TraitList = lazy(async () => ({ default: (await import('./trait-list.tsx')).TraitList }))
const UsualSetDialog = lazyDialog(async () => (await import('./usual-set-dialog.tsx')).UsualSetDialog)
const ScoreSheet = lazyDialog(async () => (await import('./score-sheet.tsx')).ScoreSheet)
const KeeperSection = lazy(async () => ({ default: (await import('#web/screens/keepers/keeper-section.tsx')).KeeperSection }))
const TrackerPlots = lazy(async () => ({ default: (await import('./tracker-plots.tsx')).TrackerPlots }))

type Way = 'walk' | 'table' | 'harvests' | 'labs' | 'import' | 'traits'

const ways: { way: Way; label: string; icon: LucideIcon }[] = [
  { way: 'walk', label: 'Score plants', icon: Footprints },
  { way: 'table', label: 'Score table', icon: Table2 },
  { way: 'harvests', label: 'Harvests', icon: Scale },
  { way: 'labs', label: 'Lab results', icon: FlaskConical },
  { way: 'import', label: 'Import CSV', icon: FileUp },
  { way: 'traits', label: 'Traits', icon: ListChecks },
]

type DataTrackerTabProps = { hunt: Hunt }

export function DataTrackerTab({ hunt }: DataTrackerTabProps) {
  const traits = useQuery(traitsOptions(hunt.id))
  const genotypes = useQuery(plantsOptions(hunt.id))
  const records = useQuery(recordsOptions(hunt.id))
  const waiting = useOutbox({ subject: hunt.id, path: recordObservations.path })
  const [way, setWay] = useState<Way | null>(null)
  const [isUsual, setUsual] = useState(false)
  const [cell, setCell] = useState<{ genotypeId: string; trait: Trait } | null>(null)
  const plants = usePlantsWithPendingEnds(hunt.id, plantsOf(genotypes.data ?? [], hunt.germinationDate))
  const queries = [traits, genotypes, records]
  if (queries.some(({ isPending }) => isPending)) {
    return (
      <SkeletonGroup label="Loading the data tracker..." className="grid gap-5">
        <Skeleton className="h-12 w-full max-w-2xl" />
        <Skeleton className="h-112 w-full rounded-card" />
      </SkeletonGroup>
    )
  }
  if (!traits.data || !genotypes.data || !records.data) {
    return (
      <Card>
        <ErrorState
          title="The data tracker couldn’t be loaded"
          description={messageOf(queries.find(({ error }) => error !== null)?.error)}
          onRetry={() => {
            for (const query of queries) if (query.isError) void query.refetch()
          }}
          pending={queries.some(({ isFetching }) => isFetching)}
        />
      </Card>
    )
  }
  const mayWrite = hunt.access !== 'view'
  const genotypeOf = new Map(genotypes.data.flatMap(({ id, plants: of }) => of.map((plant) => [plant.id, id] as const)))
  const all = withPending(records.data.records, waiting, genotypeOf)
  const tracker = trackerOf(traits.data, genotypes.data, all)
  const recorded = traits.data.filter(({ source }) => recordedSources.includes(source))
  const observed = recorded.filter(({ isArchived }) => !isArchived)
  if (plants.length === 0) return <ListNote title="No plants yet">Number the seeds in this hunt to score each plant here.</ListNote>

  const usualSet = isUsual && <UsualSetDialog huntId={hunt.id} traits={traits.data} onOpenChange={setUsual} />
  if (traits.data.length === 0) {
    return (
      <Card>
        <EmptyState
          title="Nothing measured yet"
          description={
            mayWrite
              ? 'Choose what to score, such as vigor, aroma or yield. You can start with a standard set that describes each step in words.'
              : 'The grower hasn’t chosen any traits yet.'
          }
        >
          {mayWrite && (
            <>
              <Button size="lg" onClick={() => setUsual(true)}>
                Start with a standard set
              </Button>
              <Button size="lg" variant="secondary" onClick={() => setWay('traits')}>
                Add a trait
              </Button>
            </>
          )}
        </EmptyState>
        {way === 'traits' && (
          <CardBody>
            <Suspense fallback={<PanelSkeleton />}>
              <TraitList huntId={hunt.id} traits={traits.data} onUsual={() => setUsual(true)} />
            </Suspense>
          </CardBody>
        )}
        {usualSet}
      </Card>
    )
  }

  const opened = cell && {
    ...openedTrait(cell.trait, traits.data),
    row: tracker.rows.find(({ genotype }) => genotype.id === cell.genotypeId),
  }
  const openCell = (genotypeId: string, traitId: string) => {
    const trait = tracker.traits.find(({ id }) => id === traitId)
    if (trait) setCell({ genotypeId, trait })
  }
  const isMeasured = all.length > 0
  const living = genotypes.data.flatMap(({ plants: of }) => of.filter(({ endedOn }) => endedOn === null))
  const stages = new Set(living.flatMap(({ stage }) => stage ?? []))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {mayWrite && (
        <fieldset className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
          <legend className="sr-only">Record</legend>
          {ways.map(({ way: each, label, icon: Icon }) => (
            <Button
              key={each}
              size="lg"
              variant={each === 'walk' && way === null ? 'primary' : 'secondary'}
              aria-expanded={way === each}
              onClick={() => setWay(way === each ? null : each)}
              className="max-sm:px-2.5 aria-expanded:border-ink aria-expanded:bg-sunk"
            >
              <Icon aria-hidden="true" />
              {label}
            </Button>
          ))}
        </fieldset>
      )}
      {mayWrite && way !== null && (
        <Panel key={way} title={ways.find((each) => each.way === way)?.label ?? ''} onClose={() => setWay(null)}>
          {way === 'traits' && <TraitList huntId={hunt.id} traits={traits.data} onUsual={() => setUsual(true)} />}
          {way === 'harvests' && <HarvestTable huntId={hunt.id} plants={plants} genotypes={genotypes.data} />}
          {way === 'labs' && <LabTable huntId={hunt.id} plants={plants} traits={traits.data} />}
          {way === 'walk' && <Walk huntId={hunt.id} traits={recorded} plants={plants} records={all} stages={stages} empty={noTraits} />}
          {way === 'table' && <ScoreTable huntId={hunt.id} traits={recorded} plants={plants} empty={noTraits} />}
          {way === 'import' &&
            (observed.length === 0 ? (
              noTraits
            ) : (
              <ScoreImport huntId={hunt.id} traits={observed} plants={plants} records={all} onDone={() => setWay(null)} />
            ))}
        </Panel>
      )}
      {!records.data.isComplete && (
        <p role="status" className="rounded-card border border-line bg-sunk px-4 py-3 text-sm">
          This hunt has more than 50,000 values. We show the newest and calculate means from those.
        </p>
      )}
      <TraitMatrix
        huntName={hunt.huntName}
        level={2}
        traits={matrixTraits(tracker)}
        genotypes={isMeasured ? matrixGenotypes(tracker) : []}
        onCell={openCell}
        emptyAction={
          mayWrite && (
            <Button size="lg" onClick={() => setWay('walk')}>
              Score the first plant
            </Button>
          )
        }
      />
      {isMeasured && (
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <KeeperSection hunt={hunt} />
          <TrackerPlots hunt={hunt} tracker={tracker} />
        </Suspense>
      )}
      {usualSet}
      {opened?.row && (
        <ScoreSheet
          huntId={hunt.id}
          genotype={{ id: opened.row.genotype.id, name: opened.row.name }}
          opened={opened}
          plants={plants.filter(({ id }) => genotypeOf.get(id) === opened.row?.genotype.id)}
          records={all.filter(({ traitId, genotypeId }) => traitId === opened.trait.id && genotypeId === opened.row?.genotype.id)}
          mayWrite={mayWrite}
          onOpenChange={(open) => !open && setCell(null)}
        />
      )}
    </div>
  )
}

const noTraits = <p className="text-muted">This hunt has no traits to score here. Add one under Traits.</p>

/** Scrolls into view, because on phones, it opens below the edge of the screen. */
function Panel({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const top = panel.current?.getBoundingClientRect().top ?? 0
    if (top < 0 || top > window.innerHeight / 2) panel.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <Card asChild>
      <section ref={panel} aria-label={title} className="scroll-mt-20">
        <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="flex items-center justify-between gap-3">
            <h2 className="text-xl">{title}</h2>
            <Button variant="quiet" onClick={onClose}>
              Close
            </Button>
          </div>
          <Suspense fallback={<PanelSkeleton />}>{children}</Suspense>
        </CardBody>
      </section>
    </Card>
  )
}

const PanelSkeleton = () => (
  <SkeletonGroup>
    <Skeleton className="h-64 w-full" />
  </SkeletonGroup>
)
