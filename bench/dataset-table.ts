import type { Value } from './copy.ts'

export type Table = { name: string; columns: string[]; rows: () => Iterable<readonly Value[]> }

/** Splits a readable list of column names. */
export const named = (names: string): string[] => names.trim().split(/\s+/)
