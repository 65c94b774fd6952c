import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deleteSeedLot } from '#contracts/calls/seed-lots.ts'
import type { Hunt } from '#contracts/hunts.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { ParentElsewhere, SeedLot } from '#contracts/seed-lots.endpoints.ts'
import { LineageGraph } from '#web/entities/growing-plots/lineage-graph.tsx'
import type { LineageNode } from '#web/entities/growing-plots/lineage-view.ts'
import { crossWords, elsewhereName, fullName, isAlive, seedTypeWords, standingLabels } from '#web/entities/plants/plant-words.ts'
import { runAction } from '#web/entities/plants/plant-writes.ts'
import { genotypesOptions, seedLotsOptions } from '#web/entities/plants/plants.api.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'

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
    return <LoadError title="The lineage couldn’t be loaded" query={failed} />
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
          const parent = lots.data?.flatMap(parentsOf).find((each) => each.id === id)?.elsewhere
          if (parent) {
            void router.navigate({ to: '/pheno-hunt/$id/plants/$number', params: { id: parent.huntId, number: String(parent.number) } })
          } else if (number !== undefined) {
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
          await runAction(client, async () => {
            await call(deleteSeedLot, { params: { id: deletion.id } })
            return 'Seed lot deleted'
          })
          setBusy(false)
          setAsked(null)
        }}
      >
        <p>Its {counted(deletion?.genotypeCount ?? 0, 'pheno')} won’t be deleted but will no longer have a cross.</p>
      </ConfirmDialog>
    </div>
  )
}

type Genotypes = readonly Genotype[]

/** Parents come first. */
export function lineageNodes(genotypes: Genotypes, lots: readonly SeedLot[]): LineageNode[] {
  const nodes: LineageNode[] = []
  const placed = new Set<string>()
  const add = (node: LineageNode) => {
    if (placed.has(node.id)) return
    placed.add(node.id)
    nodes.push(node)
  }
  const byLot = Map.groupBy(genotypes, ({ seedLotId }) => seedLotId)
  const knownLots = new Set(lots.map(({ id }) => id))
  const addGenotypes = (those: Genotypes, lotId: string | null) => {
    for (const genotype of those) add(genotypeNode(genotype, lotId))
    for (const genotype of those) for (const clone of cloneNodes(genotype)) add(clone)
  }
  const addLot = (lot: SeedLot, parents: readonly Parent[]) => {
    for (const { id, strain, elsewhere } of parents) {
      if (strain) add({ id, kind: 'strain', name: strain, parents: [], isAlive: true })
      if (elsewhere) add({ id, kind: 'genotype', name: elsewhereName(elsewhere), note: elsewhere.huntName, parents: [], isAlive: true })
    }
    add({
      id: lot.id,
      kind: 'seed-lot',
      name: crossWords(lot, genotypes),
      note: `${lot.genotypeCount} numbered`,
      parents: parents.map(({ id }) => id),
      isAlive: true,
    })
    addGenotypes(byLot.get(lot.id) ?? [], lot.id)
  }

  addGenotypes(
    genotypes.filter(({ seedLotId }) => seedLotId === null || !knownLots.has(seedLotId)),
    null,
  )
  // A lot comes after its parent genotypes, which may be from another lot.
  const isKnown = ({ id, strain, elsewhere }: Parent) => strain !== null || elsewhere !== null || placed.has(id)
  let waiting = [...lots]
  while (waiting.length > 0) {
    const ready = waiting.filter((lot) => parentsOf(lot).every(isKnown))
    // If lots are each other's ancestors, draw the first without those parents.
    const [stuck] = waiting
    if (ready.length === 0 && stuck) addLot(stuck, parentsOf(stuck).filter(isKnown))
    for (const lot of ready) addLot(lot, parentsOf(lot))
    waiting = waiting.filter(({ id }) => !placed.has(id))
  }
  return nodes
}

type Parent = { id: string; strain: string | null; elsewhere: ParentElsewhere | null }

function parentsOf(lot: SeedLot): Parent[] {
  const sides = [
    [lot.motherGenotypeId, lot.mother, lot.motherElsewhere],
    [lot.fatherGenotypeId, lot.father, lot.fatherElsewhere],
  ] as const
  const parents = sides.flatMap(([id, name, elsewhere]): Parent[] => {
    if (id !== null) return [{ id, strain: null, elsewhere }]
    return name === '' ? [] : [{ id: `strain ${name.toLowerCase()}`, strain: name, elsewhere: null }]
  })
  return parents.filter(({ id }, i) => parents.findIndex((each) => each.id === id) === i)
}

const genotypeNode = (genotype: Genotype, lotId: string | null): LineageNode => ({
  id: genotype.id,
  kind: 'genotype',
  name: fullName(genotype),
  ...(genotype.standing ? { note: standingLabels[genotype.standing] } : {}),
  parents: lotId === null ? [] : [lotId],
  isAlive: genotype.livingCopies > 0,
  isKeeper: genotype.standing === 'keep',
  isChosen: genotype.standing === 'keep' || genotype.standing === 'breed' || genotype.standing === 'retest',
})

/** Clones of the seed plant attach to the genotype itself. Follows the order of cutting, so a mother comes before her clones. */
function cloneNodes({ id, plants }: Genotype): LineageNode[] {
  const clones = plants.filter(({ kind }) => kind === 'clone')
  const ids = new Set(clones.map((clone) => clone.id))
  return clones.map((clone) => ({
    id: clone.id,
    kind: 'clone',
    name: clone.name,
    parents: [clone.cutFromId !== null && ids.has(clone.cutFromId) ? clone.cutFromId : id],
    isAlive: isAlive(clone),
  }))
}
