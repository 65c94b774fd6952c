import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deleteRun } from '#contracts/calls/runs.ts'
import type { Hunt } from '#contracts/hunts.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { Run } from '#contracts/runs.endpoints.ts'
import { dayWords } from '#web/entities/hunts/hunt-words.ts'
import { fullName } from '#web/entities/plants/plant-words.ts'
import { doing } from '#web/entities/plants/plant-writes.ts'
import { genotypesOptions, runsOptions } from '#web/entities/plants/plants.api.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { BenchEditor } from './bench-editor.tsx'

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
                run.startedOn && `started ${dayWords(run.startedOn)}`,
                run.floweredOn && `flower ${dayWords(run.floweredOn)}`,
                run.endedOn && `ended ${dayWords(run.endedOn)}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Fact>
            <Fact name="Plants">{counted(run.placementCount, 'plant')}</Fact>
            <Fact name="Check clone">{check ? fullName(check) : 'None: this run can’t be compared with others'}</Fact>
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
          await doing(client, async () => {
            await call(deleteRun, { params: { id: run.id } })
            return `${run.name} deleted`
          })
          setBusy(false)
          setAsked(null)
        }}
      >
        <p>This deletes the bench layout. The plants and their logs, scores and harvests stay.</p>
      </ConfirmDialog>
    </section>
  )
}
