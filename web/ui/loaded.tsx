import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../lib/api-error.ts'
import { ErrorState } from './error-state.tsx'
import { SkeletonGroup } from './skeleton.tsx'

type LoadedProps<Data> = {
  query: UseQueryResult<Data>
  loadingLabel: string
  /** In the shape of what comes. */
  skeleton: ReactNode
  /** What happened when nothing came: "The harvests could not be loaded". */
  failure: string
  children: (data: Data) => ReactNode
}

/** A part of a screen that stands on one answer: its loading and its failure leave the rest alone. For lists see {@link PagedList}. */
export function Loaded<Data>({ query, loadingLabel, skeleton, failure, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) return <SkeletonGroup label={loadingLabel}>{skeleton}</SkeletonGroup>
  return (
    <ErrorState
      level={3}
      title={failure}
      description={messageOf(query.error)}
      onRetry={() => void query.refetch()}
      pending={query.isFetching}
    />
  )
}
