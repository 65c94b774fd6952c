import type { ObservedValue, TraitRecord } from '../../../contracts/observations.ts'
import type { PendingWrite } from '../offline/use-outbox.ts'

/** What is on its way as if it had arrived. Corrections are left out: what they stand in the place of is the server's to say. */
export function pendingRecords(
  writes: readonly Pick<PendingWrite, 'body' | 'hold'>[],
  genotypeOf: ReadonlyMap<string, string>,
): TraitRecord[] {
  return writes
    .filter(({ hold }) => hold === null)
    .flatMap(({ body }) => (Array.isArray(body.observations) ? (body.observations as Queued[]) : []))
    .flatMap(({ traitId, plantId, observedOn, value, correctsId, isBlind }) => {
      const genotypeId = genotypeOf.get(plantId)
      if (genotypeId === undefined || correctsId !== null || value === null || value.kind === 'photo') return []
      const { kind: _, ...said } = value
      return [{ traitId, plantId, genotypeId, runId: null, on: observedOn, ...said, ...(isBlind && { isBlind }) }]
    })
}

type Queued = {
  traitId: string
  plantId: string
  observedOn: string
  value: ObservedValue | null
  correctsId: string | null
  isBlind: boolean
}
