import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { correctionsOptions } from './corrections.api.ts'

// Loaded on demand, because few businesses have open corrections.
const CorrectionList = lazy(async () => ({ default: (await import('./correction-list.tsx')).CorrectionList }))

type OpenCorrectionsProps = { business: { id: string; isClaimed: boolean }; hint: ReactNode; className?: string }

/** Corrections are optional, so an error renders nothing. */
export function OpenCorrections({ business, hint, className }: OpenCorrectionsProps) {
  const list = useInfiniteQuery(correctionsOptions(business.id))
  const corrections = list.data?.pages.flatMap(({ items }) => items) ?? []
  if (corrections.length === 0) return null
  return (
    <Suspense>
      <CorrectionList corrections={corrections} isClaimed={business.isClaimed} hint={hint} more={list} {...(className && { className })} />
    </Suspense>
  )
}
