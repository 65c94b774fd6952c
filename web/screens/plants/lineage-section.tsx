import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deleteSeedLot } from '#contracts/calls/seed-lots.ts'
import type { Hunt } from '#contracts/hunts.ts'
import type { SeedLot } from '#contracts/seed-lots.endpoints.ts'
import { LineageGraph } from '#web/entities/growing-plots/lineage-graph.tsx'
import { doing } from '#web/entities/plants/plant-writes.ts'
import { genotypesOptions, seedLotsOptions } from '#web/entities/plants/plants.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { crossWords, seedTypeWords } from './cross-words.ts'
import { lineageNodes } from './lineage-nodes.ts'

const LotDialog = lazyDialog(async () => (await import('./lot-dialog.tsx')).LotDialog)

export function LineageSection({ hunt }: { hunt: Hunt }) {
  const lots = useQuery(seedLotsOptions(hunt.id))
  const genotypes = useQuery(genotypesOptions(hunt.id))
  const router = useRouter()
  const client = useQueryClient()
  const [asked, setAsked] = useState<{ lot: SeedLot | null; isDeletion?: true } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const failed = [lots, genotypes].find(({ error, data }) => error && !data)
  if (failed) {
    return (
      <ErrorState
        title="The lineage couldn’t be loaded"
        description={messageOf(failed.error)}
        onRetry={() => void failed.refetch()}
        pending={failed.isFetching}
      />
    )
  }
  const all = genotypes.data ?? []
  const canWrite = hunt.abilities.write
  const numbers = new Map(
    all.flatMap(({ id, number, plants }) => [[id, number] as const, ...plants.map((plant) => [plant.id, number] as const)]),
  )
  const deletion = asked?.isDeletion ? asked.lot : null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <section aria-labelledby="lots" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="lots" className="text-xl">
            Seed lots
          </h2>
          {canWrite && (
            <Button variant="secondary" size="lg" onClick={() => setAsked({ lot: null })}>
              <Plus aria-hidden="true" />
              Add seed lot
            </Button>
          )}
        </div>
        {lots.data?.length === 0 && <p className="text-muted">No crosses yet. A seed lot records the mother and father of its seeds.</p>}
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {lots.data?.map((lot) => (
            <li key={lot.id}>
              <Card className="h-full">
                <CardBody className="flex items-start justify-between gap-2">
                  <div className="grid min-w-0 gap-1">
                    <h3 className="text-lg wrap-anywhere">{crossWords(lot, all)}</h3>
                    <p className="text-muted text-sm">
                      {[
                        lot.breeder,
                        seedTypeWords[lot.seedType],
                        lot.seedCount > 0 ? counted(lot.seedCount, 'seed') : '',
                        `${lot.genotypeCount} numbered`,
                        lot.source,
                      ]
                        .filter((part) => part !== '')
                        .join(' · ')}
                    </p>
                  </div>
                  {canWrite && (
                    <div className="-mt-2 -mr-2 flex shrink-0">
                      <IconButton label={`Edit ${crossWords(lot, all)}`} onClick={() => setAsked({ lot })} className="min-h-12 min-w-12">
                        <Pencil aria-hidden="true" />
                      </IconButton>
                      <IconButton
                        label={`Delete ${crossWords(lot, all)}`}
                        onClick={() => setAsked({ lot, isDeletion: true })}
                        className="min-h-12 min-w-12"
                      >
                        <Trash2 aria-hidden="true" />
                      </IconButton>
                    </div>
                  )}
                </CardBody>
              </Card>
            </li>
          ))}
        </ul>
      </section>
      <LineageGraph
        huntName={hunt.huntName}
        level={2}
        isLoading={lots.isPending || genotypes.isPending}
        nodes={lineageNodes(all, lots.data ?? [])}
        onNode={({ id }) => {
          const number = numbers.get(id)
          const lot = lots.data?.find((each) => each.id === id)
          if (number !== undefined) {
            void router.navigate({ to: '/pheno-hunt/$id/plants/$number', params: { id: hunt.id, number: String(number) } })
          } else if (lot && canWrite) setAsked({ lot })
        }}
      />
      {asked && !asked.isDeletion && <LotDialog huntId={hunt.id} lot={asked.lot} genotypes={all} onOpenChange={() => setAsked(null)} />}
      <ConfirmDialog
        open={deletion !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`Delete ${deletion ? crossWords(deletion, all) : 'this lot'}?`}
        confirmText="Delete seed lot"
        pending={isBusy}
        onConfirm={async () => {
          if (!deletion) return
          setBusy(true)
          await doing(client, async () => {
            await call(deleteSeedLot, { params: { id: deletion.id } })
            return 'Seed lot deleted'
          })
          setBusy(false)
          setAsked(null)
        }}
      >
        <p>Its {counted(deletion?.genotypeCount ?? 0, 'phenotype')} stay but lose their cross.</p>
      </ConfirmDialog>
    </div>
  )
}
