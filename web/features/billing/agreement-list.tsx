import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { textLink } from '../../ui/link-styles.ts'
import { PagedList } from '../../ui/paged-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
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
        <PagedList
          list={list}
          loadingLabel="Loading plans..."
          skeleton={<Skeleton className="h-36 rounded-card" />}
          failure="Plans could not be loaded"
          empty={<Nothing scope={scope} />}
          cards="each"
        >
          {(agreements) => (
            <ul className="grid gap-4">
              {agreements.map((agreement) => (
                <li key={agreement.id} className="min-w-0">
                  <AgreementItem agreement={agreement} businesses={scope.kind === 'own' ? scope.businesses : []} />
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </section>
  )
}

function Nothing({ scope }: { scope: Scope }) {
  return (
    <div className="rounded-card border border-line border-dashed px-5 py-8">
      <p className="font-medium">{scope.kind === 'own' ? 'No active plans' : 'Free Account'}</p>
      <p className="mt-1 max-w-text text-muted">
        {scope.kind === 'own' ? (
          <>
            Searching, favorites, following and reviews are free. You can subscribe to a business on{' '}
            <Link to="/discover" className={textLink}>
              its page
            </Link>
            .
          </>
        ) : (
          `${scope.business.name} has no plan. Its page, reviews and directory listing are free.`
        )}
      </p>
    </div>
  )
}
