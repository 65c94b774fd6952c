/** Values per call. */
export const maxObservationsAtOnce = 500

/** Records per response: 200 plants × 40 traits, several times over. */
export const maxTraitRecords = 50_000
