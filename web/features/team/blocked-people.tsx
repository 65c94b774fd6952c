import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { listBlockedByBusiness, type Person } from '../../../contracts/people.ts'
import { callPage, type ListPage, queryKey } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { type Named, useBlockForBusiness } from '../businesses/use-block-for-business.ts'
import { PersonRow, Rows } from '../people/people-list.tsx'

const blockedOptions = (businessId: string) =>
  infiniteQueryOptions({
    queryKey: queryKey(listBlockedByBusiness, { params: { id: businessId } }),
    queryFn: ({ pageParam, signal }) => callPage(listBlockedByBusiness, { params: { id: businessId } }, pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<unknown>) => next,
  })

/** Whom the business has blocked: the place where a block ends. */
export function BlockedPeople({ business }: { business: Named }) {
  const list = useInfiniteQuery(blockedOptions(business.id))
  return (
    <section aria-labelledby="blocked" className="grid gap-3">
      <div>
        <h2 id="blocked" className="text-xl">
          Blocked people
        </h2>
        <p className="mt-1 text-muted text-sm">
          They can’t message {business.name}, comment under its posts, follow it or subscribe to it.
        </p>
      </div>
      <PagedList
        list={list}
        loadingLabel="Loading blocked people..."
        skeleton={<SkeletonRow />}
        failure="The blocked people could not be loaded"
        empty={
          <EmptyState level={3} title="No one is blocked" description="You can block someone from their comment, review or message." />
        }
      >
        {(people) => (
          <Rows>
            {people.map((person) => (
              <BlockedPerson key={person.id} business={business} person={person} />
            ))}
          </Rows>
        )}
      </PagedList>
    </section>
  )
}

function BlockedPerson({ business, person }: { business: Named; person: Person }) {
  const { setBlocked, isPending } = useBlockForBusiness(business, person)
  return (
    <PersonRow person={person}>
      <Button variant="secondary" size="sm" onClick={() => setBlocked(false)} pending={isPending} pendingText="Unblocking...">
        <span>
          Unblock<span className="sr-only"> {person.name}</span>
        </span>
      </Button>
    </PersonRow>
  )
}
