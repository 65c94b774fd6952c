/** A strain or named parent, a seed lot, a genotype from one seed, or a clone. */
export type LineageNode = {
  id: string
  kind: 'strain' | 'seed-lot' | 'genotype' | 'clone'
  name: string
  note?: string | undefined
  /** Mother first, then father. For a genotype, its seed lot; for a clone, its mother plant. */
  parents: readonly string[]
  isAlive: boolean
  isKeeper?: boolean | undefined
  /** Marks a keeper, retest or breeding plant, which remains visible when its siblings are folded. */
  isChosen?: boolean | undefined
}

/**
 * An item may stand for folded siblings. A parent that isn't from the generation before is drawn again next to the child (`again`), so
 * lines don't cross other nodes.
 */
export type LineageItem = { id: string; parents: readonly string[]; again?: boolean | undefined } & (
  | { node: LineageNode; folded: null }
  | { node: null; folded: { parent: string; kind: LineageNode['kind']; count: number; alive: number; isOpen: boolean } }
)

/** In larger groups of siblings, the unremarkable ones are folded. */
export const maxSiblings = 6

export const foldOf = (parent: string, kind: LineageNode['kind']): string => `${parent} ${kind}`

/**
 * Folds groups of siblings (same parent and kind) above the limit unless `open` includes their fold. Keepers, chosen nodes and parents of a
 * seed lot remain visible. An open fold gets an item that closes it.
 */
export function lineageItems(nodes: readonly LineageNode[], open: ReadonlySet<string>): LineageItem[] {
  const siblings = Map.groupBy(nodes, (node) => foldOf(node.parents[0] ?? '', node.kind))
  const breeding = new Set(nodes.filter(({ kind }) => kind === 'seed-lot').flatMap(({ parents }) => parents))
  const hidden = new Set<string>()
  const folds = new Map<string, LineageItem>()
  for (const [fold, group] of siblings) {
    const [first] = group
    if (!first || first.kind === 'strain' || first.kind === 'seed-lot' || group.length <= maxSiblings) continue
    const rest = group.filter(({ id, isKeeper, isChosen }) => !isKeeper && !isChosen && !breeding.has(id))
    if (rest.length < 2) continue
    const isOpen = open.has(fold)
    if (!isOpen) for (const { id } of rest) hidden.add(id)
    const parent = first.parents[0] ?? ''
    folds.set(fold, {
      id: `fold ${fold}`,
      parents: first.parents,
      node: null,
      folded: { parent, kind: first.kind, count: rest.length, alive: rest.filter(({ isAlive }) => isAlive).length, isOpen },
    })
  }
  const isGone = hiddenWithDescendants(nodes, hidden)
  const items: LineageItem[] = []
  for (const node of nodes) if (!isGone.has(node.id)) items.push({ id: node.id, parents: node.parents, node, folded: null })
  for (const item of folds.values()) if (!item.parents.some((parent) => isGone.has(parent))) items.push(item)
  return items
}

function hiddenWithDescendants(nodes: readonly LineageNode[], hidden: ReadonlySet<string>): Set<string> {
  const gone = new Set(hidden)
  for (let before = -1; before !== gone.size; ) {
    before = gone.size
    for (const { id, parents } of nodes) if (parents.length > 0 && parents.every((parent) => gone.has(parent))) gone.add(id)
  }
  return gone
}

export type PlacedItem = { item: LineageItem; x: number; y: number; width: number; height: number }
export type LineageEdge = { from: PlacedItem; to: PlacedItem }
export type LineageLayout = { placed: PlacedItem[]; edges: LineageEdge[]; width: number; height: number }

const box = { width: 156, height: 46, across: 52, between: 10 }

/** Generations run from left to right. Children are near their parents' height and don't overlap. */
export function layOutLineage(drawn: readonly LineageItem[]): LineageLayout {
  const generations = generationsOf(drawn, parentsAmong(drawn))
  const items = withNearParents(drawn, generations)
  const heights = heightsOf(items, parentsAmong(items), generations)
  const lowest = Math.min(...heights.values())
  const placed = items.map(
    (item): PlacedItem => ({
      item,
      x: (generations.get(item.id) ?? 0) * (box.width + box.across),
      y: (heights.get(item.id) ?? 0) - lowest,
      width: box.width,
      height: box.height,
    }),
  )
  const placedById = new Map(placed.map((each) => [each.item.id, each]))
  const edges = placed.flatMap((to) =>
    to.item.parents.flatMap((id) => {
      const from = placedById.get(id)
      return from ? [{ from, to }] : []
    }),
  )
  return { placed, edges, ...sizeOf(placed) }
}

const sizeOf = (placed: readonly PlacedItem[]) => ({
  width: Math.max(0, ...placed.map(({ x, width }) => x + width)),
  height: Math.max(0, ...placed.map(({ y, height }) => y + height)),
})

const row = { height: 48, between: 8, indent: 18 }

/** For phones: an indented outline with one node per line. A father follows the mother. */
export function outlineLineage(items: readonly LineageItem[], room: number): LineageLayout {
  const generations = generationsOf(items, parentsAmong(items))
  const parentsOf = parentsAmong(items)
  const placed: PlacedItem[] = []
  const edges: LineageEdge[] = []
  const done = new Map<string, PlacedItem>()
  const place = (item: LineageItem, parents: readonly (PlacedItem | undefined)[]) => {
    const x = (generations.get(item.id) ?? 0) * row.indent
    const to = { item, x, y: placed.length * (row.height + row.between), width: Math.max(140, room - x), height: row.height }
    placed.push(to)
    done.set(item.id, to)
    for (const from of parents) if (from) edges.push({ from, to })
    return to
  }
  const visit = (item: LineageItem, parents: readonly (PlacedItem | undefined)[]) => {
    if (done.has(item.id)) return
    const own = place(item, parents)
    const children = items.filter((each) => parentsOf(each)[0]?.id === item.id)
    const fathers = children.map((child) => parentsOf(child)[1])
    for (const father of fathers) if (father && parentsOf(father).length === 0 && !done.has(father.id)) place(father, [])
    for (const child of children) {
      const father = parentsOf(child)[1]
      const isNear = father && (generations.get(father.id) ?? 0) === (generations.get(item.id) ?? 0)
      visit(child, [own, isNear ? done.get(father.id) : undefined])
    }
  }
  const isMother = (item: LineageItem) => items.some((each) => parentsOf(each)[0]?.id === item.id)
  for (const item of items) if (parentsOf(item).length === 0 && isMother(item)) visit(item, [])
  for (const item of items) visit(item, [])
  return { placed, edges, ...sizeOf(placed) }
}

function parentsAmong(items: readonly LineageItem[]): ParentsOf {
  const byId = new Map(items.map((item) => [item.id, item]))
  return (item) => item.parents.flatMap((id) => byId.get(id) ?? [])
}

/** Repeats distant parents in the generation before the child. Adds the copies to `generations`. */
function withNearParents(items: readonly LineageItem[], generations: Map<string, number>): LineageItem[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  return items.flatMap((item) => {
    const before = (generations.get(item.id) ?? 0) - 1
    const again: LineageItem[] = []
    const parents = item.parents.map((id) => {
      const parent = byId.get(id)
      if (!parent?.node || (generations.get(id) ?? 0) === before) return id
      const near = `again ${id} for ${item.id}`
      again.push({ id: near, parents: [], again: true, node: parent.node, folded: null })
      generations.set(near, before)
      return near
    })
    return [...again, again.length > 0 ? { ...item, parents } : item]
  })
}

type ParentsOf = (item: LineageItem) => LineageItem[]

/** A node's generation is the length of the longest path from a root. */
function generationsOf(items: readonly LineageItem[], parentsOf: ParentsOf): Map<string, number> {
  const found = new Map<string, number>()
  const visit = (item: LineageItem, trail: ReadonlySet<string>): number => {
    const known = found.get(item.id)
    if (known !== undefined) return known
    // Bad data may contain a cycle, which must not hang the page.
    if (trail.has(item.id)) return 0
    const next = new Set(trail).add(item.id)
    const generation = Math.max(-1, ...parentsOf(item).map((parent) => visit(parent, next))) + 1
    found.set(item.id, generation)
    return generation
  }
  for (const item of items) visit(item, new Set())
  return found
}

/** Stacks leaves in order of descent, centers parents on their children, then resolves overlaps. */
function heightsOf(items: readonly LineageItem[], parentsOf: ParentsOf, generations: ReadonlyMap<string, number>): Map<string, number> {
  const step = box.height + box.between
  const children = Map.groupBy(
    items.filter((item) => parentsOf(item).length > 0),
    (item) => parentsOf(item)[0]?.id ?? '',
  )
  const heights = new Map<string, number>()
  let next = 0
  const visit = (item: LineageItem): number => {
    const known = heights.get(item.id)
    if (known !== undefined) return known
    heights.set(item.id, next)
    const below = (children.get(item.id) ?? []).map(visit)
    const first = below[0] ?? next
    const height = (first + (below.at(-1) ?? next)) / 2
    if (below.length === 0) next += step
    heights.set(item.id, height)
    return height
  }
  const isMother = (item: LineageItem) => children.has(item.id)
  const roots = items.filter((item) => parentsOf(item).length === 0)
  for (const root of roots.filter(isMother)) visit(root)
  // Place fathers next to mothers, around their common seed lot.
  for (const father of roots.filter((item) => !isMother(item))) {
    const child = items.find((item) => item.parents.includes(father.id))
    const mother = child && parentsOf(child)[0]
    if (!child || !mother) {
      visit(father)
      continue
    }
    const around = heights.get(child.id) ?? 0
    const isPair =
      !father.again && (children.get(mother.id)?.length ?? 0) === 1 && generations.get(mother.id) === generations.get(father.id)
    if (isPair) heights.set(mother.id, around - step / 2)
    heights.set(father.id, isPair ? around + step / 2 : around + step)
  }
  for (const column of Map.groupBy(items, (item) => generations.get(item.id) ?? 0).values()) moveClear(column, heights, step)
  return heights
}

function moveClear(column: readonly LineageItem[], heights: Map<string, number>, step: number): void {
  let lowest = Number.NEGATIVE_INFINITY
  for (const { id } of column.toSorted((one, other) => (heights.get(one.id) ?? 0) - (heights.get(other.id) ?? 0))) {
    const height = Math.max(heights.get(id) ?? 0, lowest)
    heights.set(id, height)
    lowest = height + step
  }
}

export function relativesOf(id: string, edges: readonly { from: { item: { id: string } }; to: { item: { id: string } } }[]): Set<string> {
  const walk = (from: 'from' | 'to', to: 'from' | 'to') => {
    const found = new Set([id])
    const waiting = [id]
    for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
      for (const edge of edges) {
        const other = edge[to].item.id
        if (edge[from].item.id !== current || found.has(other)) continue
        found.add(other)
        waiting.push(other)
      }
    }
    return found
  }
  return walk('from', 'to').union(walk('to', 'from'))
}
