import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { CommunitySuggestion } from '#contracts/communities.ts'
import { countWords } from '#web/entities/communities/community-words.ts'
import { JoinButton } from '#web/entities/communities/join-button.tsx'
import { type PostFilter, suggestedOptions, trendingOptions } from '#web/entities/community-posts/community-posts.api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListNote } from '#web/ui/paged-list.tsx'
import { CommunityPicture } from './community-parts.tsx'
import { PostFilters, PostList, TagList } from './post-list.tsx'

export function CommunityFeedTab() {
  const [filter, setFilter] = useState<Pick<PostFilter, 'type' | 'tag'>>({})
  const tags = useQuery(trendingOptions).data ?? []
  const isNarrow = filter.type !== undefined || filter.tag !== undefined
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,42.5rem)_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-x-8 lg:gap-y-5">
      <section aria-labelledby="community-feed" className="grid min-w-0 grid-cols-1 content-start gap-4 lg:row-span-2">
        <h2 id="community-feed" className="sr-only">
          Community feed
        </h2>
        <PostFilters filter={filter} onChange={setFilter} />
        <PostList
          filter={filter}
          where="feed"
          empty={
            isNarrow ? (
              <ListNote
                title={filter.tag && !filter.type ? `No posts about #${filter.tag} in your communities yet` : 'No matching posts yet'}
              >
                {filter.tag && !filter.type
                  ? 'People are talking about it in public communities you haven’t joined.'
                  : 'Show all posts, or write the first one.'}
              </ListNote>
            ) : (
              <EmptyState title="Your feed is quiet" level={3} description="Posts from communities you join appear here.">
                <Button asChild>
                  <Link to="/communities" search={{}}>
                    Find communities
                  </Link>
                </Button>
              </EmptyState>
            )
          }
        />
      </section>
      {tags.length > 0 && (
        <section
          aria-labelledby="trending-hashtags"
          className="rounded-card border border-line bg-surface p-4 max-lg:order-first sm:p-5 lg:col-start-2 lg:row-start-1"
        >
          <h2 id="trending-hashtags" className="text-lg">
            Trending hashtags
          </h2>
          <div className="-mx-2 mt-2">
            <TagList label="Trending hashtags" tags={tags} chosen={filter.tag} onChoose={(tag) => setFilter({ ...filter, tag })} />
          </div>
        </section>
      )}
      <div className="min-w-0 lg:col-start-2 lg:row-start-2">
        <SuggestedCommunities />
      </div>
    </div>
  )
}

const reasons: Record<CommunitySuggestion['because'], string> = {
  people: 'People you follow are members',
  category: 'Similar to your communities',
  size: 'One of the largest',
}

/** Optional, so an error or an empty list renders nothing. */
function SuggestedCommunities() {
  const suggestions = useQuery(suggestedOptions).data ?? []
  if (suggestions.length === 0) return null
  return (
    <section aria-labelledby="suggested-communities" className="rounded-card border border-line bg-surface p-4 sm:p-5">
      <h2 id="suggested-communities" className="text-lg">
        Suggested communities
      </h2>
      <ul className="mt-3 grid gap-4 sm:max-lg:grid-cols-2">
        {suggestions.map(({ community, because }) => (
          <li key={community.id} className="grid gap-2">
            <div className="flex gap-3">
              <span className="size-11 shrink-0 overflow-hidden rounded-input">
                <CommunityPicture community={community} className="size-full" />
              </span>
              <div className="min-w-0">
                <Link
                  to="/communities/$id"
                  params={{ id: community.slug }}
                  className="touch-target rounded-tag font-semibold wrap-anywhere hover:underline hover:underline-offset-3"
                >
                  {community.name}
                </Link>
                <p className="text-muted text-sm tabular-nums">{countWords(community)}</p>
                <p className="text-muted text-sm">{reasons[because]}</p>
              </div>
            </div>
            <JoinButton community={community} variant="secondary" className="w-full" />
          </li>
        ))}
      </ul>
    </section>
  )
}
