/** Seeds, clones or plants per call. */
export const maxAtOnce = 1000
