import { useInfiniteQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { SearchForm } from '../../ui/search-form.tsx'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { publicHuntsOptions } from './hunts.api.ts'
import { PublicHuntCard } from './public-hunt-card.tsx'

/** Hunts that growers made public, the last published first. */
export function CommunityTab({ search }: { search: string }) {
  const router = useRouter()
  const list = useInfiniteQuery(publicHuntsOptions(search))
  const find = (text: string) =>
    void router.navigate({ to: '/pheno-hunt', search: { tab: 'community', ...(text ? { search: text } : {}) }, replace: true })
  return (
    <div className="mx-auto grid max-w-feed gap-5">
      <SearchForm
        key={search}
        label="Search public hunts"
        placeholder="Strain, cross or breeder"
        maxLength={80}
        search={search}
        onSearch={find}
      />
      <PagedList
        list={list}
        loadingLabel="Loading public hunts..."
        skeleton={<SkeletonRow />}
        failure="The public hunts could not be loaded"
        cards="each"
        empty={
          search ? (
            <EmptyState title={`No public hunt matches “${search}”`} description="Look for another strain, cross or breeder.">
              <Button variant="secondary" onClick={() => find('')}>
                Show all
              </Button>
            </EmptyState>
          ) : (
            <EmptyState
              title="No public hunts yet"
              description="Every hunt is private until its grower makes it public. Share one of yours: its menu has Share."
            />
          )
        }
      >
        {(hunts) => (
          <ul className="grid gap-4">
            {hunts.map((hunt) => (
              <li key={hunt.id}>
                <PublicHuntCard hunt={hunt} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  )
}
