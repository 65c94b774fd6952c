import { describe, expect, it } from 'vitest'
import type { Certificate, CertificateResult } from '#contracts/certificates.endpoints.ts'
import type { LabResult } from '#contracts/traits.endpoints.ts'
import type { LogPlant } from '#web/entities/grow-logs/plant-names.ts'
import { firstChoices, plantOfSample, resultsToSave, rowsOfSample } from './certificate-import.tsx'

const plant = (number: number, copy: number, more: Partial<LogPlant> = {}): LogPlant => ({
  ...{ id: `${number}-${copy}`, number, copy, label: '', code: `ABCDEF${number}${copy}`, name: `#${number}`, isAlive: true },
  ...{ startedOn: null, placement: null, ...more },
})
const plants = [plant(7, 0), plant(7, 1, { isAlive: false }), plant(7, 2), plant(8, 0), plant(9, 1), plant(9, 2)]

describe('plantOfSample', () => {
  it.each([
    ['Sunrise Haze #7-2', '7-2'],
    ['Sunrise Haze #8', '8-0'],
    ['Pheno 8', '8-0'],
    ['plant no. 9-2', '9-2'],
    ['8', '8-0'],
    ['7-2', '7-2'],
    ['Haze ABCD-EF72', '7-2'],
    // Prefers a harvested plant to the seed plant.
    ['#7', '7-1'],
    ['#9', '9-1'],
    ['#70', null],
    ['#7-9', null],
    ['Batch 8', null],
    ['261103M012', null],
    ['', null],
  ])('finds the plant of %j', (name, id) => {
    expect(plantOfSample({ name, codes: [] }, plants)?.id ?? null).toBe(id)
  })

  it('finds a plant by one of the sample’s codes', () => {
    expect(plantOfSample({ name: 'Sunrise Haze', codes: ['A-100', '#8'] }, plants)?.id).toBe('8-0')
  })
})

const result = (analyte: string, value: number | null, more: Partial<CertificateResult> = {}): CertificateResult => ({
  ...{ analyte, printed: analyte, group: 'cannabinoid', value, quantificationLimit: null, unit: '%', isComputed: false, note: '', ...more },
})
const certificate: Certificate = {
  ...{ kind: 'pdf', lab: 'Cascade Lab', otherRows: 0 },
  samples: [
    {
      ...{ name: 'Haze #8', codes: [], testedOn: '2026-11-06', rejected: [] },
      results: [result('Total THC', 21.9), result('β-Myrcene', 0.6), result('CBN', null, { quantificationLimit: 0.01 })],
    },
    { name: 'Unknown', codes: [], testedOn: null, rejected: [], results: [result('Total THC', 18)] },
  ],
}
const traits = [
  { name: 'Potency', analyte: 'THC', isArchived: false },
  { name: 'Myrcene', analyte: 'myrcene', isArchived: false },
  { name: 'Old', analyte: 'CBN', isArchived: true },
]
const about = { lab: ' Cascade Lab ', samplePosition: 'top' }
const recorded = (more: Partial<LabResult>): LabResult => ({
  ...{ id: 'r', huntId: 'h', plantId: '8-0', genotypeId: 'g', lab: 'cascade lab', testedOn: '2026-11-06', samplePosition: '' },
  ...{ analyte: 'THC', value: 20, unit: '%', quantificationLimit: null, version: 1, ...more },
})

it('saves analytes with the spelling of the hunt’s traits', () => {
  const saved = resultsToSave(certificate, firstChoices(certificate, plants), about, traits, [])
  const shared = { plantId: '8-0', testedOn: '2026-11-06', unit: '%', lab: 'Cascade Lab', samplePosition: 'top' }
  expect(saved).toEqual([
    { ...shared, analyte: 'THC', value: 21.9, quantificationLimit: null },
    { ...shared, analyte: 'myrcene', value: 0.6, quantificationLimit: null },
    { ...shared, analyte: 'CBN', value: null, quantificationLimit: 0.01 },
  ])
})

it('counts only the total for a trait named CBD', () => {
  const sample = {
    name: '#8',
    codes: [],
    testedOn: null,
    rejected: [],
    results: [result('CBD (neutral)', 0.45), result('Total CBD', 14.5)],
  }
  const ofCbd = [{ name: 'CBD', analyte: 'CBD', isArchived: false }]
  const rows = rowsOfSample(sample, { plantId: '8-0', testedOn: '2026-11-06' }, { lab: '', samplePosition: '' }, ofCbd, [])
  expect(rows.map(({ analyte, traitNames }) => [analyte, traitNames])).toEqual([
    ['CBD (neutral)', []],
    ['CBD', ['CBD']],
  ])
})

it('prefers the trait with the same spelling', () => {
  const both = [...traits, { name: 'Strength', analyte: 'total thc', isArchived: false }]
  const [row] = rowsOfSample(
    certificate.samples[0] as never,
    { plantId: '8-0', testedOn: '2026-11-06' },
    { lab: '', samplePosition: '' },
    both,
    [],
  )
  expect(row).toMatchObject({ analyte: 'total thc', traitNames: ['Strength'] })
})

it('leaves out results that are already recorded or deselected, and samples without a plant or a day', () => {
  const [first, second] = firstChoices(certificate, plants) as [never, { plantId: string; testedOn: string; leftOut: Set<string> }]
  const choices = [
    { ...(first as object), leftOut: new Set(['CBN']) },
    { ...second, plantId: '9-1' },
  ] as never
  expect(resultsToSave(certificate, choices, about, traits, [recorded({})]).map(({ analyte }) => analyte)).toEqual(['myrcene'])
  expect(resultsToSave(certificate, choices, about, traits, [recorded({ testedOn: '2026-11-05' })])).toHaveLength(2)
  const other = [recorded({ samplePosition: 'Bottom' }), recorded({ samplePosition: 'Top', analyte: 'myrcene' })]
  expect(resultsToSave(certificate, choices, about, traits, other).map(({ analyte }) => analyte)).toEqual(['THC'])
})
