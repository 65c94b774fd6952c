import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { FoundMessage } from '../../../contracts/messages.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Ago } from '../../ui/ago.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { MorePages } from '../../ui/more-pages.tsx'
import { SkeletonGroup, SkeletonRow } from '../../ui/skeleton.tsx'
import { excerptAround, markWords } from './found-words.ts'
import { foundMessagesOptions, type Inbox } from './messages.api.ts'
import { PartyPicture, partyName } from './party.tsx'
import { useListSearch } from './use-list-search.ts'
import { useSettled } from './use-settled.ts'

/** Messages that hold all the words, newest first. */
export function FoundMessages({ inbox, query }: { inbox: Inbox; query: string }) {
  const asked = useSettled(query, 250)
  const list = useInfiniteQuery({ ...foundMessagesOptions(inbox, asked), placeholderData: (before) => before })
  const found = list.data?.pages.flatMap(({ items }) => items) ?? []
  const { hasNextPage, isFetching, fetchNextPage } = list
  // A page looks so far back and no further: an empty one is no answer yet.
  const mustGoOn = found.length === 0 && hasNextPage && !isFetching && !list.isFetchNextPageError
  useEffect(() => {
    if (mustGoOn) void fetchNextPage()
  }, [mustGoOn, fetchNextPage])

  const isSearching = list.isPending || asked !== query || list.isPlaceholderData || (found.length === 0 && isFetching)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain border-line border-t">
      <p role="status" className="sr-only">
        {isSearching ? 'Searching...' : `${found.length}${hasNextPage ? ' or more' : ''} found`}
      </p>
      {found.length > 0 ? (
        <div className="px-2 pt-1 pb-3" aria-busy={isSearching}>
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
            {found.map((each) => (
              <li key={each.message.id}>
                <FoundRow found={each} query={asked} />
              </li>
            ))}
          </ul>
          <MorePages list={list} />
        </div>
      ) : isSearching || mustGoOn ? (
        <SkeletonGroup label="Searching..." className="px-4">
          <SkeletonRow />
          <SkeletonRow />
          <SkeletonRow />
        </SkeletonGroup>
      ) : list.isError ? (
        <ErrorState
          title="The search did not work"
          description={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          pending={isFetching}
        />
      ) : (
        <EmptyState title="Nothing found" description={`No message of yours holds “${asked}”. Try fewer or other words.`} />
      )}
    </div>
  )
}

function FoundRow({ found: { message, with: party }, query }: { found: FoundMessage; query: string }) {
  return (
    <Link
      to="/messages/{-$id}"
      params={{ id: message.conversationId }}
      search={{ ...useListSearch(), at: message.sequence }}
      className="flex items-start gap-3 rounded-input px-2.5 py-2.5 transition-colors hover:bg-sunk focus-visible:-outline-offset-2"
    >
      <PartyPicture party={party} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">{partyName(party)}</span>
          <Ago at={message.createdAt} className="shrink-0 text-muted text-xs" />
        </span>
        <span className="line-clamp-2 text-muted text-sm wrap-anywhere">
          {message.isOwn && 'You: '}
          {markWords(excerptAround(message.content, query), query).map(({ text, isMarked }, index) =>
            isMarked ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order
              <mark key={index} className="bg-transparent font-semibold text-ink">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </span>
      </span>
    </Link>
  )
}
