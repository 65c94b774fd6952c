import { sql } from 'kysely'
import type { HuntAccess } from '#contracts/hunts.ts'
import type { Db } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { ownAndSharedHunts } from '#server/features/hunts/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { type Asked, answerList, crop, type Found, infoOf, known, noonOf, pageOf } from './brapi-call.ts'

/** A hunt as BrAPI sees it: a trial in the program of its owner. */
export type GrownHunt = {
  id: Authorized<'hunts'>
  access: HuntAccess
  ownerId: string
  ownerName: string
  name: string
  breeders: readonly string[]
  goals: string
  environment: string
  startedOn: string | null
  completedOn: string | null
  isActive: boolean
}

/** The hunts that a person owns or that are shared with them. */
export async function huntsOf(db: Db, actor: Actor): Promise<GrownHunt[]> {
  const accessible = await ownAndSharedHunts(db, actor)
  if (accessible.length === 0) return []
  const rows = await db
    .selectFrom('hunts')
    .select(['id', 'owner_id', 'hunt_name', 'breeders', 'goals', 'grow_environment', 'germination_date', 'completed_on', 'is_active'])
    .where(sql<boolean>`id = ${pageIds(accessible.map(({ id }) => id))}`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const people = await visiblePeople(
    db,
    actor.id,
    rows.map((row) => row.owner_id),
  )
  return accessible.flatMap(({ id, access }) => {
    const row = byId.get(id)
    if (!row) return []
    return {
      id,
      access,
      ownerId: row.owner_id,
      ownerName: people.get(row.owner_id)?.name ?? 'A grower',
      name: row.hunt_name,
      breeders: row.breeders,
      goals: row.goals,
      environment: row.grow_environment,
      startedOn: row.germination_date,
      completedOn: row.completed_on,
      isActive: row.is_active,
    }
  })
}

export const idsOfHunts = (hunts: readonly GrownHunt[]): string[] => hunts.map(({ id }) => id)

export const programOf = (hunt: GrownHunt) => ({ programDbId: hunt.ownerId, programName: hunt.ownerName })
export const trialOf = (hunt: GrownHunt) => ({ trialDbId: hunt.id, trialName: hunt.name })

const isNamed = (names: readonly string[] | undefined, name: string): boolean => names?.includes(name) ?? true

/** One per owner: the person's own, and those of people who share hunts with them. */
export async function readPrograms({ hunts, filter, paging }: Asked): Promise<Found> {
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

export async function readTrials({ hunts, filter, paging }: Asked): Promise<Found> {
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

/** Observations belong to the run that the plant was in, and otherwise to the hunt's own study, which has the hunt's ID. */
export const studyIdOf = ({ hunt_id, run_id }: { hunt_id: string; run_id: string | null }): string => run_id ?? hunt_id

export async function readStudies(asked: Asked): Promise<Found> {
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

/** A person has few hunts with few runs each, so all are read at once. */
async function allStudies({ ctx, hunts }: Asked) {
  const runs = await ctx.db
    .selectFrom('runs')
    .select(['id', 'hunt_id', 'name', 'room', 'medium', 'light', 'started_on', 'flowered_on', 'ended_on'])
    .where(sql<boolean>`hunt_id = ${pageIds(idsOfHunts(hunts))}`)
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
      studyDescription: 'Plants and values of this hunt that belong to no run.',
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
        additionalInfo: infoOf({ programDbId: hunt.ownerId, medium: run.medium, light: run.light, floweredOn: run.flowered_on }),
      })),
    ]
  })
}

export const seasonsOf = (day: string | null): string[] => (day === null ? [] : [day.slice(0, 4)])

export const answerLevels = () => answerList(levels, 1, { page: 0, pageSize: 1 })
