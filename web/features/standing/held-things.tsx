import { useInfiniteQuery } from '@tanstack/react-query'
import type { HeldThing } from '../../../contracts/standing.ts'
import { messageOf } from '../../lib/api-error.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { isSuspended } from '../../lib/route-access.ts'
import { Ago, useNow } from '../../ui/ago.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { MorePages } from '../../ui/more-pages.tsx'
import { ActionLink } from '../notifications/action-link.tsx'
import { heldThingsOptions } from './standing.api.ts'
import { subjectTitle } from './standing-words.ts'

/** What the person wrote and others do not see yet. Most people never have any, so that nothing is said where there is none. */
export function HeldThings() {
  const list = useInfiniteQuery(heldThingsOptions)
  const things = list.data?.pages.flatMap(({ items }) => items) ?? []
  const failed = list.isError && !list.data
  if (things.length === 0 && !failed && !list.hasNextPage) return null
  return (
    <section aria-labelledby="held-things">
      <h2 id="held-things" className="text-xl">
        Waiting for a moderator
      </h2>
      <p className="mt-1 mb-4 text-muted">Only you see these until a moderator has looked at them. You are told what they decide.</p>
      {failed ? (
        <Card>
          <ErrorState
            level={3}
            title="What waits could not be loaded"
            description={messageOf(list.error)}
            onRetry={() => void list.refetch()}
            pending={list.isFetching}
          />
        </Card>
      ) : (
        <>
          <Card asChild>
            <ul>
              {things.map((thing) => (
                <HeldItem key={thing.id} thing={thing} />
              ))}
            </ul>
          </Card>
          <MorePages list={list} />
        </>
      )}
    </section>
  )
}

function HeldItem({ thing: { subject, title, path, heldFor, since } }: { thing: HeldThing }) {
  const user = useCurrentUser()
  const now = useNow()
  const name = title ?? subjectTitle(subject)
  // Whoever is suspended is led back here from everywhere.
  const href = user && !isSuspended(user, now) ? path : null
  return (
    <li className="border-line px-4 py-3.5 not-last:border-b sm:px-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="wrap-anywhere min-w-0">
          {href ? (
            <ActionLink href={href} className={textLink}>
              {name}
            </ActionLink>
          ) : (
            name
          )}
          {title && <span className="text-muted"> · {subjectTitle(subject)}</span>}
        </p>
        <p className="text-muted text-sm">
          <Ago at={since} />
        </p>
      </div>
      {heldFor.length > 0 && (
        <ul className="mt-1.5 grid list-disc gap-0.5 pl-4.5 text-muted text-sm">
          {heldFor.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </li>
  )
}
