import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Agreement } from '../../../contracts/billing.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { MorePages } from '../businesses/more-pages.tsx'
import { AgreementItem } from './agreement-item.tsx'
import { agreementsOptions } from './billing.api.ts'
import { payerOf, type Scope } from './scope.ts'

/** What runs, and what has ended. */
export function AgreementList({ scope }: { scope: Scope }) {
  const list = useInfiniteQuery(agreementsOptions(payerOf(scope)))
  return (
    <section aria-labelledby="agreements">
      <h2 id="agreements" className="text-xl">
        Plans and subscriptions
      </h2>
      <div className="mt-4">
        {list.isPending ? (
          <SkeletonGroup label="Loading plans..." className="grid gap-4">
            <Skeleton className="h-36 rounded-card" />
            <Skeleton className="h-36 rounded-card" />
          </SkeletonGroup>
        ) : list.data ? (
          <>
            <Agreements agreements={list.data.pages.flatMap(({ items }) => items)} scope={scope} />
            <MorePages list={list} />
          </>
        ) : (
          <Card>
            <ErrorState
              level={3}
              title="Plans could not be loaded"
              description={messageOf(list.error)}
              onRetry={() => void list.refetch()}
              pending={list.isFetching}
            />
          </Card>
        )}
      </div>
    </section>
  )
}

function Agreements({ agreements, scope }: { agreements: Agreement[]; scope: Scope }) {
  if (agreements.length === 0) return <Nothing scope={scope} />
  return (
    <ul className="grid gap-4">
      {agreements.map((agreement) => (
        <li key={agreement.id} className="min-w-0">
          <AgreementItem agreement={agreement} businesses={scope.kind === 'own' ? scope.businesses : []} />
        </li>
      ))}
    </ul>
  )
}

function Nothing({ scope }: { scope: Scope }) {
  return (
    <div className="rounded-card border border-line border-dashed px-5 py-8">
      <p className="font-medium">{scope.kind === 'own' ? 'You pay for nothing' : 'Free Account'}</p>
      <p className="mt-1 max-w-text text-muted">
        {scope.kind === 'own' ? (
          <>
            Searching, favorites, following and reviews are free. A subscription to a business is bought on{' '}
            <Link to="/discover" className={textLink}>
              its page
            </Link>
            .
          </>
        ) : (
          `${scope.business.name} has no plan. Its page, its reviews and its place in the directory are free.`
        )}
      </p>
    </div>
  )
}
