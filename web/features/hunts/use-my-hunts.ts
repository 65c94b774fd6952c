import { useInfiniteQuery } from '@tanstack/react-query'
import { huntsOptions } from './hunts.api.ts'

/** Own hunts and those shared with one, and which of them is selected: the one that the address names, or else the newest active one. */
export function useMyHunts(named: string | undefined) {
  const list = useInfiniteQuery(huntsOptions)
  const hunts = list.data?.pages.flatMap(({ items }) => items) ?? []
  const selected = hunts.find(({ id }) => id === named) ?? hunts.find(({ isActive }) => isActive) ?? hunts[0]
  return { list, hunts, selected }
}

export type MyHunts = ReturnType<typeof useMyHunts>
