import { expect, test } from 'vitest'
import type { Lineage, LineageLot, LineagePheno } from '#contracts/seed-lots.endpoints.ts'
import { type Child, type Cross, lineageTree, type Parent } from './lineage-tree.tsx'

const pheno = (id: string, lotId: string | null, more: Partial<LineagePheno> = {}): LineagePheno => ({
  ...{ genotypeId: id, huntId: 'h1', huntName: 'Autumn', number: Number(id), label: '', standing: null, livingCopies: 1, isMother: false },
  ...{ lotId, ...more },
})
const lot = (id: string, motherId: string | null, fatherId: string | null, more: Partial<LineageLot> = {}): LineageLot => ({
  ...{ id, huntId: 'h1', huntName: 'Autumn', mother: '', father: '', isSelfed: false, generation: '', motherId, fatherId, phenoCount: 1 },
  ...more,
})
const tree = (phenos: LineagePheno[], lots: LineageLot[]) => lineageTree({ phenos, lots, isComplete: true } satisfies Lineage)

const up = ({ role, name, isRepeated, parents }: Parent): unknown => [`${role} ${name}${isRepeated ? ' again' : ''}`, ...parents.map(up)]
const across = ({ name, children, others }: Cross): unknown => [`${name} +${others}`, ...children.map(down)]
const down = ({ pheno: { number }, isRepeated, crosses }: Child): unknown => [
  `#${number}${isRepeated ? ' again' : ''}`,
  ...crosses.map(across),
]

test('names parents, whether they are phenos of any hunt or known only by name', () => {
  const { parents, crosses } = tree(
    [pheno('1', 'f2'), pheno('2', 'f1', { label: 'Gas' }), pheno('3', null, { huntId: 'h2' })],
    [lot('f2', '2', '3'), lot('f1', null, null, { mother: 'Haze' })],
  )
  expect(parents.map(up)).toEqual([['Mother #2 Gas', ['Mother Haze'], ['Father Unknown']], ['Father #3']])
  expect(crosses).toEqual([])
})

test('follows offspring through both parents, and counts offspring it omits', () => {
  const { crosses } = tree(
    [pheno('1', null), pheno('4', 'a', { standing: 'keep' }), pheno('5', 'b'), pheno('9', null, { label: 'Lemon' })],
    [
      lot('a', '1', '9', { generation: 'F1', phenoCount: 24 }),
      lot('b', '9', '4', { phenoCount: 1 }),
      lot('c', '4', null, { isSelfed: true, generation: 'S1', phenoCount: 6 }),
    ],
  )
  expect(crosses.map(across)).toEqual([['× #9 Lemon, F1 +23', ['#4', ['× #9 Lemon +0', ['#5']], ['Selfed, S1 +6']]]])
})

test('expands a repeated ancestor once, as in a backcross, and stops at cycles', () => {
  const backcross = tree(
    [pheno('1', 'bx'), pheno('2', 'f1'), pheno('3', 'old')],
    [lot('bx', '2', '3'), lot('f1', '3', null), lot('old', null, null, { mother: 'Skunk' })],
  )
  expect(backcross.parents.map(up)).toEqual([
    ['Mother #2', ['Mother #3', ['Mother Skunk'], ['Father Unknown']], ['Father Unknown']],
    ['Father #3 again'],
  ])
  const cycle = tree([pheno('1', 'a'), pheno('2', 'b')], [lot('a', '2', null), lot('b', '1', null)])
  expect(cycle.parents.map(up)).toEqual([['Mother #2', ['Mother #1 again'], ['Father Unknown']], ['Father Unknown']])
  expect(cycle.crosses.map(across)).toEqual([['× Unknown +0', ['#2', ['× Unknown +0', ['#1 again']]]]])
})
