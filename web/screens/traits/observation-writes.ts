import { uuidv7 } from 'uuidv7'
import { getPhotosOfDay, listGrowLogs } from '#contracts/calls/grow-logs.ts'
import { listHuntActivity, listOwnActivity } from '#contracts/calls/hunts.ts'
import { getTraitRecords, listObservations, recordObservations } from '#contracts/calls/observations.ts'
import { deleteHarvest, listHarvests, listLabResults, listTraits } from '#contracts/calls/traits.ts'
import { maxObservationsAtOnce } from '#contracts/limits.ts'
import type { ObservedValue } from '#contracts/observations.endpoints.ts'
import type { Harvest, HarvestChange } from '#contracts/traits.ts'
import { enqueue } from '#web/entities/offline/enqueue.ts'
import { entryActions } from '#web/entities/offline/use-outbox.ts'
import { plantPaths } from '#web/entities/plants/plants.api.ts'

/** A score changes no plant, run or hunt, whose lists are large. */
const scorePaths = [listTraits, getTraitRecords, listObservations, getPhotosOfDay, listHuntActivity, listOwnActivity].map(
  ({ path }) => path,
)

export const shownValues = [
  listTraits.path,
  getTraitRecords.path,
  listObservations.path,
  listHarvests.path,
  listLabResults.path,
  listGrowLogs.path,
  '/api/pheno-hunts',
]

/** Includes plants, because a harvest can end a plant, and a correction can change the date of that end. */
export const harvestPaths = [...shownValues, ...plantPaths]

export type NewValue = {
  traitId: string
  plantId: string
  observedOn: string
  value: ObservedValue | null
  note?: string
  isBlind?: boolean
  correctsId?: string | null
  /** `correct` replaces the person's own score from the same day. `once` also skips values that the person has already recorded. */
  sameDay?: 'add' | 'correct' | 'once'
}

/** "#7" and "Vigor 8" */
export type ValueWords = { plant: string; entered: string }

export type Written = { entries: string[]; observationIds: string[] }

const whole = (value: NewValue) => ({ note: '', isBlind: false, correctsId: null, sameDay: 'add' as const, ...value, id: uuidv7() })

/**
 * Queues observations on the device, batched by the server's limit per call, and sends them when online.
 * @param title of the pending entry: "Vigor of #7"
 * @param wordsOf names the values that the server refuses, so that the others can be sent
 * @throws an Error with a message for display if they can be neither stored nor sent
 */
export async function writeValues(
  huntId: string,
  title: string,
  values: readonly NewValue[],
  wordsOf?: (value: NewValue) => ValueWords,
): Promise<Written> {
  const entries: string[] = []
  const observationIds: string[] = []
  for (let at = 0; at < values.length; at += maxObservationsAtOnce) {
    const batch = values.slice(at, at + maxObservationsAtOnce)
    const observations = batch.map(whole)
    const words = wordsOf && batch.map(wordsOf)
    const items = words && {
      field: 'observations',
      names: words.map(({ plant }) => plant),
      noun: 'Score',
      entered: words.map(({ entered }) => entered),
    }
    observationIds.push(...observations.map(({ id }) => id))
    // Screens show only these before their lists are refetched.
    const inSeries = observations.every(({ sameDay }) => sameDay === 'correct')
    entries.push(
      await enqueue(
        recordObservations,
        { params: { id: huntId }, body: { observations } },
        { ...options(huntId, title, observations), inSeries, ...(items && { items }) },
      ),
    )
  }
  return { entries, observationIds }
}

export async function writePhoto(huntId: string, title: string, value: Omit<NewValue, 'value'>, photo: File): Promise<Written> {
  const observation = whole({ ...value, value: { kind: 'photo', mediaId: '' } })
  const entry = await enqueue(
    recordObservations,
    { params: { id: huntId }, body: { observations: [observation] } },
    { ...options(huntId, title, [observation]), photos: [photo], photosInto: 'observations.0.value.mediaId' },
  )
  return { entries: [entry], observationIds: [observation.id] }
}

/** Discards pending entries. If some may have arrived, restores the earlier value, or withdraws the new one. @throws like `enqueue` */
export async function undoValues(
  huntId: string,
  title: string,
  said: Omit<NewValue, 'value'>,
  { entries, observationIds }: Written,
  before: ObservedValue | null,
): Promise<void> {
  const discarded = await Promise.all(entries.map((entry) => entryActions.discard(entry)))
  if (discarded.every((each) => each === 'unsent')) return
  // The server can't correct an observation that never arrived, but the earlier value replaces that day's score in either case.
  const isByDay = discarded.includes('unsure') && before !== null
  await writeValues(
    huntId,
    `Undo: ${title}`,
    observationIds.map((id) => ({ ...said, value: before, correctsId: isByDay ? null : id })),
  )
}

export type AddedHarvests = { entryId: string; harvests: readonly Pick<Harvest, 'id' | 'plantId'>[] }

/** Discards the pending entry, or deletes the harvests if they may have arrived. Either restores the plants. @throws like `enqueue` */
export async function undoHarvests(
  huntId: string,
  { entryId, harvests }: AddedHarvests,
  nameOf: (plantId: string) => string,
): Promise<void> {
  if ((await entryActions.discard(entryId)) === 'unsent') return
  for (const { id, plantId } of harvests) {
    const title = `Undo: Harvest of ${nameOf(plantId)}`
    await enqueue(deleteHarvest, { params: { id } }, { lane: huntId, subjects: [plantId], title, refreshes: harvestPaths })
  }
}

type SavedCorrection = { entryId: string; change: HarvestChange; before: { [Key in keyof HarvestChange]?: unknown } }

/**
 * Discards the pending correction, or restores the values before it if it may have arrived.
 * @param send enqueues a change of the same harvest
 * @throws like `enqueue`
 */
export async function undoCorrection(
  { entryId, change: { version, ...facts }, before }: SavedCorrection,
  send: (change: HarvestChange) => Promise<unknown>,
): Promise<void> {
  if ((await entryActions.discard(entryId)) === 'unsent') return
  const values = Object.fromEntries((Object.keys(facts) as (keyof typeof facts)[]).map((key) => [key, before[key]]))
  // If the correction didn't arrive, nothing changes, so the server accepts any version.
  await send({ ...values, version: version + 1 })
}

const options = (huntId: string, title: string, values: readonly Pick<NewValue, 'plantId' | 'traitId'>[]) => ({
  lane: huntId,
  subjects: [...new Set(values.flatMap(({ plantId, traitId }) => [plantId, traitId]))],
  title,
  refreshes: scorePaths,
})
