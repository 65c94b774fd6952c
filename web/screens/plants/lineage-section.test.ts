import { expect, test } from 'vitest'
import type { SeedLot } from '#contracts/seed-lots.endpoints.ts'
import { sampleGenotype, samplePlant } from '#web/entities/plants/sample-plants.test-support.ts'
import { lineageNodes } from './lineage-section.tsx'

const lot = (id: string, more: Partial<SeedLot> = {}): SeedLot => ({
  id,
  huntId: 'hunt',
  mother: '',
  father: '',
  motherGenotypeId: null,
  fatherGenotypeId: null,
  motherElsewhere: null,
  fatherElsewhere: null,
  isSelfed: false,
  generation: '',
  breeder: '',
  seedType: 'regular',
  seedCount: 0,
  source: '',
  genotypeCount: 0,
  version: 1,
  ...more,
})

test('puts parents before their offspring across generations', () => {
  const f1 = lot('f1', { mother: 'Haze', father: 'Skunk', generation: 'F1' })
  const f2 = lot('f2', { motherGenotypeId: 'genotype-1', fatherGenotypeId: 'genotype-2', generation: 'F2' })
  const one = sampleGenotype(
    1,
    [
      samplePlant('seed'),
      samplePlant('clone', { kind: 'clone', copy: 1, name: '#1-1', cutFromId: 'seed' }),
      samplePlant('of-clone', { kind: 'clone', copy: 2, name: '#1-2', cutFromId: 'clone', endedOn: '2026-11-01', endedHow: 'died' }),
    ],
    { seedLotId: 'f1', standing: 'keep' },
  )
  const two = sampleGenotype(2, [samplePlant('b')], { seedLotId: 'f1' })
  const three = sampleGenotype(3, [samplePlant('c')], { seedLotId: 'f2' })
  const nodes = lineageNodes([three, two, one], [f2, f1])
  const at = (id: string) => nodes.findIndex((node) => node.id === id)
  for (const { id, parents } of nodes) for (const parent of parents) expect(at(parent), `${parent} before ${id}`).toBeLessThan(at(id))
  expect(nodes).toHaveLength(9)
  expect(nodes[at('f1')]).toMatchObject({ name: 'Haze × Skunk F1', parents: ['strain haze', 'strain skunk'] })
  expect(nodes[at('f2')]?.parents).toEqual(['genotype-1', 'genotype-2'])
  expect(nodes[at('clone')]?.parents).toEqual(['genotype-1'])
  expect(nodes[at('of-clone')]).toMatchObject({ parents: ['clone'], isAlive: false })
  expect(nodes[at('genotype-1')]).toMatchObject({ isKeeper: true, isChosen: true, note: 'Keep' })
})

test('terminates for cyclic seed lots and for a strain that is both mother and father', () => {
  const odd = lot('odd', { motherGenotypeId: 'genotype-1' })
  const same = lot('same', { mother: 'Haze', father: 'haze' })
  const nodes = lineageNodes(
    [sampleGenotype(1, [samplePlant('a')], { seedLotId: 'odd' }), sampleGenotype(2, [samplePlant('b')], { seedLotId: 'gone' })],
    [odd, same],
  )
  expect(nodes.map(({ id, parents }) => [id, parents])).toEqual([
    ['genotype-2', []],
    ['strain haze', []],
    ['same', ['strain haze']],
    ['odd', []],
    ['genotype-1', ['odd']],
  ])
})

test('shows a parent from another hunt with that hunt’s name', () => {
  const elsewhere = { huntId: 'other', huntName: 'Sunrise Haze', number: 7, label: 'Lime' }
  const cross = lot('bx', { mother: '#7', motherGenotypeId: 'mother', motherElsewhere: elsewhere, father: 'Skunk', generation: 'F1' })
  const nodes = lineageNodes([sampleGenotype(1, [samplePlant('a')], { seedLotId: 'bx' })], [cross])
  expect(nodes.map(({ id, name, parents }) => [id, name, parents])).toEqual([
    ['mother', '#7 Lime', []],
    ['strain skunk', 'Skunk', []],
    ['bx', '#7 Lime × Skunk F1', ['mother', 'strain skunk']],
    ['genotype-1', '#1', ['bx']],
  ])
  expect(nodes[0]).toMatchObject({ kind: 'genotype', note: 'Sunrise Haze' })
})
