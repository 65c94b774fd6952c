import { below, oneOf, type Random } from '#bench/random.ts'
import { brapiRoutes } from '#server/features/brapi/index.ts'
import { sensorRoutes } from '#server/features/climate/index.ts'
import { newId } from '#server/kernel/ids.ts'
import type { HuntWorld } from './hunt-world.ts'

/** Calls outside the contract that programs make with keys: BrAPI's and the one for sensors. */

export type KeyCall = { route: string; method: 'GET' | 'POST' | 'PUT'; path: string; service: string }
type Body = { [name: string]: unknown }

const base = '/api/brapi/v2/'

export const keyCalls: readonly KeyCall[] = [...brapiRoutes, ...sensorRoutes].map((route) => {
  const [method, path = ''] = route.split(' ') as [KeyCall['method'], string]
  return { route, method, path, service: path.replace(base, '').replace('/:id', '') }
})

/** A valid entry for each writable service, about a hunt that the person may edit. */
const entries: Record<string, (hunt: HuntWorld, photoTrait: string) => Body> = {
  trials: () => ({
    ...{ trialName: 'Lime Haze', trialDescription: 'Loud lime', startDate: '2026-01-05', active: true },
    additionalInfo: { breeders: 'Ann, Bo', growEnvironment: 'Two tents' },
  }),
  studies: ({ hunt, ids }) => ({
    ...{ studyName: 'Run 1', trialDbId: hunt, startDate: '2026-01-10T12:00:00Z', endDate: '2026-05-01', locationName: 'Tent A' },
    ...{ culturalPractices: 'Coco', growthFacility: { description: 'Tent A' } },
    additionalInfo: { light: '400 W', floweredOn: '2026-02-25', checkGermplasmDbId: ids.genotypes, benchRows: '2', benchColumns: '3' },
  }),
  crosses: ({ hunt, ids }) => ({
    ...{ crossingProjectDbId: hunt, crossType: 'BIPARENTAL', parent1: { germplasmDbId: ids.genotypes, parentType: 'FEMALE' } },
    ...{
      parent2: { germplasmName: 'Haze', parentType: 'MALE' },
      additionalInfo: { generation: 'F1', breeder: 'Ann', seedType: 'regular' },
    },
  }),
  seedlots: ({ hunt, ids }) => ({
    ...{ seedLotName: 'Bag', amount: 3, sourceCollection: 'Own', contentMixture: [{ crossDbId: ids['seed-lots'] }] },
    additionalInfo: { trialDbId: hunt, generation: 'F2', breeder: 'Ann', seedType: 'feminized' },
  }),
  germplasm: ({ hunt, ids }) => ({
    ...{ germplasmName: 'Lime 7', defaultDisplayName: 'Loud one', synonyms: [{ synonym: 'Loud' }] },
    additionalInfo: { trialDbId: hunt, seedLotDbId: ids['seed-lots'], sex: 'female', notes: 'Sticky' },
  }),
  observationunits: ({ ids }) => ({
    ...{ germplasmDbId: ids.genotypes, studyDbId: ids.runs },
    observationUnitPosition: {
      ...{ positionCoordinateX: '1', positionCoordinateY: '1' },
      observationLevelRelationships: [{ levelName: 'rep', levelCode: '1' }],
    },
    additionalInfo: {
      ...{ cutFromDbId: ids.plants, cutOn: '2026-02-20', rootedOn: '2026-03-02', startedOn: '2026-01-05', isMother: 'true' },
      ...{ notes: 'Tall', endedHow: '', endedOn: '2026-03-10', confirmLastCopy: '#1' },
    },
  }),
  variables: ({ hunt }) => ({
    ...{ observationVariableName: 'Smell', status: 'active', growthStage: 'flower', trait: { traitName: 'Smell', attribute: 'THC' } },
    scale: { scaleName: 'Smell', dataType: 'Nominal', units: '', validValues: { categories: [{ label: 'citrus' }, { label: 'gas' }] } },
    additionalInfo: {
      ...{ trialDbId: hunt, direction: 'none', low: '1', high: '5', target: '4', weight: '3', heritability: '0.4' },
      ...{ toStage: 'curing', isExpert: 'false', mustMin: '', mustMax: '', mustNot: 'gas' },
    },
  }),
  samples: ({ ids }) => ({
    ...{ observationUnitDbId: ids.plants, sampleTimestamp: '2026-04-01T10:00:00Z', sampleDescription: 'top' },
    additionalInfo: { lab: 'Lab One', 'THC (%)': '24.5 (LOQ 0.1)', 'CBD (%)': '<0.05' },
  }),
  observations: ({ ids }) => ({
    ...{ observationUnitDbId: ids.plants, observationVariableDbId: ids.traits, observationTimeStamp: '2026-03-01T15:04:05-07:00' },
    ...{ value: 'fuzz', additionalInfo: { note: 'Second sniff', isBlind: 'true' } },
  }),
  images: ({ ids }, photoTrait) => ({
    ...{ observationUnitDbId: ids.plants, imageName: 'Bud', imageFileName: 'bud.jpg', mimeType: 'image/jpeg' },
    ...{ imageTimeStamp: '2026-03-01T15:04:05Z', descriptiveOntologyTerms: [photoTrait] },
  }),
}

const filterNames = [
  ...['page', 'pageSize', 'commonCropName', 'programDbId', 'trialDbId', 'trialName', 'studyDbId', 'studyName', 'active', 'seasonDbId'],
  ...['germplasmDbId', 'germplasmName', 'seedLotDbId', 'crossDbId', 'crossingProjectDbId', 'observationUnitDbId', 'observationUnitName'],
  ...['observationUnitLevelName', 'observationLevel', 'includeObservations', 'observationVariableDbId', 'observationVariableName'],
  ...['traitDbId', 'methodDbId', 'scaleDbId', 'observationDbId', 'observationTimeStampRangeStart', 'observationTimeStampRangeEnd'],
  ...['sampleDbId', 'imageDbId'],
]

const reading = () => ({ time: '2026-03-01T12:00:00Z', temperature: 25.3, humidity: '58', leafTemperature: 24, co2: 900, unit: 'C' })

/** A call's address, mostly with an existing ID, and a valid body or null. A POST has up to three entries, and a PUT names its entry. */
export function keyCallParts(random: Random, { method, path, service }: KeyCall, hunt: HuntWorld, photoTrait: string) {
  const all = [hunt.hunt, ...Object.values(hunt.ids)]
  const ofService: Record<string, string | undefined> = {
    ...{ trials: hunt.hunt, studies: hunt.ids.runs, crosses: hunt.ids['seed-lots'], seedlots: hunt.ids['seed-lots'] },
    ...{ germplasm: hunt.ids.genotypes, observationunits: hunt.ids.plants, variables: hunt.ids.traits, samples: hunt.ids['lab-results'] },
    ...{ observations: hunt.ids.observations, images: hunt.media[1] },
    'images/imagecontent': [newId(), hunt.ids.plants, photoTrait, '2026-11-20'].join('.'),
  }
  const id = random() < 0.8 ? (ofService[service] ?? hunt.ids.traits ?? '') : oneOf(random, [...all, newId(), 'none', '\0'])
  const address = path.replace(':id', encodeURIComponent(id))
  if (service.startsWith('search/')) {
    const names = filterNames.filter(() => random() < 0.15)
    return { address, body: { trialDbIds: [hunt.hunt], ...Object.fromEntries(names.map((name) => [`${name}s`, [oneOf(random, all)]])) } }
  }
  if (method === 'GET') {
    const names = filterNames.filter(() => random() < 0.1)
    const values = ['0', '1', 'true', '2026-03-01', 'NaN', '9'.repeat(30), '\0', ...all]
    const query = names.map((name) => `${name}=${encodeURIComponent(oneOf(random, values))}`).join('&')
    return { address: `${address}${query ? '?' : ''}${query}`, body: null }
  }
  if (path === '/api/sensor-readings') {
    return { address, body: oneOf(random, [reading(), [reading(), reading()], { readings: [reading()] }]) }
  }
  const entry = entries[service]
  if (!entry) {
    if (service !== 'images/imagecontent') throw new Error(`Add a valid entry of ${service} to tests/support/fuzz-key-calls.ts.`)
    return { address, body: null }
  }
  const made = (): Body => ({
    ...entry(hunt, photoTrait),
    ...(random() < 0.5 && { externalReferences: [{ referenceSource: 'Fuzz', referenceId: String(below(random, 5)) }] }),
  })
  if (method === 'POST') return { address, body: Array.from({ length: 1 + below(random, 3) }, made) }
  return { address, body: path.includes(':id') ? made() : { [id]: made() } }
}
