import type { Value } from './copy.ts'

export type Table = { name: string; columns: string[]; rows: () => Iterable<readonly Value[]> }

export const named = (names: string): string[] => names.trim().split(/\s+/)
