import type { StandingValue, TraitRecords } from './observations.endpoints.ts'

export type TraitRecord = Omit<StandingValue, 'run'> & {
  traitId: string
  plantId: string
  genotypeId: string
  runId: string | null
}

/** Expands every value with its IDs, by trait and plant, newest first. */
export function traitRecordsOf({ plants, runIds, traits }: TraitRecords): TraitRecord[] {
  return traits.flatMap(({ traitId, measured }) =>
    measured.flatMap(({ plant, values }) => {
      const of = plants[plant]
      if (!of) return []
      return values.map(({ run, ...value }) => ({ ...value, traitId, ...of, runId: (run === undefined ? null : runIds[run]) ?? null }))
    }),
  )
}
