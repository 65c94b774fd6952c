import { uuidv7 } from 'uuidv7'
import { listGrowLogs } from '#contracts/calls/grow-logs.ts'
import { getTraitRecords, listObservations, recordObservations } from '#contracts/calls/observations.ts'
import { listHarvests, listLabResults, listTraits } from '#contracts/calls/traits.ts'
import { maxObservationsAtOnce } from '#contracts/limits.ts'
import type { ObservedValue } from '#contracts/observations.endpoints.ts'
import { enqueue } from '#web/entities/offline/enqueue.ts'

export const shownValues = [
  listTraits.path,
  getTraitRecords.path,
  listObservations.path,
  listHarvests.path,
  listLabResults.path,
  listGrowLogs.path,
  '/api/pheno-hunts',
]

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

export type Written = { entries: string[]; observationIds: string[] }

const whole = (value: NewValue) => ({ note: '', isBlind: false, correctsId: null, sameDay: 'add' as const, ...value, id: uuidv7() })

/**
 * Queues observations on the device, batched by the server's limit per call, and sends them when online.
 * @param title of the pending entry: "Vigor of #7"
 * @throws an Error with a message for display if they can be neither stored nor sent
 */
export async function writeValues(huntId: string, title: string, values: readonly NewValue[]): Promise<Written> {
  const entries: string[] = []
  const observationIds: string[] = []
  for (let at = 0; at < values.length; at += maxObservationsAtOnce) {
    const observations = values.slice(at, at + maxObservationsAtOnce).map(whole)
    observationIds.push(...observations.map(({ id }) => id))
    entries.push(
      await enqueue(recordObservations, { params: { id: huntId }, body: { observations } }, options(huntId, title, observations)),
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

const options = (huntId: string, title: string, values: readonly Pick<NewValue, 'plantId' | 'traitId'>[]) => ({
  lane: huntId,
  subjects: [...new Set(values.flatMap(({ plantId, traitId }) => [plantId, traitId]))],
  title,
  refreshes: shownValues,
})
