import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { createCommunityPost } from '#contracts/calls/community-posts.ts'
import type { Community } from '#contracts/communities.ts'
import { ownDisplayName } from '#contracts/people.rules.ts'
import { heldToast } from '#web/entities/account-status/account-status-words.ts'
import { MutedNote, useMutedUntil } from '#web/entities/account-status/moderation-note.tsx'
import { refreshPostCounts } from '#web/entities/communities/communities.api.ts'
import { RuleList } from '#web/entities/communities/rule-list.tsx'
import { CommunityPostCard } from '#web/entities/community-posts/community-post-card.tsx'
import { type PostFilter, pinnedOptions, refreshCommunityPosts, tagsOptions } from '#web/entities/community-posts/community-posts.api.ts'
import { emptyPost } from '#web/entities/community-posts/composer-values.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { getTabItem } from '#web/forms/tab-memory.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useListFocus } from '#web/ui/focus.ts'
import { ListNote } from '#web/ui/paged-list.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import type { CommunitySearch } from './communities-search.ts'
import { PostFilters, PostList, PostSort, TagList } from './post-list.tsx'

type CommunityPostsProps = {
  community: Pick<Community, 'id' | 'name' | 'rules' | 'abilities' | 'mutedUntil'>
  search: CommunitySearch
  onSort: (sort: CommunitySearch) => void
}

export function CommunityPosts({ community, search: { sort, period }, onSort }: CommunityPostsProps) {
  const { id, name, rules, abilities } = community
  const [filter, setFilter] = useState<Pick<PostFilter, 'type' | 'tag'>>({})
  const isNarrow = filter.type !== undefined || filter.tag !== undefined
  const removed = useRemoved()
  const pinnedFocus = useListFocus<HTMLOListElement>()
  const pins = useInfiniteQuery(pinnedOptions(id)).data?.pages.flatMap(({ items }) => items) ?? []
  const pinned = isNarrow || sort ? [] : pins.filter((post) => post.community.isPinned && !removed.has(post.id))
  const tags = useQuery(tagsOptions(id)).data ?? []
  const choose = (tag: string | undefined) => setFilter({ ...filter, tag })
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,42.5rem)_minmax(0,1fr)] lg:gap-x-8">
      <section aria-label={`Posts in ${name}`} className="grid min-w-0 grid-cols-1 content-start gap-4">
        <h2 className="sr-only">Posts</h2>
        {abilities.post && <Composer community={community} />}
        {community.mutedUntil && <MutedNote until={community.mutedUntil} where={name} />}
        <PostFilters filter={filter} onChange={setFilter} />
        <PostSort sort={sort} period={period} onChange={onSort} />
        {tags.length > 0 && (
          <div className="-mx-4 -mt-2 overflow-x-auto px-4 [scrollbar-width:none] lg:hidden [&>ul]:flex-nowrap [&_li]:max-w-full [&_li]:shrink-0">
            <TagList label="Popular topics" tags={tags.slice(0, 5)} chosen={filter.tag} onChoose={choose} />
          </div>
        )}
        {pinned.length > 0 && (
          <ol {...pinnedFocus} aria-label="Pinned posts" className="grid gap-4">
            {pinned.map((post) => (
              <li key={post.id} className="min-w-0">
                <CommunityPostCard post={post} where="community" />
              </li>
            ))}
          </ol>
        )}
        <PostList
          filter={{ communityId: id, ...filter, sort, period }}
          where="community"
          without={new Set(pinned.map((post) => post.id))}
          empty={
            period && !isNarrow ? (
              <ListNote title={`No posts this ${period}`}>
                {abilities.post ? 'Choose a longer period, or write the first post.' : 'Choose a longer period.'}
              </ListNote>
            ) : isNarrow ? (
              <ListNote title="No matching posts yet">
                {abilities.post ? 'Show all posts, or write the first one.' : 'Choose another type or topic to see more posts.'}
              </ListNote>
            ) : (
              <EmptyState
                title="No posts yet"
                level={3}
                description={abilities.post ? 'Ask a question, or show how your plants are doing.' : 'Members post here. Check back soon.'}
              />
            )
          }
        />
      </section>
      <div className="hidden min-w-0 content-start gap-5 lg:grid">
        {tags.length > 0 && (
          <Beside title="Popular topics">
            <div className="-mx-2 mt-2">
              <TagList label="Popular topics" tags={tags} chosen={filter.tag} onChoose={choose} />
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

const PostFields = lazy(async () => ({ default: (await import('#web/entities/community-posts/post-fields.tsx')).PostFields }))

function Composer({ community: { id, name } }: { community: Pick<Community, 'id' | 'name'> }) {
  const user = useCurrentUser()
  const client = useQueryClient()
  const subject = `community-post.${user?.id}.${id}`
  const [isOpen, setOpen] = useState(() => getTabItem(`draft.${subject}`) !== undefined)
  const opener = useRef<HTMLButtonElement>(null)
  const mutedUntil = useMutedUntil()
  if (!user) return null
  if (mutedUntil) return <MutedNote until={mutedUntil} />
  const ownName = ownDisplayName(user)
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  if (!isOpen) {
    return (
      <Card>
        <CardBody className="flex items-center gap-3 sm:py-4!">
          <Avatar id={user.id} name={ownName} imageUrl={user.profileImageUrl} size="md" />
          <button
            ref={opener}
            type="button"
            onClick={() => setOpen(true)}
            className="min-h-11 min-w-0 flex-1 truncate rounded-full border border-edge bg-surface px-4 text-left text-muted transition-colors hover:border-ink/60 hover:text-ink"
          >
            Ask or share something in {name}
          </button>
        </CardBody>
      </Card>
    )
  }
  return (
    <Card className="overflow-visible!">
      <CardBody className="sm:p-6">
        <h2 className="mb-5 text-xl">New post</h2>
        <Suspense
          fallback={
            <SkeletonGroup className="grid gap-4">
              <Skeleton className="h-10 w-4/5" />
              <Skeleton className="h-12" />
              <Skeleton className="h-36" />
            </SkeletonGroup>
          }
        >
          <PostFields
            communityId={id}
            subject={subject}
            initial={emptyPost}
            submitText="Post"
            pendingText="Posting..."
            onCancel={close}
            onSubmit={async (body) => {
              const post = await call(createCommunityPost, { body }, { idempotencyKey: creationKey(subject, body) })
              dropCreationKey(subject)
              void refreshPostCounts(client)
              await refreshCommunityPosts(client)
              toast(post.moderation === null ? { title: 'Posted' } : heldToast)
              close()
            }}
          />
        </Suspense>
      </CardBody>
    </Card>
  )
}
