import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deleteRun, placePlants } from '#contracts/calls/runs.ts'
import type { Hunt } from '#contracts/hunts.ts'
import type { Genotype, Plant } from '#contracts/plants.ts'
import type { Placement, Run } from '#contracts/runs.endpoints.ts'
import { BenchMap, rowLetter } from '#web/entities/growing-plots/bench-map.tsx'
import { formatDay } from '#web/entities/hunts/hunt-words.ts'
import { fullName, stageLabels } from '#web/entities/plants/plant-words.ts'
import { runAction } from '#web/entities/plants/plant-writes.ts'
import { genotypesOptions, placementsOptions, runsOptions } from '#web/entities/plants/plants.api.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { ConfirmDialog, Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { type BenchPosition, movesTo } from './bench-places.ts'

const RunDialog = lazyDialog(async () => (await import('./run-dialog.tsx')).RunDialog)

export function RunsSection({ hunt }: { hunt: Hunt }) {
  const { data: runs, error, refetch, isFetching } = useQuery(runsOptions(hunt.id))
  const { data: genotypes = [] } = useQuery(genotypesOptions(hunt.id))
  const [isAdding, setAdding] = useState(false)
  const canWrite = hunt.abilities.write
  if (!runs) {
    if (!error) {
      return (
        <SkeletonGroup label="Loading runs..." className="grid gap-4">
          <Skeleton className="h-40 rounded-card" />
          <Skeleton className="h-72 rounded-card" />
        </SkeletonGroup>
      )
    }
    return <LoadError title="The runs couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <h2 className="sr-only">Runs</h2>
      {runs.length === 0 ? (
        <EmptyState
          level={3}
          title="No runs yet"
          description="A run is one room, medium and light over several weeks. Plants in the same run can be compared fairly."
        >
          {canWrite && (
            <Button size="lg" onClick={() => setAdding(true)}>
              <Plus aria-hidden="true" />
              New run
            </Button>
          )}
        </EmptyState>
      ) : (
        canWrite && (
          <Button variant="secondary" size="lg" onClick={() => setAdding(true)} className="justify-self-end max-sm:w-full">
            <Plus aria-hidden="true" />
            New run
          </Button>
        )
      )}
      {runs.map((run) => (
        <OneRun key={run.id} hunt={hunt} run={run} genotypes={genotypes} />
      ))}
      {isAdding && <RunDialog huntId={hunt.id} run={null} genotypes={genotypes} onOpenChange={setAdding} />}
    </div>
  )
}

function OneRun({ hunt, run, genotypes }: { hunt: Hunt; run: Run; genotypes: readonly Genotype[] }) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const check = genotypes.find(({ id }) => id === run.checkGenotypeId)
  return (
    <section aria-labelledby={`run-${run.id}`} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Card>
        <CardBody className="grid gap-3">
          <div className="flex items-start justify-between gap-3">
            <div className="flex min-w-0 flex-wrap items-center gap-2">
              <h3 id={`run-${run.id}`} className="text-xl wrap-anywhere">
                {run.name}
              </h3>
              <Badge variant={run.endedOn ? 'neutral' : 'leaf'}>{run.endedOn ? 'Ended' : run.floweredOn ? 'In flower' : 'Running'}</Badge>
            </div>
            {hunt.abilities.write && (
              <div className="-mt-1.5 flex shrink-0">
                <IconButton label={`Edit ${run.name}`} onClick={() => setAsked('edit')} className="min-h-12 min-w-12">
                  <Pencil aria-hidden="true" />
                </IconButton>
                <IconButton label={`Delete ${run.name}`} onClick={() => setAsked('delete')} className="min-h-12 min-w-12">
                  <Trash2 aria-hidden="true" />
                </IconButton>
              </div>
            )}
          </div>
          <Facts>
            <Fact name="Room">{[run.room, run.medium, run.light].filter((each) => each !== '').join(' · ')}</Fact>
            <Fact name="Dates">
              {[
                run.startedOn && `started ${formatDay(run.startedOn)}`,
                run.floweredOn && `flower ${formatDay(run.floweredOn)}`,
                run.endedOn && `ended ${formatDay(run.endedOn)}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Fact>
            <Fact name="Plants">{counted(run.placementCount, 'plant')}</Fact>
            <Fact name="Check clone">{check ? fullName(check) : 'None. A check clone grown in several runs lets you compare them.'}</Fact>
          </Facts>
        </CardBody>
      </Card>
      <BenchEditor hunt={hunt} run={run} genotypes={genotypes} />
      {asked === 'edit' && <RunDialog huntId={hunt.id} run={run} genotypes={genotypes} onOpenChange={() => setAsked(null)} />}
      <ConfirmDialog
        open={asked === 'delete'}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`Delete ${run.name}?`}
        confirmText="Delete run"
        pending={isBusy}
        onConfirm={async () => {
          setBusy(true)
          await runAction(client, async () => {
            await call(deleteRun, { params: { id: run.id } })
            return `${run.name} deleted`
          })
          setBusy(false)
          setAsked(null)
        }}
      >
        <p>This deletes the bench layout. The plants and their logs, scores and harvests will be kept.</p>
      </ConfirmDialog>
    </section>
  )
}

function BenchEditor({ hunt, run, genotypes }: { hunt: Hunt; run: Run; genotypes: readonly Genotype[] }) {
  const { data: placements, error, refetch, isFetching } = useQuery(placementsOptions(run.id))
  const router = useRouter()
  const [moving, setMoving] = useState<string | null>(null)
  if (!placements) {
    if (!error) {
      return (
        <SkeletonGroup label="Loading bench...">
          <Skeleton className="h-56 rounded-card" />
        </SkeletonGroup>
      )
    }
    return <LoadError level={3} title="The bench couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  const canWrite = hunt.abilities.write
  const plants = new Map(genotypes.flatMap((genotype) => genotype.plants.map((plant): [string, Plant] => [plant.id, plant])))
  const onBench = placements.filter((each) => each.row !== null && each.column !== null)
  const beside = placements.filter((each) => each.row === null)
  const press = (plantId: string) => {
    if (canWrite) return setMoving(plantId)
    const found = placements.find((each) => each.plantId === plantId)
    if (found) void router.navigate({ to: '/pheno-hunt/$id/plants/$number', params: { id: hunt.id, number: String(found.number) } })
  }
  const moved = placements.find(({ plantId }) => plantId === moving)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {run.benchRows && run.benchColumns ? (
        <div className="relative min-w-0 overflow-x-clip">
          <BenchMap
            runName={run.name}
            huntName={hunt.huntName}
            level={3}
            bench={{ rows: run.benchRows, columns: run.benchColumns }}
            plants={onBench.map(({ plantId, name, row, column, genotypeId, isAlive }) => ({
              plantId,
              name,
              row: row ?? 1,
              column: column ?? 1,
              stage: stageText(isAlive, plants.get(plantId)?.stage ?? null),
              value: null,
              desirability: null,
              isCheck: genotypeId === run.checkGenotypeId,
            }))}
            trait={null}
            onPlant={press}
          />
        </div>
      ) : (
        <p className="text-muted">This run doesn’t have a bench yet. Edit the run to set the number of rows and columns.</p>
      )}
      {beside.length > 0 && (
        <div className="grid gap-2">
          <h4 className="font-medium text-sm">In the run, not on the bench</h4>
          <ul className="flex flex-wrap gap-2">
            {beside.map(({ plantId, name }) => (
              <li key={plantId}>
                <Chip pressed={moving === plantId} onClick={() => press(plantId)} className="min-h-12 tabular-nums">
                  {name}
                </Chip>
              </li>
            ))}
          </ul>
        </div>
      )}
      {placements.length === 0 && canWrite && (
        <p className="text-muted text-sm">Select plants in the list and choose Place to put them here.</p>
      )}
      {moved && <MoveDialog hunt={hunt} run={run} plant={moved} placements={placements} onClose={() => setMoving(null)} />}
    </div>
  )
}

const stageText = (lives: boolean, stage: Plant['stage']): string => (!lives ? 'Ended' : stage ? stageLabels[stage] : 'No stage yet')

type MoveDialogProps = { hunt: Hunt; run: Run; plant: Placement; placements: readonly Placement[]; onClose: () => void }

function MoveDialog({ hunt, run, plant, placements, onClose }: MoveDialogProps) {
  const client = useQueryClient()
  const router = useRouter()
  const [isBusy, setBusy] = useState(false)
  const columns = run.benchColumns ?? 0
  const places = Array.from(
    { length: (run.benchRows ?? 0) * columns },
    (_, i): BenchPosition => ({ row: Math.floor(i / columns) + 1, column: (i % columns) + 1 }),
  )
  const at = new Map(placements.map((each) => [`${each.row} ${each.column}`, each]))

  async function send(body: { placements?: ReturnType<typeof movesTo>; removedPlantIds?: string[] }, said: string) {
    setBusy(true)
    const isDone = await runAction(client, async () => {
      await call(placePlants, { params: { id: run.id }, body })
      return said
    })
    setBusy(false)
    if (isDone) onClose()
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Move ${plant.name}`}
        className="min-w-0"
        description="Choose a spot. If it’s taken, the two plants will swap places."
        size="lg"
        actions={
          <>
            <Button
              variant="quiet"
              className="min-h-12 sm:mr-auto"
              onClick={() =>
                void router.navigate({ to: '/pheno-hunt/$id/plants/$number', params: { id: hunt.id, number: String(plant.number) } })
              }
            >
              Open {plant.name}
            </Button>
            {plant.row !== null && (
              <Button
                variant="secondary"
                className="min-h-12"
                onClick={() => void send({ placements: movesTo(plant.plantId, null, placements) }, `${plant.name} removed from the bench`)}
              >
                Remove from bench
              </Button>
            )}
            <Button
              variant="secondary"
              className="min-h-12"
              onClick={() => void send({ removedPlantIds: [plant.plantId] }, `${plant.name} removed from ${run.name}`)}
            >
              Remove from run
            </Button>
          </>
        }
      >
        <div aria-busy={isBusy} className="overflow-x-auto p-0.5">
          <div className="grid w-max min-w-full gap-1.5" style={{ gridTemplateColumns: `repeat(${columns}, minmax(4rem, 1fr))` }}>
            {places.map((place) => {
              const name = `${rowLetter(place.row)}${place.column}`
              const there = at.get(`${place.row} ${place.column}`)
              const isHere = there?.plantId === plant.plantId
              return (
                <Button
                  key={name}
                  variant={isHere ? 'primary' : 'secondary'}
                  aria-pressed={isHere}
                  className="min-h-14 flex-col gap-0! px-1"
                  onClick={() =>
                    isHere
                      ? onClose()
                      : void send(
                          { placements: movesTo(plant.plantId, place, placements) },
                          there ? `Swapped ${plant.name} and ${there.name}` : `${plant.name} is now at ${name}`,
                        )
                  }
                >
                  <span className="text-xs">{name}</span>
                  <span className="max-w-full truncate text-sm tabular-nums">{there?.name ?? 'Empty'}</span>
                </Button>
              )
            })}
          </div>
          {places.length === 0 && <p className="text-muted">The bench doesn’t have a size yet. Edit the run to set one.</p>}
        </div>
      </DialogContent>
    </Dialog>
  )
}
