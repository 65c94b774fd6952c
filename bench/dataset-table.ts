import type { Value } from './copy.ts'

/** A table with what is written into it, made anew each time it is asked for. */
export type Table = { name: string; columns: string[]; rows: () => Iterable<readonly Value[]> }

/** Column names, as one reads them. */
export const named = (names: string): string[] => names.trim().split(/\s+/)
