import { sql } from 'kysely'
import { HuntChange, NewHunt } from '#contracts/hunts.ts'
import { NewRun, RunChange } from '#contracts/runs.endpoints.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { completeHunt, createHunt, ownAndSharedHunts, reopenHunt, requireHunt, updateHunt } from '#server/features/hunts/index.ts'
import { addFirstSeeds, createRun, moveSeedStarts, updateRun } from '#server/features/plants/index.ts'
import { type BrapiQuery, crop, fullListResponse, infoOf, known, noonOf, pageOf, type QueryResult } from './asked.ts'
import { idsOfHunts, programOf, trialOf } from './hunts.ts'
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
} from './write-call.ts'

const isNamed = (names: readonly string[] | undefined, name: string): boolean => names?.includes(name) ?? true

/** One program per owner: the person, and everyone who shares hunts with them. */
export async function readPrograms({ hunts, filter, paging }: BrapiQuery): Promise<QueryResult> {
  const owners = [...new Map(hunts.map((hunt) => [hunt.ownerId, hunt])).values()]
  const programs = owners
    .filter(({ ownerName }) => isNamed(filter.programNames, ownerName))
    .map((hunt) => ({
      ...programOf(hunt),
      commonCropName: crop,
      programType: 'STANDARD',
      leadPersonDbId: hunt.ownerId,
      leadPersonName: hunt.ownerName,
    }))
  return pageOf(programs, paging)
}

const isAsked = (flag: readonly string[] | undefined, value: boolean): boolean => flag?.includes(String(value)) ?? true

export async function readTrials({ hunts, filter, paging }: BrapiQuery): Promise<QueryResult> {
  const trials = hunts
    .filter(({ name, isActive }) => isNamed(filter.trialNames, name) && isAsked(filter.active, isActive))
    .map((hunt) =>
      known({
        ...trialOf(hunt),
        ...programOf(hunt),
        commonCropName: crop,
        active: hunt.isActive,
        trialDescription: hunt.goals,
        startDate: hunt.startedOn,
        endDate: hunt.completedOn,
        additionalInfo: infoOf({ breeders: hunt.breeders.join(', '), growEnvironment: hunt.environment, access: hunt.access }),
      }),
    )
  return pageOf(trials, paging)
}

export async function readStudies(asked: BrapiQuery): Promise<QueryResult> {
  const { filter, paging } = asked
  const studies = (await allStudies(asked)).filter(
    (study) =>
      isNamed(filter.studyDbIds, study.studyDbId) &&
      isNamed(filter.studyNames, study.studyName) &&
      isAsked(filter.active, study.active) &&
      (filter.seasonDbIds?.some((season) => study.seasons.includes(season)) ?? true),
  )
  return pageOf(studies.map(known), paging)
}

const levels = [{ levelName: 'plant', levelOrder: 9 }]

/** Reads all studies together, because a person has few hunts with few runs each. */
async function allStudies({ ctx, hunts }: BrapiQuery) {
  const runs = await ctx.db
    .selectFrom('runs')
    .select(['id', 'hunt_id', 'name', 'room', 'medium', 'light', 'started_on', 'flowered_on', 'ended_on'])
    .select(['check_genotype_id', 'bench_rows', 'bench_columns'])
    .where(sql<boolean>`hunt_id = ${pageIds(idsOfHunts(hunts))}`)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const runsOf = Map.groupBy(runs, (run) => run.hunt_id)
  return hunts.flatMap((hunt) => {
    const common = { ...trialOf(hunt), commonCropName: crop, observationLevels: levels }
    const own = {
      ...common,
      studyDbId: hunt.id as string,
      studyName: hunt.name,
      studyType: 'Hunt',
      studyDescription: "Plants and values of this hunt that aren't in a run.",
      active: hunt.isActive,
      startDate: hunt.startedOn && noonOf(hunt.startedOn),
      endDate: hunt.completedOn && noonOf(hunt.completedOn),
      seasons: seasonsOf(hunt.startedOn),
      ...{ locationName: hunt.environment, culturalPractices: '', growthFacility: null as object | null },
      additionalInfo: infoOf({ programDbId: hunt.ownerId }),
    }
    return [
      own,
      ...(runsOf.get(hunt.id) ?? []).map((run): typeof own => ({
        ...common,
        studyDbId: run.id,
        studyName: run.name,
        studyType: 'Run',
        studyDescription: `A run of ${hunt.name}.`,
        active: hunt.isActive && run.ended_on === null,
        startDate: run.started_on && noonOf(run.started_on),
        endDate: run.ended_on && noonOf(run.ended_on),
        seasons: seasonsOf(run.started_on),
        locationName: run.room || run.name,
        culturalPractices: [run.medium, run.light].filter(Boolean).join(', '),
        growthFacility: run.room ? { description: run.room } : null,
        additionalInfo: infoOf({
          ...{ programDbId: hunt.ownerId, medium: run.medium, light: run.light, floweredOn: run.flowered_on },
          ...{ checkGermplasmDbId: run.check_genotype_id, benchRows: run.bench_rows, benchColumns: run.bench_columns },
        }),
      })),
    ]
  })
}

const seasonsOf = (day: string | null): string[] => (day === null ? [] : [day.slice(0, 4)])

export const answerLevels = () => fullListResponse(levels)

const namesOfTrial = { huntName: 'trialName', goals: 'trialDescription', germinationDate: 'startDate' }

function huntOf(body: Body) {
  const info = sentObject(body, 'additionalInfo')
  const breeders = sentText(info, 'breeders')
  return {
    huntName: sentText(body, 'trialName'),
    goals: sentText(body, 'trialDescription'),
    germinationDate: sentDay(body, 'startDate'),
    growEnvironment: sentText(info, 'growEnvironment'),
    breeders: breeders?.split(',').flatMap((name) => name.trim() || []),
  }
}

/** A trial is a hunt. Its seeds are added as germplasm. */
export const trialWriter: Writer = {
  ...{ service: 'trials', put: 'one', read: readTrials, byId: 'trialDbIds', idName: 'trialDbId', ignored: ['access'] },
  async create(writing) {
    const { ctx, actor, body } = writing
    const program = sentText(body, 'programDbId')
    if (program && program !== actor.id)
      throw new RowError('programDbId must be the ID of your own program. Leave it out to use that program.')
    const { id, isRepeated } = await entryFor(writing, 'hunts', 'trials', actor.id)
    await createHunt(ctx, actor, { ...checked(NewHunt, huntOf(body), namesOfTrial), id }, null, addFirstSeeds)
    if (!isRepeated) await completeOrReopen(writing, id)
    return { id, isRepeated }
  },
  async update(writing, id) {
    const { ctx, actor, body } = writing
    // Locked before its version is read, as in `lockVersion`.
    await requireHunt(ctx.db, actor, id, 'write', { lock: 'update' })
    const { version } = await ctx.db.selectFrom('hunts').select('version').where('id', '=', id).executeTakeFirstOrThrow()
    await updateHunt(ctx, actor, id, checked(HuntChange, { ...huntOf(body), version }, namesOfTrial), moveSeedStarts)
    await completeOrReopen(writing, id)
  },
}

async function completeOrReopen({ ctx, actor, body }: RowWriting, id: string): Promise<void> {
  const isActive = sentFlag(body, 'active')
  const hunt = await ctx.db.selectFrom('hunts').select('is_active').where('id', '=', id).executeTakeFirst()
  // Only owners may complete or reopen a hunt, so a client that sends a trial back unchanged must not trigger either.
  if (isActive === undefined || isActive === hunt?.is_active) return
  if (isActive) await reopenHunt(ctx, actor, id)
  else await completeHunt(ctx, actor, id, sentDay(body, 'endDate') ?? undefined)
}

const namesOfStudy = { name: 'studyName', startedOn: 'startDate', endedOn: 'endDate', room: 'locationName' }

function runOf(body: Body, before?: { name: string }) {
  const info = sentObject(body, 'additionalInfo')
  const name = sentText(body, 'studyName')
  const location = sentText(body, 'locationName')
  const medium = sentText(info, 'medium')
  const light = sentText(info, 'light')
  return {
    name,
    // A run without a room uses its own name as its location. A client that renames the run sends the old location back.
    room: sentText(sentObject(body, 'growthFacility'), 'description') ?? ([name, before?.name].includes(location) ? undefined : location),
    medium: medium ?? (light === undefined ? sentText(body, 'culturalPractices') : undefined),
    light,
    startedOn: sentDay(body, 'startDate'),
    floweredOn: sentDay(info, 'floweredOn'),
    endedOn: sentDay(body, 'endDate'),
    checkGenotypeId: sentId(info, 'checkGermplasmDbId', 'a germplasm in the same trial'),
    benchRows: sentNumber(info, 'benchRows'),
    benchColumns: sentNumber(info, 'benchColumns'),
  }
}

/** A study is a run. The hunt's own study is changed through its trial. */
export const studyWriter: Writer = {
  ...{ service: 'studies', put: 'one', read: readStudies, byId: 'studyDbIds', idName: 'studyDbId' },
  async create(writing) {
    const { ctx, actor, body } = writing
    const huntId = requireId(body, 'trialDbId', 'a trial that you can edit')
    const id = idFor(writing, 'studies', huntId)
    await createRun(ctx, actor, huntId, { ...checked(NewRun, runOf(body), namesOfStudy), id })
    return { id }
  },
  async update(writing, id) {
    const { ctx, actor, body } = writing
    const run = await ctx.db.selectFrom('runs').select('name').where('id', '=', id).executeTakeFirst()
    if (!run && (await ownAndSharedHunts(ctx.db, actor)).some((hunt) => hunt.id === id)) {
      throw new RowError('This study represents its trial. Change the trial instead.')
    }
    const version = await lockVersion(writing, 'runs', id)
    await updateRun(ctx, actor, id, checked(RunChange, { ...runOf(body, run), version }, namesOfStudy))
  },
}
