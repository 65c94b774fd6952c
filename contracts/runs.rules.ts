export const maxBenchSide = 100
