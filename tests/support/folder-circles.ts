type Importing = { path: string; imports: readonly { target: string | null }[] }

/**
 * The folder that counts as one part of the app: a feature, an adapter, an entity or a screen, or else a folder of the server or the web
 * app with its subfolders. A file at the top of either is its own part.
 */
export function partOf(path: string): string {
  const [side, folder, name, ...rest] = path.split('/')
  if (side !== 'server' && side !== 'web') return side as string
  if (name === undefined) return path
  const holdsParts = folder === 'features' || folder === 'adapters' || folder === 'entities' || folder === 'screens'
  return holdsParts && rest.length > 0 ? `${side}/${folder}/${name}` : `${side}/${folder}`
}

/** Finds folders that import each other in a cycle, by Tarjan's algorithm. Returns the imports within each cycle. */
export function folderCircles(files: readonly Importing[]): string[][] {
  const uses = new Map<string, Set<string>>()
  const edges: { from: string; to: string; text: string }[] = []
  for (const { path, imports } of files) {
    const from = partOf(path)
    if (!uses.has(from)) uses.set(from, new Set())
    for (const { target } of imports) {
      if (target === null || partOf(target) === from) continue
      uses.get(from)?.add(partOf(target))
      edges.push({ from, to: partOf(target), text: `${path} → ${target}` })
    }
  }
  return components(uses)
    .filter((parts) => parts.size > 1)
    .map((parts) =>
      edges
        .filter(({ from, to }) => parts.has(from) && parts.has(to))
        .map(({ text }) => text)
        .sort(),
    )
}

function components(graph: ReadonlyMap<string, ReadonlySet<string>>): Set<string>[] {
  const found: Set<string>[] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const visit = (node: string): number => {
    const index = order.size
    order.set(node, index)
    lowest.set(node, index)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) lowest.set(node, Math.min(lowest.get(node) as number, visit(next)))
      else if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node) as number, order.get(next) as number))
    }
    if (lowest.get(node) === index) found.push(new Set(stack.splice(stack.indexOf(node))))
    return lowest.get(node) as number
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return found
}
