import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListNote } from '../../ui/paged-list.tsx'
import { type PostFilter, trendingOptions } from './community-posts.api.ts'
import { PostFilters } from './post-filters.tsx'
import { PostList } from './post-list.tsx'
import { SuggestedCommunities } from './suggested-communities.tsx'
import { TagList } from './tag-list.tsx'

/** What is posted in the communities that one is in, and what is talked about. */
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
              <ListNote title={filter.tag ? `Nothing about #${filter.tag} in your communities yet` : 'Nothing like this yet'}>
                {filter.tag
                  ? 'It is talked about in public communities that you have not joined.'
                  : 'Show all posts again, or write the first one of this kind.'}
              </ListNote>
            ) : (
              <EmptyState title="Your feed is quiet" level={3} description="What is posted in the communities you join shows up here.">
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
