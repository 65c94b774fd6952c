import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Community } from '../../../contracts/communities.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListNote } from '../../ui/paged-list.tsx'
import { RuleList } from '../communities/rule-list.tsx'
import { useRemoved } from '../posts/use-removed.ts'
import { MutedNote } from '../standing/muted-note.tsx'
import { CommunityPostCard } from './community-post-card.tsx'
import { type PostFilter, pinnedOptions, tagsOptions } from './community-posts.api.ts'
import { Composer } from './composer.tsx'
import { PostFilters } from './post-filters.tsx'
import { PostList } from './post-list.tsx'
import { TagList } from './tag-list.tsx'

type CommunityPostsProps = { community: Pick<Community, 'id' | 'name' | 'rules' | 'abilities' | 'mutedUntil'> }

/** What is posted in a community: the composer, what is pinned, and the rest, newest first. For whoever reads it. */
export function CommunityPosts({ community }: CommunityPostsProps) {
  const { id, name, rules, abilities } = community
  const [filter, setFilter] = useState<Pick<PostFilter, 'type' | 'tag'>>({})
  const isNarrow = filter.type !== undefined || filter.tag !== undefined
  const removed = useRemoved()
  const pins = useInfiniteQuery(pinnedOptions(id)).data?.pages.flatMap(({ items }) => items) ?? []
  const pinned = isNarrow ? [] : pins.filter((post) => post.community.isPinned && !removed.has(post.id))
  const tags = useQuery(tagsOptions(id)).data ?? []
  const choose = (tag: string | undefined) => setFilter({ ...filter, tag })
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,42.5rem)_minmax(0,1fr)] lg:gap-x-8">
      <section aria-label={`Posts in ${name}`} className="grid min-w-0 grid-cols-1 content-start gap-4">
        <h2 className="sr-only">Posts</h2>
        {abilities.post && <Composer community={community} />}
        {community.mutedUntil && <MutedNote until={community.mutedUntil} where={name} />}
        <PostFilters filter={filter} onChange={setFilter} />
        {tags.length > 0 && (
          <div className="-mt-2 lg:hidden">
            <TagList label="Talked about lately" tags={tags.slice(0, 5)} chosen={filter.tag} onChoose={choose} />
          </div>
        )}
        {pinned.length > 0 && (
          <ol aria-label="Pinned posts" className="grid gap-4">
            {pinned.map((post) => (
              <li key={post.id} className="min-w-0">
                <CommunityPostCard post={post} where="community" />
              </li>
            ))}
          </ol>
        )}
        <PostList
          filter={{ communityId: id, ...filter }}
          where="community"
          without={new Set(pinned.map((post) => post.id))}
          empty={
            isNarrow ? (
              <ListNote title="Nothing like this yet">Show all posts, or write the first one of this kind.</ListNote>
            ) : (
              <EmptyState
                title="No posts yet"
                level={3}
                description={abilities.post ? 'Ask something, or show how your plants are doing.' : 'Members write here. Come back soon.'}
              />
            )
          }
        />
      </section>
      <div className="hidden min-w-0 content-start gap-5 lg:grid">
        {tags.length > 0 && (
          <Beside title="Talked about lately">
            <div className="-mx-2 mt-2">
              <TagList label="Talked about lately" tags={tags} chosen={filter.tag} onChoose={choose} />
            </div>
          </Beside>
        )}
        {rules.length > 0 && (
          <Beside title="Rules">
            <div className="mt-3">
              <RuleList rules={rules} />
            </div>
          </Beside>
        )}
      </div>
    </div>
  )
}

const Beside = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="rounded-card border border-line bg-surface p-5">
    <h2 className="text-lg">{title}</h2>
    {children}
  </section>
)
