import { expect, test } from 'vitest'
import { foldOf, type LineageNode, layOutLineage, lineageItems, outlineLineage, relativesOf } from './lineage-view.ts'

function hunt(plants: number): LineageNode[] {
  const base = { isAlive: true }
  return [
    { id: 'mother', kind: 'strain', name: 'A', parents: [], ...base },
    { id: 'father', kind: 'strain', name: 'B', parents: [], ...base },
    { id: 'lot', kind: 'seed-lot', name: 'A × B', parents: ['mother', 'father'], ...base },
    ...Array.from({ length: plants }, (_, nth): LineageNode[] => [
      { id: `g${nth}`, kind: 'genotype', name: `#${nth + 1}`, parents: ['lot'], isAlive: nth % 2 === 0, isKeeper: nth === 6 },
      { id: `c${nth}`, kind: 'clone', name: `#${nth + 1} c1`, parents: [`g${nth}`], ...base },
    ]).flat(),
    { id: 'bx', kind: 'seed-lot', name: '#3 × B', parents: ['g2', 'father'], ...base },
  ]
}

test('folds the irrelevant siblings among two hundred, along with their descendants', () => {
  const items = lineageItems(hunt(200), new Set())
  expect(items.flatMap(({ node }) => node?.id ?? [])).toEqual(['mother', 'father', 'lot', 'g2', 'c2', 'g6', 'c6', 'bx'])
  expect(items.flatMap(({ folded }) => folded ?? [])).toEqual([{ parent: 'lot', kind: 'genotype', count: 198, alive: 98, isOpen: false }])
})

test('shows every sibling in an opened fold, which can be closed', () => {
  const items = lineageItems(hunt(200), new Set([foldOf('lot', 'genotype')]))
  expect(items.filter(({ node }) => node !== null)).toHaveLength(404)
  expect(items.find(({ folded }) => folded)?.folded?.isOpen).toBe(true)
})

test('doesn’t fold a few siblings', () => {
  expect(lineageItems(hunt(6), new Set()).some(({ folded }) => folded)).toBe(false)
})

const overlaps = (placed: { x: number; y: number; width: number; height: number }[]) =>
  placed.some((one, nth) =>
    placed.some((other, place) => place > nth && Math.abs(one.x - other.x) < one.width && Math.abs(one.y - other.y) < one.height),
  )

test('places plants without overlap, and children to the right of their parents', () => {
  for (const open of [new Set<string>(), new Set([foldOf('lot', 'genotype')])]) {
    const layout = layOutLineage(lineageItems(hunt(40), open))
    expect(overlaps(layout.placed)).toBe(false)
    for (const { from, to } of layout.edges) expect(to.x).toBeGreaterThan(from.x)
  }
})

test('repeats a father from an earlier generation beside the mother', () => {
  const layout = layOutLineage(lineageItems(hunt(10), new Set()))
  const child = layout.placed.find(({ item }) => item.id === 'bx')!
  const parents = layout.edges.filter(({ to }) => to === child).map(({ from }) => from)
  expect(parents.map(({ item }) => item.node?.id)).toEqual(['g2', 'father'])
  expect(new Set(parents.map(({ x }) => x)).size).toBe(1)
})

test('outlines every plant once, indented below its parent', () => {
  const items = lineageItems(hunt(10), new Set())
  const { placed, edges } = outlineLineage(items, 320)
  expect(placed.map(({ item }) => item.id).sort()).toEqual(items.map(({ id }) => id).sort())
  for (const { from, to } of edges) expect(to.y > from.y && to.x > from.x).toBe(true)
  expect(placed.every(({ x, width }) => x + width <= 320)).toBe(true)
})

test('places every plant once despite a cycle in invalid data', () => {
  const nodes: LineageNode[] = [
    { id: 'a', kind: 'genotype', name: 'a', parents: ['b'], isAlive: true },
    { id: 'b', kind: 'genotype', name: 'b', parents: ['a'], isAlive: true },
  ]
  const items = lineageItems(nodes, new Set())
  expect(new Set(layOutLineage(items).placed.map(({ item }) => item.node?.id))).toEqual(new Set(['a', 'b']))
  expect(outlineLineage(items, 320).placed).toHaveLength(2)
})

test('includes all ancestors and all descendants as relatives', () => {
  const { edges } = layOutLineage(lineageItems(hunt(3), new Set()))
  expect([...relativesOf('g1', edges)].sort()).toEqual(['c1', 'father', 'g1', 'lot', 'mother'])
})
