import { sql } from 'kysely'
import { pageIds } from '#server/db/page-ids.ts'
import { type Asked, answerAll, crop, type Found, infoOf, known, noonOf, pageOf } from './asked.ts'
import { idsOfHunts, programOf, trialOf } from './grown-hunts.ts'

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

const seasonsOf = (day: string | null): string[] => (day === null ? [] : [day.slice(0, 4)])

export const answerLevels = () => answerAll(levels)
