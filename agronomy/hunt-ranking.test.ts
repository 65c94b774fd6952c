import { describe, expect, test } from 'vitest'
import { type HuntToRank, rankableHunt } from './hunt-ranking.ts'

const growthStages = ['germination', 'seedling', 'vegetative', 'flower', 'drying', 'curing']

type Genotype = HuntToRank['genotypes'][number]
type Trait = HuntToRank['traits'][number]

const pheno = (number: number, more: Partial<Genotype> = {}): Genotype => ({
  id: `g${number}`,
  number,
  kind: 'seed',
  sex: 'unknown',
  standing: null,
  plants: [{ id: `p${number}`, isAlive: true, endedHow: null, stage: null }],
  ...more,
})
const ended = (number: number, endedHow: string): Genotype =>
  pheno(number, { plants: [{ id: `p${number}`, isAlive: false, endedHow, stage: null }] })
const trait = (id: string, more: Partial<Trait> = {}): Trait => ({
  ...{ id, kind: 'number', source: 'observation', direction: 'max', low: 0, high: 10, target: null, weight: 1 },
  ...{ heritability: null, must: null, fromStage: null, toStage: null, isArchived: false },
  ...more,
})
const hunt = (more: Partial<HuntToRank>): HuntToRank => ({
  ...{ selectsMales: false, ranksHarvested: false, stages: growthStages, genotypes: [], traits: [], records: [] },
  ...more,
})
const outOf = (input: HuntToRank) => rankableHunt(input).outOfRunning.map(({ id, reason }) => [id, reason])
const candidatesOf = (input: HuntToRank) => rankableHunt(input).input.genotypes.flatMap(({ id, isCandidate }) => (isCandidate ? [id] : []))

describe('rankableHunt', () => {
  test('includes phenotypes that can be kept, and gives a reason for each one it leaves out', () => {
    const genotypes = [
      pheno(1),
      pheno(2, { sex: 'male' }),
      pheno(3, { sex: 'intersex' }),
      ended(4, 'died'),
      ended(5, 'harvested'),
      pheno(6, { standing: 'cull' }),
      pheno(7, { sex: 'female', standing: 'keep' }),
      pheno(8, { plants: [] }),
    ]
    expect(candidatesOf(hunt({ genotypes }))).toEqual(['g1', 'g7'])
    expect(outOf(hunt({ genotypes }))).toEqual([
      ['g2', 'male'],
      ['g3', 'intersex'],
      ['g4', 'gone'],
      ['g5', 'harvested'],
      ['g6', 'culled'],
      ['g8', 'gone'],
    ])
  })

  test('includes males instead of females if the hunt selects a father, and harvested plants if it ranks them', () => {
    const genotypes = [pheno(1, { sex: 'male' }), pheno(2, { sex: 'female' }), ended(3, 'harvested'), ended(4, 'given_away')]
    expect(candidatesOf(hunt({ genotypes, selectsMales: true }))).toEqual(['g1'])
    expect(candidatesOf(hunt({ genotypes, ranksHarvested: true }))).toEqual(['g2', 'g3'])
  })

  test('includes a phenotype with a living clone', () => {
    const plants = [
      { id: 'p1', isAlive: false, endedHow: 'harvested', stage: null },
      { id: 'p1-1', isAlive: true, endedHow: null, stage: null },
    ]
    const [first] = rankableHunt(hunt({ genotypes: [pheno(1, { plants })] })).input.genotypes
    expect(first).toMatchObject({ isCandidate: true, plantIds: ['p1-1'], harvestedPlantIds: ['p1'] })
  })

  test('leaves out check clones without listing them as out of the running', () => {
    const input = hunt({ genotypes: [pheno(1), pheno(2, { kind: 'check' })] })
    expect(candidatesOf(input)).toEqual(['g1'])
    expect(outOf(input)).toEqual([])
    expect(rankableHunt(input).input.genotypes.map(({ isCheck }) => isCheck)).toEqual([false, true])
  })
})

describe('a must', () => {
  const genotypes = [pheno(1), pheno(2), pheno(3)]
  const none = { min: null, max: null, not: [] }
  const record = (number: number, value: object) => ({ traitId: 't', plantId: `p${number}`, ...value })

  test.each<[string, Partial<Trait>, object[]]>([
    ['a value below the minimum', { must: { ...none, min: 3 } }, [record(1, { number: 2.9 }), record(2, { number: 3 })]],
    ['a value above the maximum', { must: { ...none, max: 5 } }, [record(1, { number: 6 }), record(2, { number: 5 })]],
    ['an excluded option', { kind: 'checks', must: { ...none, not: [4] } }, [record(1, { options: [2, 4] }), record(2, { options: [2] })]],
    ['any date', { kind: 'date', must: none }, [record(1, { date: '2026-10-01' }), record(2, { date: null })]],
    ['one plant of several', { must: { ...none, min: 3 } }, [record(1, { number: 9 }), record(1, { number: 1 }), record(2, { number: 9 })]],
  ])('rules a phenotype out by %s', (_name, more, records) => {
    const ruled = hunt({ genotypes, traits: [trait('t', more)], records: records as HuntToRank['records'] })
    expect(rankableHunt(ruled).outOfRunning).toEqual([{ id: 'g1', reason: 'must', traitId: 't' }])
    const archived = hunt({ ...ruled, traits: [trait('t', { ...more, isArchived: true })] })
    expect(rankableHunt(archived).outOfRunning).toEqual([])
  })
})

test('gives the model the records of phenotypes that are out of the running', () => {
  const { input } = rankableHunt(
    hunt({
      genotypes: [pheno(1), pheno(2, { sex: 'male' })],
      traits: [trait('t'), trait('shown', { direction: 'none' })],
      records: [1, 2].flatMap((n) =>
        ['t', 'shown'].map((traitId) => ({ traitId, plantId: `p${n}`, number: n, observer: 'me', runId: 'r' })),
      ),
    }),
  )
  expect(input.records).toEqual(
    [1, 2].map((n) => ({ genotypeId: `g${n}`, traitId: 't', plantId: `p${n}`, runId: 'r', observerId: 'me', value: n })),
  )
})
