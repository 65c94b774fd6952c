import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { findRequestErrors } from '#tests/support/brapi.ts'
import { shareHunt } from '#tests/support/hunts.ts'
import { asKey, makePersonKey } from '#tests/support/keys.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

/** A program reads a full hunt over BrAPI and writes it as a new one. Both are then compared as documents. */

type Row = Record<string, unknown>
type Document = Record<string, Row[]> & { hunt: Row }

let test: TestApp
let owner: TestPerson
let friend: TestPerson
let key: string
let source: string
let copy: string

const base = '/api/brapi/v2'

beforeAll(async () => {
  test = await startTestApp({ startsAt: new Date('2026-12-01T12:00:00Z') })
  owner = await test.signUp()
  friend = await test.signUp()
  key = (await makePersonKey(test, owner)).secret
  source = await addFullHunt()
  copy = await copied(source)
})
afterAll(() => test?.close())

async function made(method: 'POST' | 'PATCH' | 'PUT', url: string, body: object, as = owner): Promise<Row> {
  const answer = await test.request(method, url, as, body)
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
  return answer.json() as Row
}

async function addFullHunt(): Promise<string> {
  const hunt = await made('POST', '/api/pheno-hunts', {
    ...{ huntName: 'Lime Haze F2', breeders: ['Ann', 'Bo'], seedCount: 0, growEnvironment: 'Two tents', goals: 'Loud lime' },
    ...{ germinationDate: '2026-01-05', plantLimit: 12 },
  })
  const at = `/api/pheno-hunts/${hunt.id}`
  const lot = await made('POST', `${at}/seed-lots`, {
    ...{ mother: 'Lime', father: 'Haze', generation: 'F2', breeder: 'Ann', seedType: 'feminized', seedCount: 12, source: 'Own' },
  })
  const bag = await made('POST', `${at}/seed-lots`, { generation: 'bag', breeder: 'Unknown', seedCount: 3, source: 'A bag' })
  const seeds = (count: number, more: object) => made('POST', `${at}/seeds`, { count, ...more })
  const { genotypes } = (await seeds(4, { seedLotId: lot.id, startedOn: '2026-01-05' })) as { genotypes: Row[] }
  await seeds(1, { seedLotId: bag.id })
  await seeds(1, { kind: 'check' })
  const [one, two, three, four] = genotypes as [Row, Row, Row, Row]
  const selfed = await made('POST', `${at}/seed-lots`, { motherGenotypeId: one.id, isSelfed: true, generation: 'S1' })
  await seeds(1, { seedLotId: selfed.id })
  await made('PATCH', `/api/genotypes/${one.id}`, { label: 'Loud one', sex: 'female', notes: 'Sticky', version: one.version })
  await made('PATCH', `/api/genotypes/${three.id}`, { sex: 'male', version: three.version })
  const { plants: clones } = (await made('POST', `${at}/clones`, {
    ...{ cuts: [{ genotypeId: one.id, count: 2 }], cutOn: '2026-02-20', rootedOn: '2026-03-02' },
  })) as { plants: Row[] }
  const plantOf = (genotype: Row) => (genotype.plants as Row[])[0] as Row
  await made('PATCH', `/api/plants/${clones[0]?.id}`, { isMother: true, notes: 'The mother', version: 1 })
  const listed = (await test.request('GET', `${at}/genotypes?limit=500`, owner)).json() as Row[]
  const checkGenotypeId = listed.find((each) => each.kind === 'check')?.id
  const run = await made('POST', `${at}/runs`, {
    ...{ name: 'Run 1', room: 'Tent A', medium: 'Coco', light: '400 W LED', startedOn: '2026-01-10', floweredOn: '2026-02-25' },
    ...{ endedOn: '2026-05-01', benchRows: 2, benchColumns: 3, checkGenotypeId },
  })
  const next = await made('POST', `${at}/runs`, { name: 'Run 2', startedOn: '2026-05-10' })
  await made('PUT', `/api/runs/${run.id}/placements`, {
    placements: [
      { plantId: plantOf(one).id, row: 1, column: 2 },
      { plantId: plantOf(two).id, row: 2, column: 1 },
      { plantId: plantOf(four).id, row: null, column: null },
    ],
  })
  await made('PUT', `/api/runs/${next.id}/placements`, {
    placements: [plantOf(one), clones[0] as Row].map(({ id }) => ({ plantId: id, row: null, column: null })),
  })
  const words = ['citrus', 'gas', 'mold'].map((label, value) => ({ value, label }))
  const steps = [
    { value: 1, label: 'weak' },
    { value: 5, label: 'loud' },
  ]
  const trait = (name: string, kind: string, more: object = {}) => made('POST', `${at}/traits`, { name, kind, ...more })
  const scored = { direction: 'target', low: 1, high: 5, target: 4, weight: 3, heritability: 0.4 }
  const aroma = await trait('Aroma', 'ordinal', { options: steps, ...scored, fromStage: 'flower', toStage: 'curing' })
  const stretch = await trait('Stretch', 'number', { unit: 'cm', must: { min: null, max: 120, not: [] }, isExpert: true })
  const pistils = await trait('Pistils', 'date')
  const smell = await trait('Smell', 'category', { options: words, must: { min: null, max: null, not: [2] } })
  const flaws = await trait('Flaws', 'checks', { options: words })
  await trait('THC', 'number', { source: 'lab', analyte: 'THC', unit: '%', direction: 'max', low: 10, high: 30, weight: 1 })
  await trait('Height', 'number', { source: 'log_height' })
  const old = await trait('Old', 'number')
  await made('PATCH', `/api/traits/${old.id}`, { isArchived: true, version: old.version })
  const see = (as: TestPerson, rows: object[]) =>
    made('POST', `${at}/observations`, { observations: rows.map((row) => ({ id: newId(), ...row })) }, as)
  const on = (genotype: Row, of: Row, day: string, value: object, more: object = {}) => ({
    ...{ plantId: plantOf(genotype).id, traitId: of.id, observedOn: day, value, ...more },
  })
  const wrong = newId()
  await see(owner, [
    on(one, aroma, '2026-03-01', { kind: 'number', number: 5 }, { note: 'Second sniff', isBlind: true }),
    on(two, stretch, '2026-03-02', { kind: 'number', number: 41.5 }),
    on(one, pistils, '2026-03-03', { kind: 'date', date: '2026-02-28' }),
    on(two, smell, '2026-03-04', { kind: 'options', options: [1] }),
    on(four, flaws, '2026-03-05', { kind: 'options', options: [0, 2] }),
    { ...on(two, aroma, '2026-03-06', { kind: 'number', number: 1 }), id: wrong },
  ])
  await see(owner, [{ ...on(two, aroma, '2026-03-06', { kind: 'number', number: 5 }), correctsId: wrong }])
  await shareHunt(test.db, hunt.id as string, friend.user.id, 'write')
  await see(friend, [on(one, aroma, '2026-05-20', { kind: 'number', number: 1 })])
  const log = { plantId: plantOf(one).id, loggedOn: '2026-02-01', heightCm: 33 }
  await made('POST', '/api/grow-logs', { huntId: hunt.id, ...log })
  await made('POST', `${at}/harvests`, {
    ...{ harvests: [{ plantId: plantOf(two).id, harvestedOn: '2026-04-30', dryGrams: 55 }], confirmLastCopies: ['#2'] },
  })
  const tested = { plantId: plantOf(two).id, lab: 'Lab One', testedOn: '2026-05-20', samplePosition: 'top' }
  await made('POST', `${at}/lab-results`, {
    results: [
      { ...tested, analyte: 'THC', value: 24.5, quantificationLimit: 0.1 },
      { ...tested, analyte: 'Δ9-THC (total)', value: 23, unit: 'mg/g' },
      { ...tested, analyte: 'CBN', value: null, quantificationLimit: 0.05 },
      { ...tested, samplePosition: '', analyte: 'THC', value: 21 },
    ],
  })
  await made('POST', `${at}/plants/end`, {
    plantIds: [plantOf(three).id],
    endedHow: 'culled',
    endedOn: '2026-03-10',
    confirmLastCopies: ['#3'],
  })
  await made('POST', `${at}/plants/end`, { plantIds: [plantOf(one).id], endedHow: 'given_away', endedOn: '2026-06-01' })
  await made('POST', `${at}/decisions`, { decisions: [{ id: newId(), genotypeId: one.id }], kind: 'keep', reason: 'Best nose' })
  await made('POST', `${at}/tasks`, { title: 'Water', dueOn: '2026-12-02' })
  await made('PUT', `${at}/climate/targets/flower/vpdKpa`, { low: 1.2, high: 1.6 })
  return hunt.id as string
}

const read = async (url: string): Promise<Row[]> => {
  const answer = await asKey(test, key, { url: `${base}/${url}` })
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
  return (answer.json() as { result: { data: Row[] } }).result.data
}

async function sent(method: 'POST' | 'PUT', service: string, payload: object): Promise<Row[]> {
  const answer = await asKey(test, key, { method, url: `${base}/${service}`, payload })
  if (answer.statusCode !== 200) throw new Error(`${method} ${service}: ${answer.statusCode} ${answer.body}`)
  const { result, metadata } = answer.json() as { result: Row & { data?: Row[] }; metadata: { status: { message: string }[] } }
  warnings.push(...metadata.status.map(({ message }) => message))
  return result.data ?? [result]
}
const warnings: string[] = []

async function copied(trial: string): Promise<string> {
  const newIds = new Map<string, string>()
  const translated = (row: Row): Row => {
    const old = [...newIds].reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(row))
    return JSON.parse(old) as Row
  }
  async function copyAll(service: string, idName: string, schema: string, change = (row: Row) => row, only = (_row: Row) => true) {
    const rows = (await read(`${service}?trialDbId=${trial}`)).filter(only)
    const requests = rows.map((row) => {
      const { [idName]: id, ...rest } = translated(change(row))
      return { ...rest, externalReferences: [{ referenceSource: 'Round trip', referenceId: String(row[idName] ?? id) }] }
    })
    for (const request of requests) expect(findRequestErrors(schema, request)).toEqual([])
    const created = await sent('POST', service, requests)
    expect(created).toHaveLength(rows.length)
    for (const [i, row] of created.entries()) newIds.set(rows[i]?.[idName] as string, row[idName] as string)
    expect((await sent('POST', service, requests)).map((row) => row[idName])).toEqual(created.map((row) => row[idName]))
    return rows
  }
  await copyAll('trials', 'trialDbId', 'TrialNewRequest')
  await copyAll('variables', 'observationVariableDbId', 'ObservationVariableNewRequest')
  // Parents that are phenotypes are copied later, so crosses refer to them by name.
  const byName = (parent: unknown) => parent && { ...(parent as Row), germplasmDbId: undefined }
  const crosses = await copyAll('crosses', 'crossDbId', 'CrossNewRequest', (row) => ({ ...row, parent1: byName(row.parent1) }))
  await copyAll('seedlots', 'seedLotDbId', 'SeedLotNewRequest')
  await copyAll('germplasm', 'germplasmDbId', 'GermplasmNewRequest')
  await sent('PUT', 'crosses', Object.fromEntries(crosses.map((row) => [newIds.get(row.crossDbId as string), translated(row)])))
  const studies = (await read(`studies?trialDbId=${trial}`)).filter((study) => study.studyDbId !== trial)
  const runs = await sent(
    'POST',
    'studies',
    studies.map((study) => ({ ...translated(study), studyDbId: undefined })),
  )
  for (const [i, study] of runs.entries()) newIds.set(studies[i]?.studyDbId as string, study.studyDbId as string)
  // Clones are copied after the plants they were cut from, and plants end once all of them exist.
  const isClone = (row: Row) => String(row.observationUnitName).includes('-')
  const living = (row: Row) => ({ ...row, additionalInfo: { ...(row.additionalInfo as Row), endedHow: undefined, endedOn: undefined } })
  for (const wanted of [false, true]) {
    const only = (row: Row) => isClone(row) === wanted
    await copyAll('observationunits', 'observationUnitDbId', 'ObservationUnitNewRequest', living, only)
  }
  const all = await read(`observationunits?trialDbId=${trial}`)
  const isAlive = (row: Row) => !(row.additionalInfo as Row).endedHow
  const ended = all.filter((row) => !isAlive(row))
  const confirmed = (row: Row) => {
    const isLast = !all.some((other) => other.germplasmDbId === row.germplasmDbId && isAlive(other))
    return { ...row, additionalInfo: { ...(row.additionalInfo as Row), ...(isLast && { confirmLastCopy: row.observationUnitName }) } }
  }
  const withNewId = (row: Row) => [newIds.get(row.observationUnitDbId as string), translated(confirmed(row))]
  await sent('PUT', 'observationunits', Object.fromEntries(ended.map(withNewId)))
  for (const { studyDbId } of studies) {
    const units = await read(`observationunits?studyDbId=${studyDbId}`)
    await sent(
      'PUT',
      'observationunits',
      Object.fromEntries(units.map((unit) => [newIds.get(unit.observationUnitDbId as string), translated(unit)])),
    )
  }
  const values = (await read(`observations?trialDbId=${trial}`)).filter((row) => !String(row.observationDbId).includes('.'))
  await sent(
    'POST',
    'observations',
    values.map((row) => translated(row)),
  )
  const samples = (await read(`samples?trialDbId=${trial}`)).map(({ sampleDbId: _, ...row }) => translated(row))
  await sent('POST', 'samples', samples)
  return newIds.get(trial) as string
}

/** A hunt's document, with references replaced by names that are the same in both hunts. */
async function documentOf(id: string): Promise<Document> {
  const answer = await test.request('GET', `/api/pheno-hunts/${id}/export.json`, owner)
  const document = answer.json() as Document
  const nameOf = {
    genotype: (i: number) => `#${document.genotypes?.[i]?.number}`,
    plant: (i: number) => `${nameOf.genotype(document.plants?.[i]?.genotype as number)}-${document.plants?.[i]?.copy}`,
    run: (i: number) => document.runs?.[i]?.name,
    trait: (i: number) => document.traits?.[i]?.name,
    seedLot: (i: number) => document.seedLots?.[i]?.generation,
  }
  const references: Record<string, (i: number) => unknown> = {
    ...nameOf,
    ...{ motherGenotype: nameOf.genotype, fatherGenotype: nameOf.genotype, checkGenotype: nameOf.genotype, cutFrom: nameOf.plant },
  }
  const told = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([field, value]) => [
        field,
        references[field] && typeof value === 'number' ? references[field](value) : value,
      ]),
    )
  const lists = Object.entries(document).flatMap(([list, rows]) =>
    Array.isArray(rows) ? [[list, rows.map((row) => told(row)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))]] : [],
  )
  return { ...Object.fromEntries(lists), hunt: document.hunt } as Document
}

/** Lists that BrAPI can't represent. */
const lostLists: Record<string, string> = {
  decisions: 'A decision has a reason and ends plants. It can be read in additionalInfo, but is made in the app.',
  growLogs: 'Their heights and ratings are read as values. BrAPI has no notes, stages or environment of a plant’s day.',
  harvests: 'Their weights are read as values. A harvest ends its plant under rules of its own.',
  tasks: 'BrAPI has no tasks.',
  climateTargets: 'BrAPI has no climate of a room.',
}

/** Fields that BrAPI can't represent, with their values in the copy. */
const lostFields: Record<string, Record<string, unknown>> = {
  // The plant limit is set by law where the grower lives.
  hunt: { plantLimit: null },
  genotypes: { standing: null },
  plants: { endedByDecision: null },
  // A copied value has the time of the copy, and its observer is the person whose key was used.
  observations: { recordedAt: null, corrects: null, scorer: null },
}

const without = (list: string, rows: readonly Row[]): Row[] =>
  rows.map((row) => ({ ...row, ...lostFields[list] })).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

it('preserves everything that BrAPI can represent', async () => {
  const [before, after] = [await documentOf(source), await documentOf(copy)]
  expect(without('hunt', [after.hunt])).toEqual(without('hunt', [before.hunt]))
  const lists = Object.keys(before).filter((list) => list !== 'hunt')
  for (const list of lists) {
    if (list in lostLists) continue
    const current = (before[list] ?? []).filter((row) => row.isCurrent !== false)
    expect(without(list, after[list] ?? []), list).toEqual(without(list, current))
  }
  // The comparison would also pass if these lists were empty.
  for (const list of ['seedLots', 'genotypes', 'plants', 'runs', 'placements', 'traits', 'observations', 'labResults']) {
    expect(before[list]?.length, list).toBeGreaterThan(1)
  }
})

it('doesn’t copy decisions, grow logs, harvests, tasks, climate targets, the plant limit, or corrected values', async () => {
  const [before, after] = [await documentOf(source), await documentOf(copy)]
  for (const list of Object.keys(lostLists)) {
    expect(before[list]?.length, list).toBeGreaterThan(0)
    expect(after[list], list).toEqual([])
  }
  expect([before.hunt.plantLimit, after.hunt.plantLimit]).toEqual([12, null])
  const historyOf = (document: Document) => document.observations?.filter((row) => row.isCurrent === false).length
  expect([historyOf(before), historyOf(after)]).toEqual([1, 0])
  expect(new Set(warnings)).toEqual(new Set(['access', 'decision', 'number'].map((name) => `additionalInfo.${name} is read-only.`)))
})

it('records the key’s owner as the observer of every score', async () => {
  const collectors = async (id: string) => new Set((await read(`observations?trialDbId=${id}`)).map((row) => row.uploadedBy))
  expect(await collectors(source)).toEqual(new Set([owner.user.id, friend.user.id, undefined]))
  expect(await collectors(copy)).toEqual(new Set([owner.user.id, undefined]))
})

it('assigns each score to the same run', async () => {
  const runsOf = async (id: string) => {
    const studies = new Map((await read(`studies?trialDbId=${id}`)).map((row) => [row.studyDbId, row.studyName]))
    const values = (await read(`observations?trialDbId=${id}`)).filter((row) => !String(row.observationDbId).includes('.'))
    return values.map((row) => `${row.observationUnitName} ${row.observationVariableName} ${studies.get(row.studyDbId)}`).sort()
  }
  expect(await runsOf(copy)).toEqual(await runsOf(source))
  expect((await runsOf(copy)).some((text) => text.endsWith('Run 2'))).toBe(true)
})

it('preserves a cross’s parents that are in another hunt, unless they are renamed', async () => {
  const [parent] = (await test.request('GET', `/api/pheno-hunts/${source}/genotypes?limit=500`, owner)).json() as Row[]
  const hunt = await made('POST', '/api/pheno-hunts', { huntName: 'Lime Haze F3' })
  const at = `/api/pheno-hunts/${hunt.id}/seed-lots`
  const lots = [
    await made('POST', at, { mother: 'Loud one', motherGenotypeId: parent?.id, father: 'Haze', generation: 'F3' }),
    await made('POST', at, { mother: 'Lime', father: 'Loud one', fatherGenotypeId: parent?.id }),
    await made('POST', at, { motherGenotypeId: parent?.id, isSelfed: true }),
  ]
  const parents = async () => {
    const listed = (await test.request('GET', at, owner)).json() as Row[]
    return Object.fromEntries(listed.map((lot) => [lot.id, [lot.mother, lot.motherGenotypeId, lot.father, lot.fatherGenotypeId]]))
  }
  const before = await parents()
  expect(
    Object.values(before)
      .flat()
      .filter((each) => each === parent?.id),
  ).toHaveLength(3)
  const crosses = await read(`crosses?trialDbId=${hunt.id}`)
  const put = (change: (row: Row) => Row) => sent('PUT', 'crosses', Object.fromEntries(crosses.map((row) => [row.crossDbId, change(row)])))
  await put((row) => row)
  expect(await parents()).toEqual(before)
  await put((row) => (row.crossDbId === lots[0]?.id ? { ...row, parent1: { ...(row.parent1 as Row), germplasmName: 'Lime' } } : row))
  expect(await parents()).toEqual({ ...before, [lots[0]?.id as string]: ['Lime', null, 'Haze', null] })
})

it('changes only those parents of a cross that are sent', async () => {
  const lot = { crossingProjectDbId: source, parent1: { germplasmName: 'Lime', parentType: 'FEMALE' }, parent2: { germplasmName: 'Haze' } }
  const [cross] = await sent('POST', 'crosses', [lot])
  const parents = async (change: object) => {
    const [row] = await sent('PUT', 'crosses', { [cross?.crossDbId as string]: change })
    return [row?.parent1, row?.parent2].map((parent) => (parent as Row | undefined)?.germplasmName)
  }
  expect(await parents({})).toEqual(['Lime', 'Haze'])
  expect(await parents({ parent1: { germplasmName: 'Kush' } })).toEqual(['Kush', 'Haze'])
  expect(await parents({ parent2: { germplasmName: 'Skunk' } })).toEqual(['Kush', 'Skunk'])
  expect(await parents({ parent1: { germplasmName: 'Diesel', parentType: 'MALE' } })).toEqual(['Kush', 'Diesel'])
  expect(await parents({ parent2: null })).toEqual(['Kush', undefined])
})

it('changes only those bounds of a must that are sent', async () => {
  const [variable] = await sent('POST', 'variables', [
    {
      ...{ observationVariableName: 'Stretch', scale: { dataType: 'Numerical' } },
      additionalInfo: { trialDbId: source, mustMin: '1', mustMax: '3' },
    },
  ])
  const bounds = async (additionalInfo: object) => {
    const [row] = (await sent('PUT', `variables/${variable?.observationVariableDbId}`, { additionalInfo })) as [Row]
    const { mustMin, mustMax } = row.additionalInfo as Row
    return [mustMin, mustMax]
  }
  expect([await bounds({ mustMax: '4' }), await bounds({ mustMin: '' })]).toEqual([
    ['1', '4'],
    [undefined, '4'],
  ])
})
