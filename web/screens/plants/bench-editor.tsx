import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { placePlants } from '#contracts/calls/runs.ts'
import type { Hunt } from '#contracts/hunts.ts'
import type { Genotype, Plant } from '#contracts/plants.ts'
import type { Placement, Run } from '#contracts/runs.endpoints.ts'
import { BenchMap } from '#web/entities/growing-plots/bench-map.tsx'
import { rowLetter } from '#web/entities/growing-plots/bench-rows.ts'
import { stageWords } from '#web/entities/plants/plant-words.ts'
import { doing } from '#web/entities/plants/plant-writes.ts'
import { placementsOptions } from '#web/entities/plants/plants.api.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { movesTo, type Place } from './bench-places.ts'

/** A run's bench: press a plant, then its new position. */
export function BenchEditor({ hunt, run, genotypes }: { hunt: Hunt; run: Run; genotypes: readonly Genotype[] }) {
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
        <p className="text-muted">This run has no bench yet. Edit it to set the number of rows and columns.</p>
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

const stageText = (lives: boolean, stage: Plant['stage']): string => (!lives ? 'Ended' : stage ? stageWords[stage] : 'No stage yet')

type MoveDialogProps = { hunt: Hunt; run: Run; plant: Placement; placements: readonly Placement[]; onClose: () => void }

/** Positions of the bench as buttons. Choosing an occupied one swaps the plants. */
function MoveDialog({ hunt, run, plant, placements, onClose }: MoveDialogProps) {
  const client = useQueryClient()
  const router = useRouter()
  const [isBusy, setBusy] = useState(false)
  const columns = run.benchColumns ?? 0
  const places = Array.from(
    { length: (run.benchRows ?? 0) * columns },
    (_, i): Place => ({ row: Math.floor(i / columns) + 1, column: (i % columns) + 1 }),
  )
  const at = new Map(placements.map((each) => [`${each.row} ${each.column}`, each]))

  async function send(body: { placements?: ReturnType<typeof movesTo>; removedPlantIds?: string[] }, said: string) {
    setBusy(true)
    const isDone = await doing(client, async () => {
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
        description="Choose a spot. If it’s taken, the two plants swap."
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
          {places.length === 0 && <p className="text-muted">The bench has no size yet. Edit the run to give it one.</p>}
        </div>
      </DialogContent>
    </Dialog>
  )
}
