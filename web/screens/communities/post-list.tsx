import { useInfiniteQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { TrendingTag } from '#contracts/community-posts.ts'
import type { CommunityPostType } from '#contracts/posts.ts'
import { CommunityPostCard } from '#web/entities/community-posts/community-post-card.tsx'
import { communityPostsOptions, type PostFilter } from '#web/entities/community-posts/community-posts.api.ts'
import { PostSkeleton } from '#web/entities/posts/post-card.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { useListFocus } from '#web/ui/focus.ts'
import { PagedList } from '#web/ui/paged-list.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'
import { Select } from '#web/ui/select.tsx'
import type { CommunitySearch } from './communities-search.ts'

type PostListProps = {
  filter: PostFilter
  where: 'community' | 'feed'
  /** IDs of posts that the screen shows elsewhere. */
  without?: ReadonlySet<string>
  empty: ReactNode
}

const none: ReadonlySet<string> = new Set()

export function PostList({ filter, where, without = none, empty }: PostListProps) {
  const list = useInfiniteQuery(communityPostsOptions(filter))
  const removed = useRemoved()
  const listFocus = useListFocus<HTMLOListElement>()
  return (
    <PagedList
      list={list}
      loadingLabel="Loading posts..."
      skeleton={<PostSkeleton />}
      failure="The posts couldn’t be loaded"
      cards="each"
      empty={empty}
    >
      {(posts) => {
        const shown = posts.filter(({ id }) => !removed.has(id) && !without.has(id))
        // The list isn't empty if it has posts on later pages, or if some are shown elsewhere.
        if (shown.length === 0 && without.size === 0 && !list.hasNextPage) return empty
        return (
          <ol {...listFocus} className="grid grid-cols-1 gap-4">
            {shown.map((post) => (
              <li key={post.id} className="min-w-0">
                <CommunityPostCard post={post} where={where} />
              </li>
            ))}
          </ol>
        )
      }}
    </PagedList>
  )
}

const types: [CommunityPostType | undefined, string][] = [
  [undefined, 'All'],
  ['question', 'Questions'],
  ['grow_update', 'Grow updates'],
  ['discussion', 'Discussions'],
  ['poll', 'Polls'],
]

type PostFiltersProps = { filter: Pick<PostFilter, 'type' | 'tag'>; onChange: (filter: Pick<PostFilter, 'type' | 'tag'>) => void }

export function PostFilters({ filter, onChange }: PostFiltersProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for one question’s fields
    <div
      role="group"
      aria-label="Show"
      className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0"
    >
      {filter.tag && (
        <Chip pressed onClick={() => onChange({ ...filter, tag: undefined })}>
          #{filter.tag}
          <X aria-hidden="true" />
          <span className="sr-only">: show all tags</span>
        </Chip>
      )}
      {types.map(([type, label]) => (
        <Chip key={label} pressed={filter.type === type} onClick={() => onChange({ ...filter, type })}>
          {label}
        </Chip>
      ))}
    </div>
  )
}

const sorts: [label: string, sort: CommunitySearch][] = [
  ['New', {}],
  ['Active', { sort: 'active' }],
  ['Top this week', { sort: 'top', period: 'week' }],
  ['Top this month', { sort: 'top', period: 'month' }],
  ['Top of all time', { sort: 'top' }],
]

type PostSortProps = Pick<CommunitySearch, 'sort' | 'period'> & { onChange: (sort: CommunitySearch) => void }

export function PostSort({ sort, period, onChange }: PostSortProps) {
  const id = useId()
  const chosen = sorts.findIndex(([, each]) => each.sort === sort && each.period === period)
  return (
    <div className="-mt-1 flex items-center gap-2.5">
      <label htmlFor={id} className="text-muted text-sm">
        Sort by
      </label>
      <Select
        id={id}
        value={Math.max(0, chosen)}
        onChange={(event) => onChange(sorts[Number(event.target.value)]?.[1] ?? {})}
        className="w-44"
      >
        {sorts.map(([label], at) => (
          <option key={label} value={at}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  )
}

type TagListProps = { label: string; tags: readonly TrendingTag[]; chosen: string | undefined; onChoose: (tag: string | undefined) => void }

/** Most used first. Selecting a tag again clears the filter. */
export function TagList({ label, tags, chosen, onChoose }: TagListProps) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-x-1 gap-y-1.5">
      {tags.map(({ tag }) => (
        <li key={tag}>
          <button
            type="button"
            aria-pressed={tag === chosen}
            onClick={() => onChoose(tag === chosen ? undefined : tag)}
            className="touch-target min-h-8 rounded-full px-2.5 text-leaf text-sm transition-colors wrap-anywhere hover:bg-leaf-soft aria-pressed:bg-ink aria-pressed:text-ground pointer-coarse:min-h-11"
          >
            #{tag}
          </button>
        </li>
      ))}
    </ul>
  )
}
