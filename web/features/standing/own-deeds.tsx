import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Card, CardBody } from '../../ui/card.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { ListNote, PagedList } from '../../ui/paged-list.tsx'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { OwnDeedCard } from './own-deed-card.tsx'
import { ownDeedsOptions } from './standing.api.ts'
import { deedElementId, useNamedDeed } from './use-named-deed.ts'

/** What was done, the newest first, each with its reasons and its appeal. */
export function OwnDeeds() {
  const list = useInfiniteQuery(ownDeedsOptions)
  useNamedDeed(list.data?.pages.flatMap(({ items }) => items) ?? [], list)
  return (
    <section aria-labelledby="own-deeds">
      <h2 id="own-deeds" className="mb-4 text-xl">
        What moderators decided
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading decisions..."
        skeleton={
          <Card>
            <CardBody className="grid gap-4">
              <Skeleton className="h-5 w-3/5 rounded-full" />
              <SkeletonText lines={2} />
            </CardBody>
          </Card>
        }
        failure="The decisions could not be loaded"
        cards="each"
        empty={
          <ListNote title="Nothing was done about you or what you wrote">
            What is not wanted here stands in the{' '}
            <Link to="/guidelines" className={textLink}>
              guidelines
            </Link>
            , and what moderators do about it in the public{' '}
            <Link to="/moderation-log" className={textLink}>
              log
            </Link>
            .
          </ListNote>
        }
      >
        {(deeds) => (
          <ul className="grid gap-4">
            {deeds.map((deed) => (
              <li key={deed.id} id={deedElementId(deed.id)} className="scroll-mt-24">
                <OwnDeedCard deed={deed} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  )
}
