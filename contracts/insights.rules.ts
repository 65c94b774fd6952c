export const maxVisitsPerRequest = 50

/** Smaller groups of people aren't shown separately. */
export const smallestGroup = 5
