import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Card, CardBody } from '#web/ui/card.tsx'
import { MorePages } from '#web/ui/paged-list.tsx'
import { correctionsOptions } from './corrections.api.ts'

// Few businesses have open corrections.
const CorrectionItem = lazy(async () => ({ default: (await import('./correction-item.tsx')).CorrectionItem }))

type OpenCorrectionsProps = { business: { id: string; isClaimed: boolean }; hint: ReactNode; className?: string }

/** Corrections are optional, so an error renders nothing. */
export function OpenCorrections({ business, hint, className }: OpenCorrectionsProps) {
  const list = useInfiniteQuery(correctionsOptions(business.id))
  const corrections = list.data?.pages.flatMap(({ items }) => items) ?? []
  if (corrections.length === 0) return null
  return (
    <Card asChild {...(className && { className })}>
      <section aria-label="Suggested changes">
        <CardBody>
          <h2 className="text-lg">Suggested changes</h2>
          <p className="mt-1 text-muted text-sm">{hint}</p>
          <ul className="mt-1">
            {corrections.map((correction) => (
              <li key={correction.id} className="border-line py-4 not-first:border-t last:pb-0">
                <Suspense>
                  <CorrectionItem correction={correction} isClaimed={business.isClaimed} />
                </Suspense>
              </li>
            ))}
          </ul>
          <MorePages list={list} />
        </CardBody>
      </section>
    </Card>
  )
}
