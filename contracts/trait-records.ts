import type { StandingValue, TraitRecords } from './observations.endpoints.ts'

export type TraitRecord = Omit<StandingValue, 'run' | 'by'> & {
  traitId: string
  plantId: string
  genotypeId: string
  runId: string | null
  /** The same text for the same person, tester or lab; null if unknown. */
  observer: string | null
  isOwn?: boolean
}

/** One record per value, with IDs instead of indexes, by trait and plant, newest first. */
export function traitRecordsOf({ plants, runIds, traits, me }: TraitRecords): TraitRecord[] {
  return traits.flatMap(({ traitId, measured }) =>
    measured.flatMap(({ plant, values }) => {
      const of = plants[plant]
      if (!of) return []
      return values.map(({ run, by, ...value }) => ({
        ...value,
        traitId,
        ...of,
        runId: (run === undefined ? null : runIds[run]) ?? null,
        observer: by === undefined ? null : String(by),
        ...(by !== undefined && by === me && { isOwn: true }),
      }))
    }),
  )
}
