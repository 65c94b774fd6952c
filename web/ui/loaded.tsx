import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadError } from './error-state.tsx'
import { SkeletonGroup } from './skeleton.tsx'

type LoadedProps<Data> = {
  query: UseQueryResult<Data>
  loadingLabel: string
  skeleton: ReactNode
  /** The error's title: "The harvests couldn’t be loaded". */
  failure: string
  children: (data: Data) => ReactNode
}

/** Loading and errors of this section don't affect the rest. For lists, see `PagedList`. */
export function Loaded<Data>({ query, loadingLabel, skeleton, failure, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) return <SkeletonGroup label={loadingLabel}>{skeleton}</SkeletonGroup>
  return <LoadError level={3} title={failure} query={query} />
}
