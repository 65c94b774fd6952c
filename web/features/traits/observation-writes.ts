import { listGrowLogs } from '../../../contracts/grow-logs.ts'
import { listHarvests } from '../../../contracts/harvests.ts'
import { listLabResults } from '../../../contracts/lab-results.ts'
import {
  getTraitRecords,
  listObservations,
  maxObservationsAtOnce,
  type ObservedValue,
  recordObservations,
} from '../../../contracts/observations.ts'
import { listTraits } from '../../../contracts/traits.ts'
import { enqueue } from '../offline/enqueue.ts'
import { newId } from '../offline/ids.ts'

/** What shows values: read anew once some have arrived. */
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
}

/** The entries of the outbox, and what is in them. */
export type Written = { entries: string[]; observationIds: string[] }

const whole = (value: NewValue) => ({ note: '', isBlind: false, correctsId: null, ...value, id: newId() })

/**
 * Keeps what was observed on the device and sends it when there is a network; so many as fit into a call go together.
 * @param title of the entry, while it waits: "Vigor of #7"
 * @throws an Error with a sentence when it can be neither kept nor sent
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

/** A photo goes with its observation, whenever that is sent. */
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
