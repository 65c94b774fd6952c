import { numberText } from './format.ts'
import type { LineageItem, LineageNode } from './lineage-view.ts'
import type { PlotColumn } from './plot-table.ts'

export const kindNames: Record<LineageNode['kind'], string> = {
  strain: 'Parent',
  'seed-lot': 'Seed lot',
  genotype: 'Genotype',
  clone: 'Clone',
}
const manyNames: Record<LineageNode['kind'], string> = { strain: 'parents', 'seed-lot': 'seed lots', genotype: 'siblings', clone: 'clones' }

export const itemName = ({ node, folded }: LineageItem): string =>
  node?.name ?? `${numberText(folded?.count ?? 0)} ${folded ? manyNames[folded.kind] : ''}`

export function itemNote({ node, folded, again }: LineageItem): string {
  if (folded) return folded.isOpen ? 'Show fewer' : `${numberText(folded.alive)} alive, folded`
  if (again) return `${kindNames[node.kind]}, again`
  const isGone = !node.isAlive && (node.kind === 'genotype' || node.kind === 'clone')
  return [kindNames[node.kind], ...(node.note ? [node.note] : []), ...(isGone ? ['gone'] : [])].join(' · ')
}

/** The list beside the drawing has everybody, folded or not. */
export function lineageColumns(nodes: readonly LineageNode[]): PlotColumn<LineageNode>[] {
  const names = new Map(nodes.map(({ id, name }) => [id, name]))
  const nameOf = (id: string | undefined) => (id === undefined ? null : (names.get(id) ?? null))
  return [
    { key: 'name', label: 'Name', value: ({ name }) => name },
    { key: 'kind', label: 'Kind', value: ({ kind }) => kindNames[kind] },
    { key: 'first', label: 'Mother or source', value: ({ parents }) => nameOf(parents[0]) },
    { key: 'second', label: 'Father', value: ({ parents }) => nameOf(parents[1]) },
    { key: 'note', label: 'Note', value: ({ note }) => note ?? null },
    { key: 'alive', label: 'Alive', kind: 'yes-no', value: ({ isAlive }) => isAlive },
    { key: 'keeper', label: 'Keeper', kind: 'yes-no', value: ({ isKeeper }) => isKeeper === true },
  ]
}
