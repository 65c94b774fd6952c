import { sql } from 'kysely'
import {
  endPlants as endContract,
  updateGenotype as genotypeContract,
  updatePlant as plantContract,
  addSeeds as seedsContract,
} from '#contracts/plants.endpoints.ts'
import { placePlants as placeContract } from '#contracts/runs.endpoints.ts'
import { NewSeedLot, SeedLotChange } from '#contracts/seed-lots.endpoints.ts'
import { requireHuntOfRow } from '#server/features/hunts/index.ts'
import {
  addClones,
  addMoreSeeds,
  createSeedLot,
  endPlants,
  placePlants,
  revivePlants,
  updateGenotype,
  updatePlant,
  updateSeedLot,
} from '#server/features/plants/index.ts'
import { readCrosses, readGermplasm, readSeedLots } from './germplasm.ts'
import { readUnits } from './observation-units.ts'
import {
  type Body,
  checked,
  entryFor,
  idFor,
  lockVersion,
  RowError,
  type RowWriting,
  requireId,
  sentDay,
  sentFlag,
  sentId,
  sentNumber,
  sentObject,
  sentText,
  type Writer,
  type Writing,
} from './write-call.ts'

const editableTrial = 'a trial that you can edit'

function originOf(body: Body) {
  const info = sentObject(body, 'additionalInfo')
  return { generation: sentText(info, 'generation'), breeder: sentText(info, 'breeder'), seedType: sentText(info, 'seedType') }
}

type Parent = { id: string | null; name: string; type: string }

function parentAt(body: Body, field: string): Parent | undefined {
  if (body[field] === undefined) return undefined
  const parent = sentObject(body, field)
  const id = sentId(parent, 'germplasmDbId', 'a germplasm in the same trial') ?? null
  return { id, name: id === null ? (sentText(parent, 'germplasmName') ?? '') : '', type: sentText(parent, 'parentType') ?? '' }
}

type Parents = {
  isSelfed?: boolean
  mother?: string
  motherGenotypeId?: string | null
  father?: string
  fatherGenotypeId?: string | null
}

/** Only the parents that were sent. The mother comes first, unless the types say otherwise. */
function parentsOf(body: Body): Parents {
  const [first, second] = [parentAt(body, 'parent1'), parentAt(body, 'parent2')]
  const isFatherFirst = first?.type === 'MALE' || (second?.type === 'FEMALE' && first?.type !== 'FEMALE')
  const [mother, father] = isFatherFirst ? [second, first] : [first, second]
  const crossType = sentText(body, 'crossType')
  const isSelfed = crossType === 'SELF' || mother?.type === 'SELF'
  return {
    ...(isSelfed || crossType !== undefined || father ? { isSelfed } : {}),
    ...(mother && { mother: mother.name, motherGenotypeId: mother.id }),
    ...(isSelfed ? { father: '', fatherGenotypeId: null } : father && { father: father.name, fatherGenotypeId: father.id }),
  }
}

const namesOfLot = { mother: 'parent1', father: 'parent2', seedCount: 'amount', source: 'sourceCollection' }

/** The part of a seed lot that BrAPI calls a cross. */
export const crossWriter: Writer = {
  ...{ service: 'crosses', put: 'several', read: readCrosses, byId: 'crossDbIds', idName: 'crossDbId' },
  async create(writing) {
    const { ctx, actor, body } = writing
    const huntId = requireId(body, 'crossingProjectDbId', editableTrial)
    const id = idFor(writing, 'crosses', huntId)
    const parents = parentsOf(body)
    if (!Object.values(parents).some(Boolean)) throw new RowError('parent1 or parent2 must be known.')
    await createSeedLot(ctx, actor, huntId, { ...checked(NewSeedLot, { ...originOf(body), ...parents }, namesOfLot), id })
    return { id }
  },
  async update(writing, id) {
    const parents = parentsOf(writing.body)
    await changeLot(writing, id, { ...originOf(writing.body), ...parents, ...(await parentsElsewhere(writing, id, parents)) })
  },
}

/** Parents in other hunts are read as names. If a client sends such a name back, the parent doesn't change. */
async function parentsElsewhere({ ctx }: Writing, id: string, sent: Parents) {
  if (sent.motherGenotypeId !== null && sent.fatherGenotypeId !== null) return {}
  const { rows } = await sql<{ mother: string; father: string; is_mother_elsewhere: boolean; is_father_elsewhere: boolean }>`
    select mother, father, mothers.hunt_id <> seed_lots.hunt_id as is_mother_elsewhere, fathers.hunt_id <> seed_lots.hunt_id as is_father_elsewhere
    from seed_lots left join genotypes as mothers on mothers.id = mother_genotype_id
    left join genotypes as fathers on fathers.id = father_genotype_id where seed_lots.id = ${id}::uuid`.execute(ctx.db)
  const [lot] = rows
  const isMother = lot?.is_mother_elsewhere && sent.motherGenotypeId === null && sent.mother === lot.mother
  const isFather = lot?.is_father_elsewhere && sent.fatherGenotypeId === null && sent.father === lot.father && !sent.isSelfed
  return { ...(isMother && { motherGenotypeId: undefined }), ...(isFather && { fatherGenotypeId: undefined }) }
}

const seedsOf = (body: Body) => ({
  ...originOf(body),
  seedCount: sentNumber(body, 'amount') ?? undefined,
  source: sentText(body, 'sourceCollection'),
})

export const seedLotWriter: Writer = {
  ...{ service: 'seedlots', put: 'one', read: readSeedLots, byId: 'seedLotDbIds', idName: 'seedLotDbId' },
  async create(writing) {
    const { ctx, actor, body } = writing
    const [content] = Array.isArray(body.contentMixture) ? body.contentMixture : []
    const crossId = sentId((content ?? {}) as Body, 'crossDbId', 'a cross in the same trial')
    if (crossId) {
      // A cross and its seeds are one row here.
      await changeLot(writing, crossId, seedsOf(body))
      return { id: crossId }
    }
    const huntId = requireId(sentObject(body, 'additionalInfo'), 'trialDbId', editableTrial)
    const id = idFor(writing, 'seedlots', huntId)
    await createSeedLot(ctx, actor, huntId, { ...checked(NewSeedLot, seedsOf(body), namesOfLot), id })
    return { id }
  },
  update: (writing, id) => changeLot(writing, id, seedsOf(writing.body)),
}

async function changeLot(writing: Writing, id: string, changes: object): Promise<void> {
  const { ctx, actor } = writing
  const version = await lockVersion(writing, 'seed_lots', id)
  await updateSeedLot(ctx, actor, id, checked(SeedLotChange, { ...changes, version }, namesOfLot))
}

function genotypeOf(body: Body) {
  const info = sentObject(body, 'additionalInfo')
  return { sex: sentText(info, 'sex') || undefined, kind: sentText(info, 'kind') || undefined, notes: sentText(info, 'notes') }
}

/** Names given by this site end in a number such as #7, so any other name is worth storing as a label. */
const isNumber = (name: string): boolean => /(^|\s)#\d+$/.test(name)

function labelOf(body: Body): string | undefined {
  const [synonym] = Array.isArray(body.synonyms) ? body.synonyms : []
  if (Array.isArray(body.synonyms)) return sentText((synonym ?? {}) as Body, 'synonym') ?? ''
  return [sentText(body, 'defaultDisplayName'), sentText(body, 'germplasmName')].find((name) => name && !isNumber(name))
}

export const germplasmWriter: Writer = {
  ...{ service: 'germplasm', put: 'one', read: readGermplasm, byId: 'germplasmDbIds', idName: 'germplasmDbId' },
  ignored: ['decision', 'number'],
  async create(writing) {
    const { ctx, actor, body } = writing
    const info = sentObject(body, 'additionalInfo')
    const huntId = requireId(info, 'trialDbId', editableTrial)
    const seedLotId = sentId(info, 'seedLotDbId', 'a seed lot in the same trial') ?? null
    const { id, isRepeated } = await entryFor(writing, 'genotypes', 'germplasm', huntId)
    const seed = checked(seedsContract.body, { count: 1, seedLotId, kind: sentText(info, 'kind') || undefined })
    await addMoreSeeds(ctx, actor, huntId, { ...seed, ids: [id] }, null)
    if (!isRepeated) await changeGermplasm(writing, id)
    return { id, isRepeated }
  },
  update: (writing, id) => changeGermplasm(writing, id),
}

async function changeGermplasm(writing: RowWriting, id: string): Promise<void> {
  const { ctx, actor, body } = writing
  const info = sentObject(body, 'additionalInfo')
  const version = await lockVersion(writing, 'genotypes', id)
  const there = await ctx.db.selectFrom('genotypes').select('kind').where('id', '=', id).executeTakeFirst()
  const { kind, ...rest } = genotypeOf(body)
  const seedLotId = sentId(info, 'seedLotDbId', 'a seed lot in the same trial')
  const changes = {
    ...{ ...rest, label: labelOf(body), seedLotId, version },
    // A phenotype sent back unchanged must not be refused because of a decision, so leave out an unchanged kind.
    kind: kind === there?.kind ? undefined : kind,
  }
  await updateGenotype(ctx, actor, id, checked(genotypeContract.body, changes, { label: 'germplasmName' }))
}

/** The copy number of a plant: 0 is the seed plant. */
function repOf(body: Body): number {
  const levels = sentObject(body, 'observationUnitPosition').observationLevelRelationships
  const rep = Array.isArray(levels) ? levels.find((level) => (level as Body | null)?.levelName === 'rep') : undefined
  const number = rep === undefined ? null : sentNumber(rep as Body, 'levelCode')
  return number ?? (sentText(sentObject(body, 'additionalInfo'), 'cutFromDbId') ? 1 : 0)
}

/**
 * A phenotype created on this site has its seed plant from the start, so each call for it, first or repeated, updates that plant
 * instead of creating one. Other plants are clones, numbered in order.
 */
export const unitWriter: Writer = {
  ...{ service: 'observationunits', put: 'both', read: readUnits, byId: 'observationUnitDbIds', idName: 'observationUnitDbId' },
  async create(writing) {
    const { ctx, actor, body } = writing
    const genotypeId = requireId(body, 'germplasmDbId', 'a germplasm that you can edit')
    const genotype = await ctx.db.selectFrom('genotypes').select('hunt_id').where('id', '=', genotypeId).executeTakeFirst()
    const { id: huntId } = await requireHuntOfRow(ctx.db, actor, genotype, 'No trial that you can see has this germplasm.', 'write')
    if (repOf(body) === 0) {
      const seed = await ctx.db
        .selectFrom('plants')
        .select('id')
        .where('genotype_id', '=', genotypeId)
        .where('copy', '=', 0)
        .executeTakeFirst()
      if (!seed) throw new RowError('This germplasm has no seed plant. Send a clone, with level `rep` 1 or higher.')
      await changeUnit(writing, seed.id)
      return { id: seed.id }
    }
    const info = sentObject(body, 'additionalInfo')
    const { id, isRepeated } = await entryFor(writing, 'plants', 'observationunits', huntId)
    const fromPlantId = sentId(info, 'cutFromDbId', 'a plant of the same germplasm') ?? null
    const cutOn = sentDay(info, 'cutOn') ?? undefined
    await addClones(ctx, actor, huntId, { cuts: [{ genotypeId, fromPlantId, count: 1 }], ids: [id], cutOn, rootedOn: null }, null)
    if (!isRepeated) await changeUnit(writing, id)
    return { id, isRepeated }
  },
  update: (writing, id) => changeUnit(writing, id),
  finish: placeUnits,
  finishEach: endUnit,
}

async function changeUnit(writing: RowWriting, id: string): Promise<void> {
  const { ctx, actor, body } = writing
  const info = sentObject(body, 'additionalInfo')
  const version = await lockVersion(writing, 'plants', id)
  const changes = {
    ...{ startedOn: sentDay(info, 'startedOn'), cutOn: sentDay(info, 'cutOn'), rootedOn: sentDay(info, 'rootedOn') },
    ...{ isMother: sentFlag(info, 'isMother'), notes: sentText(info, 'notes'), version },
  }
  await updatePlant(ctx, actor, id, checked(plantContract.body, changes))
}

/** Places all plants of a run in one write, so that they can swap places. The hunt's own study has no bench. */
async function placeUnits({ ctx, actor }: Writing, rows: readonly { id: string; body: Body }[]): Promise<void> {
  const placed = rows.flatMap(({ id, body }) => {
    const runId = sentId(body, 'studyDbId', 'a study in the same trial')
    const position = sentObject(body, 'observationUnitPosition')
    const [row, column] = [sentNumber(position, 'positionCoordinateY'), sentNumber(position, 'positionCoordinateX')]
    return runId
      ? [{ runId, isKept: row === undefined && column === undefined, plantId: id, row: row ?? null, column: column ?? null }]
      : []
  })
  for (const [runId, ofRun] of Map.groupBy(placed, (each) => each.runId)) {
    const plants = [...new Set(ofRun.map(({ plantId }) => plantId))]
    const ofHunt = await ctx.db.selectFrom('plants').select('id').where('id', 'in', plants).where('hunt_id', '=', runId).execute()
    if (ofHunt.length === plants.length) continue
    const there = await ctx.db.selectFrom('placements').select('plant_id').where('run_id', '=', runId).execute()
    const standing = new Set(there.map(({ plant_id }) => plant_id))
    // A plant sent without a position keeps its position in this run.
    const placements = ofRun.filter(({ plantId, isKept }) => !isKept || !standing.has(plantId))
    await placePlants(ctx, actor, runId, checked(placeContract.body, { placements }))
  }
}

/** Runs once all plants exist, so that a plant with clones isn't a last living copy. */
async function endUnit({ ctx, actor, body }: RowWriting, id: string): Promise<void> {
  const info = sentObject(body, 'additionalInfo')
  const how = sentText(info, 'endedHow')
  if (how === undefined) return
  const plant = await ctx.db.selectFrom('plants').select(['hunt_id', 'ended_on']).where('id', '=', id).executeTakeFirstOrThrow()
  if (how === '') {
    if (plant.ended_on !== null) await revivePlants(ctx, actor, plant.hunt_id, { plantIds: [id] })
    return
  }
  const confirmed = sentText(info, 'confirmLastCopy')
  const confirmLastCopies = confirmed ? [confirmed] : []
  const end = { plantIds: [id], endedHow: how, endedOn: sentDay(info, 'endedOn') ?? undefined, confirmLastCopies }
  await endPlants(ctx, actor, plant.hunt_id, checked(endContract.body, end), null)
}
