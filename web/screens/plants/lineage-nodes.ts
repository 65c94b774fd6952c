import type { Genotype } from '#contracts/plants.ts'
import type { SeedLot } from '#contracts/seed-lots.endpoints.ts'
import type { LineageNode } from '#web/entities/growing-plots/lineage-view.ts'
import { fullName, isAlive, standingWords } from '#web/entities/plants/plant-words.ts'
import { crossWords } from './cross-words.ts'

type Genotypes = readonly Genotype[]

/** Lineage of a hunt: strains, seed lots, genotypes and clones, parents first. */
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
    for (const { id, strain } of parents) if (strain) add({ id, kind: 'strain', name: strain, parents: [], isAlive: true })
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
  let waiting = [...lots]
  while (waiting.length > 0) {
    const ready = waiting.filter((lot) => parentsOf(lot).every(({ id, strain }) => strain !== null || placed.has(id)))
    // Lots that are each other's ancestors: draw the first without those parents.
    const [stuck] = waiting
    if (ready.length === 0 && stuck)
      addLot(
        stuck,
        parentsOf(stuck).filter(({ id, strain }) => strain !== null || placed.has(id)),
      )
    for (const lot of ready) addLot(lot, parentsOf(lot))
    waiting = waiting.filter(({ id }) => !placed.has(id))
  }
  return nodes
}

/** A genotype of this hunt, or a strain by name. */
type Parent = { id: string; strain: string | null }

function parentsOf({ mother, father, motherGenotypeId, fatherGenotypeId }: SeedLot): Parent[] {
  const sides = [
    [motherGenotypeId, mother],
    [fatherGenotypeId, father],
  ] as const
  const parents = sides.flatMap(([id, name]): Parent[] => {
    if (id !== null) return [{ id, strain: null }]
    return name === '' ? [] : [{ id: `strain ${name.toLowerCase()}`, strain: name }]
  })
  return parents.filter(({ id }, i) => parents.findIndex((each) => each.id === id) === i)
}

const genotypeNode = (genotype: Genotype, lotId: string | null): LineageNode => ({
  id: genotype.id,
  kind: 'genotype',
  name: fullName(genotype),
  ...(genotype.standing ? { note: standingWords[genotype.standing] } : {}),
  parents: lotId === null ? [] : [lotId],
  isAlive: genotype.livingCopies > 0,
  isKeeper: genotype.standing === 'keep',
  isChosen: genotype.standing === 'keep' || genotype.standing === 'breed' || genotype.standing === 'retest',
})

/** Clones of the seed plant attach to the genotype itself. In order of cutting, so that a mother comes before her clones. */
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
