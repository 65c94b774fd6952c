import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { findResponseErrors } from '#tests/support/brapi.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { asKey, makePersonKey } from '#tests/support/keys.ts'
import { pictureWithSecrets } from '#tests/support/pictures.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

type Row = Record<string, unknown>
type Answer = { metadata: { status: { message: string }[] }; result: Row & { data: Row[] } }

let test: TestApp
let owner: TestPerson
let keys: Record<'owner' | 'writer' | 'viewer' | 'stranger' | 'reading', string>
let huntId: string
let writer: TestPerson
let viewer: TestPerson

const base = '/api/brapi/v2'

beforeAll(async () => {
  test = await startTestApp({ startsAt: new Date('2026-12-01T12:00:00Z') })
  owner = await test.signUp()
  writer = await test.signUp()
  viewer = await test.signUp()
  const stranger = await test.signUp()
  const keyOf = async (person: TestPerson, fields: object = {}) => (await makePersonKey(test, person, fields)).secret
  keys = {
    ...{ owner: await keyOf(owner), writer: await keyOf(writer), viewer: await keyOf(viewer), stranger: await keyOf(stranger) },
    reading: await keyOf(owner, { name: 'Reads', scopes: ['hunts:read'] }),
  }
})
afterAll(() => test?.close())
beforeEach(async () => {
  huntId = (await addHunt(test.db, owner.user.id)).id
  await shareHunt(test.db, huntId, writer.user.id, 'write')
  await shareHunt(test.db, huntId, viewer.user.id, 'view')
})

const send = (method: 'POST' | 'PUT', service: string, payload: object, secret = keys.owner) =>
  asKey(test, secret, { method, url: `${base}/${service}`, payload })

async function written(method: 'POST' | 'PUT', service: string, payload: object, secret = keys.owner): Promise<Row[]> {
  const answer = await send(method, service, payload, secret)
  if (answer.statusCode !== 200) throw new Error(`${service}: ${answer.statusCode} ${answer.body}`)
  const described = service.replace(/\/.*/, method === 'PUT' && service.includes('/') ? '/{id}' : '')
  if (!described.startsWith('samples')) expect(findResponseErrors(described, answer.json())).toEqual([])
  const { result } = answer.json() as Answer
  return result.data ?? [result]
}
const inTrial = (more: object = {}) => ({ additionalInfo: { trialDbId: huntId, ...more } })
const reference = (referenceId: string) => ({ externalReferences: [{ referenceSource: 'Test', referenceId }] })
const germplasm = (more: object = {}) => ({
  ...{ commonCropName: 'Cannabis', germplasmName: 'Lime 7', germplasmPUI: 'urn:x', ...inTrial(), ...more },
})
const variable = (more: object = {}) => ({
  ...{ observationVariableName: 'Vigor', trait: { traitName: 'Vigor' }, method: { methodName: 'Looking' } },
  ...{ scale: { scaleName: 'cm', dataType: 'Numerical', units: 'cm' }, ...inTrial(), ...more },
})
const countOf = async (table: 'genotypes' | 'traits' | 'runs' | 'plants' | 'seed_lots' | 'lab_results') =>
  (await test.db.selectFrom(table).select('id').where('hunt_id', '=', huntId).execute()).length

describe('a key', () => {
  /** A write to every service, by what it does. Creating trials is tested separately. */
  const writes = async (): Promise<Record<string, [method: 'POST' | 'PUT', service: string, payload: object]>> => {
    const [plant] = await addPlants(test.db, huntId, 1)
    const [trait, run, lot, result] = [newId(), newId(), newId(), newId()]
    await test.db.insertInto('traits').values({ id: trait, hunt_id: huntId, name: 'Old', kind: 'number' }).execute()
    await test.db.insertInto('runs').values({ id: run, hunt_id: huntId, name: 'Run' }).execute()
    await test.db.insertInto('seed_lots').values({ id: lot, hunt_id: huntId, mother: 'Lime' }).execute()
    await test.db
      .insertInto('lab_results')
      .values({ id: result, hunt_id: huntId, plant_id: plant?.id as string, tested_on: '2026-03-01', analyte: 'THC', value: 20 })
      .execute()
    const unit = { germplasmDbId: plant?.genotypeId }
    return {
      'change a trial': ['PUT', `trials/${huntId}`, { trialDescription: 'Changed' }],
      'create a study': ['POST', 'studies', [{ studyName: 'Run 1', trialDbId: huntId }]],
      'change a study': ['PUT', `studies/${run}`, { studyName: 'Run 2' }],
      'create a cross': ['POST', 'crosses', [{ crossingProjectDbId: huntId, parent1: { germplasmName: 'Lime' } }]],
      'change a cross': ['PUT', 'crosses', { [lot]: { parent1: { germplasmName: 'Haze' } } }],
      'create a seed lot': ['POST', 'seedlots', [{ seedLotName: 'Bag', amount: 3, ...inTrial() }]],
      'change a seed lot': ['PUT', `seedlots/${lot}`, { amount: 4 }],
      'create germplasm': ['POST', 'germplasm', [germplasm()]],
      'change germplasm': ['PUT', `germplasm/${plant?.genotypeId}`, germplasm()],
      'create a unit': ['POST', 'observationunits', [{ ...unit, additionalInfo: { cutFromDbId: plant?.id, cutOn: '2026-03-01' } }]],
      'change a unit': ['PUT', `observationunits/${plant?.id}`, { additionalInfo: { isMother: 'true' } }],
      'change units': ['PUT', 'observationunits', { [plant?.id as string]: { additionalInfo: { notes: 'Tall' } } }],
      'create a variable': ['POST', 'variables', [variable()]],
      'change a variable': ['PUT', `variables/${trait}`, { observationVariableName: 'New' }],
      'create a sample': [
        'POST',
        'samples',
        [{ observationUnitDbId: plant?.id, sampleTimestamp: '2026-04-01', additionalInfo: { 'CBD (%)': '1' } }],
      ],
      'change a sample': ['PUT', `samples/${result}`, { additionalInfo: { lab: 'Lab One' } }],
    }
  }

  it('lets people write only if they may edit the hunt', async () => {
    const all = Object.entries(await writes())
    for (const [name, [method, service, payload]] of all) {
      const statuses: number[] = []
      for (const secret of [keys.reading, keys.viewer, keys.stranger])
        statuses.push((await send(method, service, payload, secret)).statusCode)
      expect([name, ...statuses]).toEqual([name, 403, 403, 404])
    }
    expect(await countOf('genotypes')).toBe(1)
    for (const [, [method, service, payload]] of all) await written(method, service, payload, keys.writer)
    expect(await Promise.all((['genotypes', 'plants', 'traits', 'runs', 'seed_lots', 'lab_results'] as const).map(countOf))).toEqual([
      ...[2, 3, 2, 2, 3, 2],
    ])
  })

  it('creates trials only for the person who owns the key', async () => {
    const [trial] = await written('POST', 'trials', [{ trialName: 'New', startDate: '2026-05-01', ...reference('1') }], keys.stranger)
    const stored = await test.db
      .selectFrom('hunts')
      .selectAll()
      .where('id', '=', trial?.trialDbId as string)
      .executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ hunt_name: 'New', visibility: 'private', germination_date: '2026-05-01', is_active: true })
    const elsewhere = await send('POST', 'trials', [{ trialName: 'Theirs', programDbId: owner.user.id }], keys.stranger)
    expect(elsewhere.statusCode).toBe(400)
  })

  it('lets only the owner complete a trial', async () => {
    expect((await send('PUT', `trials/${huntId}`, { active: false }, keys.writer)).statusCode).toBe(403)
    const [trial] = await written('PUT', `trials/${huntId}`, { active: false, endDate: '2026-06-01' })
    expect(trial).toMatchObject({ active: false, endDate: '2026-06-01' })
    // A program sends the whole trial back as it read it.
    expect((await written('PUT', `trials/${huntId}`, trial as Row, keys.writer))[0]).toMatchObject({ active: false, endDate: '2026-06-01' })
    expect((await written('PUT', `trials/${huntId}`, { active: true }))[0]).toMatchObject({ active: true })
  })
})

it('writes all entries or none, and names the invalid one', async () => {
  const rows = [variable(), variable({ scale: { scaleName: 'x', dataType: 'Ordinal' }, observationVariableName: 'Aroma' })]
  const answer = await send('POST', 'variables', rows)
  expect([answer.statusCode, answer.body]).toEqual([400, 'Nothing was written. Row 2: options: Add at least two anchors'])
  expect(await countOf('traits')).toBe(0)
  const seeds = await send('POST', 'germplasm', [germplasm(), germplasm({ additionalInfo: { trialDbId: huntId, sex: 'both' } })])
  expect(seeds.statusCode).toBe(400)
  expect([await countOf('genotypes'), await countOf('plants')]).toEqual([0, 0])
  // The refused writes used up no numbers.
  expect((await written('POST', 'germplasm', [germplasm()]))[0]?.additionalInfo).toMatchObject({ number: '1' })
})

it('creates an entry with the same reference once, and returns the reference', async () => {
  const rows = [germplasm(reference('a')), germplasm(reference('b'))]
  const first = await written('POST', 'germplasm', rows)
  expect(first.map(({ externalReferences }) => externalReferences)).toEqual(['a', 'b'].map((id) => reference(id).externalReferences))
  const again = await Promise.all([written('POST', 'germplasm', rows), written('POST', 'germplasm', rows)])
  expect(again.map((each) => each.map((row) => row.germplasmDbId))).toEqual([1, 2].map(() => first.map((row) => row.germplasmDbId)))
  expect(await countOf('genotypes')).toBe(2)
  await written('POST', 'germplasm', [germplasm(), germplasm()])
  expect(await countOf('genotypes')).toBe(4)
})

it('keeps two people’s references separate', async () => {
  const [mine] = await written('POST', 'variables', [variable(reference('a'))])
  const [theirs] = await written('POST', 'variables', [variable(reference('a'))], keys.writer)
  expect(theirs?.observationVariableDbId).not.toBe(mine?.observationVariableDbId)
})

it('changes only the fields sent', async () => {
  const [made] = await written('POST', 'germplasm', [germplasm({ additionalInfo: { trialDbId: huntId, sex: 'female', notes: 'Sticky' } })])
  const [changed] = await written('PUT', `germplasm/${made?.germplasmDbId}`, { additionalInfo: { sex: 'intersex' } })
  expect(changed).toMatchObject({ defaultDisplayName: 'Lime 7', additionalInfo: { sex: 'intersex', notes: 'Sticky' } })
})

it('doesn’t mistake the old name of a renamed run for its room', async () => {
  const [run] = await written('POST', 'studies', [{ studyName: 'Run 1', trialDbId: huntId }])
  expect(await written('PUT', `studies/${run?.studyDbId}`, { ...run, studyName: 'Run 2' })).toMatchObject([{ locationName: 'Run 2' }])
})

it('preserves the meaning of values when a variable’s options are reordered or added', async () => {
  const scale = (labels: string[]) => ({
    scale: { scaleName: 'Smell', dataType: 'Nominal', validValues: { categories: labels.map((label) => ({ value: label, label })) } },
  })
  const [made] = await written('POST', 'variables', [variable(scale(['citrus', 'gas']))])
  const id = made?.observationVariableDbId as string
  const [plant] = await addPlants(test.db, huntId, 1)
  await written('POST', 'observations', [{ observationUnitDbId: plant?.id, observationVariableDbId: id, value: 'gas' }])
  await written('PUT', `variables/${id}`, scale(['earth', 'gas', 'citrus']))
  const values = await asKey(test, keys.owner, { url: `${base}/observations?observationVariableDbId=${id}` })
  expect((values.json() as Answer).result.data.map(({ value }) => value)).toEqual(['gas'])
  const removed = await send('PUT', `variables/${id}`, scale(['earth', 'citrus']))
  expect([removed.statusCode, removed.body]).toEqual([409, '“gas” already has scores, so you can’t remove it. You can rename it.'])
})

it('protects the last living copy as the app does', async () => {
  const [plant] = await addPlants(test.db, huntId, 1)
  const end = (more: object = {}) => ({ additionalInfo: { endedHow: 'culled', endedOn: '2026-03-01', ...more } })
  const refused = await send('PUT', `observationunits/${plant?.id}`, end())
  expect(refused.statusCode).toBe(409)
  expect(
    (
      await test.db
        .selectFrom('plants')
        .select('ended_on')
        .where('id', '=', plant?.id as string)
        .executeTakeFirst()
    )?.ended_on,
  ).toBeNull()
  const [ended] = await written('PUT', `observationunits/${plant?.id}`, end({ confirmLastCopy: '#1' }))
  expect(ended?.additionalInfo).toMatchObject({ endedHow: 'culled', endedOn: '2026-03-01' })
  const [revived] = await written('PUT', `observationunits/${plant?.id}`, { additionalInfo: { endedHow: '' } })
  expect(revived?.additionalInfo).not.toHaveProperty('endedHow')
})

it('swaps plants on a bench in one call, and refuses a position outside the bench', async () => {
  const plants = await addPlants(test.db, huntId, 2)
  const [run] = await written('POST', 'studies', [
    { studyName: 'Run', trialDbId: huntId, additionalInfo: { benchRows: '1', benchColumns: '2' } },
  ])
  const placed = (columns: number[]) =>
    Object.fromEntries(
      plants.map(({ id }, i) => [
        id,
        { studyDbId: run?.studyDbId, observationUnitPosition: { positionCoordinateY: '1', positionCoordinateX: String(columns[i]) } },
      ]),
    )
  await written('PUT', 'observationunits', placed([1, 2]))
  const swapped = await written('PUT', 'observationunits', placed([2, 1]))
  expect(swapped.map((row) => (row.observationUnitPosition as Row).positionCoordinateX)).toEqual(['2', '1'])
  expect((await send('PUT', 'observationunits', placed([2, 3]))).statusCode).toBe(400)
})

it('stores a phenotype’s first unit as its seed plant, and later ones as clones', async () => {
  const [made] = await written('POST', 'germplasm', [germplasm()])
  const unit = { germplasmDbId: made?.germplasmDbId, trialDbId: huntId }
  const [seed] = await written('POST', 'observationunits', [{ ...unit, additionalInfo: { startedOn: '2026-02-01' } }])
  expect(seed).toMatchObject({ observationUnitName: '#1', additionalInfo: { startedOn: '2026-02-01' } })
  const rep = (code: string) => ({ observationUnitPosition: { observationLevelRelationships: [{ levelName: 'rep', levelCode: code }] } })
  const clones = [
    { ...unit, ...rep('1'), additionalInfo: { cutOn: '2026-03-01' }, ...reference('x') },
    { ...unit, ...rep('2'), additionalInfo: { cutOn: '2026-03-01' }, ...reference('y') },
  ]
  const cut = await written('POST', 'observationunits', clones)
  expect(cut.map((row) => row.observationUnitName)).toEqual(['#1-1', '#1-2'])
  expect(await written('POST', 'observationunits', clones)).toEqual(cut)
  expect(await countOf('plants')).toBe(3)
})

it('reads, adds and corrects lab results as samples', async () => {
  const [plant] = await addPlants(test.db, huntId, 1)
  const sample = {
    ...{ observationUnitDbId: plant?.id, sampleTimestamp: '2026-04-01T10:00:00Z', sampleDescription: 'top', ...reference('s') },
    additionalInfo: { lab: 'Lab One', 'THC (%)': '24.5 (LOQ 0.1)', 'CBD (%)': '<0.05' },
  }
  const [made] = await written('POST', 'samples', [sample])
  expect(made).toMatchObject({ sampleName: '#1, Lab One, 2026-04-01, top', additionalInfo: sample.additionalInfo })
  expect(await written('POST', 'samples', [sample])).toEqual([made])
  const fields = ['sampleDbId', 'sampleName', 'sampleType', 'sampleTimestamp', 'sampleDescription', 'observationUnitDbId', 'germplasmDbId']
  expect(Object.keys(made ?? {}).sort()).toEqual([...fields, 'trialDbId', 'programDbId', 'additionalInfo', 'externalReferences'].sort())
  const id = made?.sampleDbId as string
  const [changed] = await written('PUT', `samples/${id}`, {
    sampleDescription: 'bottom',
    additionalInfo: { 'THC (%)': '23', 'CBG (%)': '1.1' },
  })
  expect(changed).toMatchObject({ sampleDescription: 'bottom', additionalInfo: { 'THC (%)': '23', 'CBD (%)': '<0.05', 'CBG (%)': '1.1' } })
  expect(await countOf('lab_results')).toBe(3)
  const list = await asKey(test, keys.viewer, { url: `${base}/samples?observationUnitDbId=${plant?.id}` })
  expect((list.json() as Answer).result.data).toHaveLength(1)
  expect((await asKey(test, keys.stranger, { url: `${base}/samples/${id}` })).statusCode).toBe(404)
  expect((await send('POST', 'samples', [{ observationUnitDbId: plant?.id, sampleTimestamp: '2026-04-01' }])).statusCode).toBe(400)
})

it('refuses JSON of the wrong shape, too many entries, and invalid IDs', async () => {
  const statuses = [
    await send('POST', 'germplasm', { germplasmName: 'x' }),
    await send('POST', 'germplasm', []),
    await send('POST', 'germplasm', [null]),
    await send(
      'POST',
      'germplasm',
      Array.from({ length: 201 }, () => germplasm()),
    ),
    await send('POST', 'germplasm', [{ ...germplasm(), additionalInfo: { trialDbId: 'x' } }]),
    await send('PUT', 'trials/x', { trialName: 'x' }),
    await send('PUT', `studies/${huntId}`, { studyName: 'x' }),
    await send('POST', 'variables', [variable({ scale: { scaleName: 'x', dataType: 'Duration' } })]),
  ].map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400, 400])
  expect(await countOf('genotypes')).toBe(0)
})

it('supports Field Book’s entire sequence of calls', async () => {
  const plants = await addPlants(test.db, huntId, 2)
  const [run] = await written('POST', 'studies', [{ studyName: 'Run 1', trialDbId: huntId, locationName: 'Tent A' }])
  const [aroma] = await written('POST', 'variables', [variable({ observationVariableName: 'Aroma' })])
  await written('PUT', 'observationunits', Object.fromEntries(plants.map(({ id }) => [id, { studyDbId: run?.studyDbId }])))
  const read = async (url: string) => {
    const answer = await asKey(test, keys.owner, { url: `${base}/${url}` })
    expect(answer.statusCode, url).toBe(200)
    return (answer.json() as Answer).result.data
  }
  expect(await read('programs?page=0&pageSize=50')).toMatchObject([{ programDbId: owner.user.id }])
  expect((await read(`trials?programDbId=${owner.user.id}&page=0&pageSize=1000`)).map((row) => row.trialDbId)).toContain(huntId)
  const studies = await read(`studies?trialDbId=${huntId}&commonCropName=Cannabis&page=0&pageSize=50`)
  const study = studies.find((row) => row.studyName === 'Run 1')?.studyDbId
  expect(await read(`observationlevels?studyDbId=${study}`)).toMatchObject([{ levelName: 'plant' }])
  const units = await read(
    `observationunits?studyDbId=${study}&observationUnitLevelName=plant&includeObservations=true&page=0&pageSize=1000`,
  )
  expect(units.map((row) => row.observationUnitName)).toEqual(['#1', '#2'])
  const traits = await read(`variables?studyDbId=${study}&page=0&pageSize=50`)
  expect(traits).toMatchObject([{ observationVariableDbId: aroma?.observationVariableDbId, scale: { dataType: 'Numerical' } }])
  const score = (unit: Row | undefined, value: string, referenceId: string) => ({
    ...{ observationUnitDbId: unit?.observationUnitDbId, observationVariableDbId: traits[0]?.observationVariableDbId, studyDbId: study },
    ...{ observationTimeStamp: '2026-11-20T17:04:05-07:00', collector: 'Ann', value, ...reference(referenceId) },
  })
  const sent = await written('POST', 'observations', [score(units[0], '4', '1'), score(units[1], '5', '2')])
  expect(sent.map((row) => row.externalReferences)).toEqual([reference('1'), reference('2')].map((each) => each.externalReferences))
  const first = sent[0]?.observationDbId as string
  const corrected = await written('PUT', 'observations', { [first]: { ...score(units[0], '3', '1'), observationDbId: first } })
  expect(corrected.map((row) => row.value)).toEqual(['3'])
  const synced = await read(`observations?studyDbId=${study}&page=0&pageSize=50`)
  expect(synced.map((row) => [row.observationUnitName, row.value, row.studyDbId]).sort()).toEqual([
    ['#1', '3', study],
    ['#2', '5', study],
  ])
  const image = {
    imageName: 'Bud',
    imageFileName: 'bud.jpg',
    observationUnitDbId: plants[0]?.id,
    imageTimeStamp: '2026-11-20T17:04:05-07:00',
  }
  const withoutTrait = await send('POST', 'images', [image])
  expect([withoutTrait.statusCode, withoutTrait.body]).toEqual([
    400,
    'This trial has no variable for photos. Add a photo trait to the hunt in the app first.',
  ])
  await test.db.insertInto('traits').values({ id: newId(), hunt_id: huntId, name: 'Photo', kind: 'photo' }).execute()
  const [announced] = await written('POST', 'images', [{ ...image, ...reference('photo-1') }])
  expect(await read(`images?observationUnitDbId=${plants[0]?.id}`)).toEqual([])
  const picture = await pictureWithSecrets('jpeg')
  const upload = (secret: string, payload: Buffer, type = 'image/jpeg') =>
    asKey(test, secret, {
      ...{ method: 'PUT', url: `${base}/images/${announced?.imageDbId}/imagecontent` },
      ...{ payload, headers: { 'content-type': type } },
    })
  const refused = [
    await upload(keys.viewer, picture),
    await upload(keys.stranger, picture),
    await upload(keys.reading, picture),
    await upload(keys.owner, Buffer.from('no picture')),
    await upload(keys.owner, Buffer.from('{}'), 'application/json'),
  ]
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([404, 404, 403, 400, 415])
  const stored = await upload(keys.owner, picture)
  expect(stored.statusCode, stored.body).toBe(200)
  expect(findResponseErrors('images/{id}', stored.json())).toEqual([])
  expect((await upload(keys.owner, picture)).json()).toEqual(stored.json())
  const images = await read(`images?observationUnitDbId=${plants[0]?.id}`)
  expect(images).toMatchObject([{ imageTimeStamp: '2026-11-20T12:00:00Z', observationUnitDbId: plants[0]?.id }])
  expect(await test.db.selectFrom('media').select('id').where('owner_id', '=', owner.user.id).execute()).toHaveLength(1)
})

it('stores a picture once if it is sent again while it’s being processed', async () => {
  const [plant] = await addPlants(test.db, huntId, 1)
  await test.db.insertInto('traits').values({ id: newId(), hunt_id: huntId, name: 'Photo', kind: 'photo' }).execute()
  const image = { imageName: 'Bud', observationUnitDbId: plant?.id, imageTimeStamp: '2026-11-20T17:04:05Z' }
  const [announced] = await written('POST', 'images', [image])
  const payload = await pictureWithSecrets('jpeg')
  // Both uploads are processed before either is stored.
  let release = () => {}
  const bothAreProcessed = new Promise<void>((resolve) => {
    release = resolve
  })
  let count = 0
  const { mediaMaker } = test.ctx
  const make = mediaMaker.makePicture.bind(mediaMaker)
  const processed = vi.spyOn(mediaMaker, 'makePicture').mockImplementation(async (bytes) => {
    const made = await make(bytes)
    if (++count === 2) release()
    await bothAreProcessed
    return made
  })
  const upload = () =>
    asKey(test, keys.owner, {
      ...{ method: 'PUT', url: `${base}/images/${announced?.imageDbId}/imagecontent` },
      ...{ payload, headers: { 'content-type': 'image/jpeg' } },
    })
  const answers = await Promise.all([upload(), upload()])
  processed.mockRestore()
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(answers[1]?.json()).toEqual(answers[0]?.json())
  expect(await test.db.selectFrom('observations').select('id').where('hunt_id', '=', huntId).execute()).toHaveLength(1)
})
