/** Per call; longer files are sent in several. */
export const maxReadingsAtOnce = 20_000
/** Per file and per hunt. */
export const maxReadingsOfFile = 200_000

export const maxClimatePoints = 2000
