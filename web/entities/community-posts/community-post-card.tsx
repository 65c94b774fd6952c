import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, CircleCheck, Leaf, Package, Pin, PinOff, Sprout, Store, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { pinPost, unpinPost } from '#contracts/calls/community-posts.ts'
import type { Post, PostInCommunity, PostLink } from '#contracts/posts.ts'
import { PostCard } from '#web/entities/posts/post-card.tsx'
import { changePost } from '#web/entities/posts/posts.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { ActionLink } from '#web/ui/action-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { refreshCommunityPosts } from './community-posts.api.ts'
import { PollBox } from './poll-box.tsx'

type CommunityPostCardProps = {
  post: Post & { community: PostInCommunity }
  /** On `community`, the community's own page, its name would be redundant. */
  where: 'community' | 'feed' | 'list' | 'page'
  onComment?: (() => void) | undefined
  onRemoved?: (() => void) | undefined
}

export function CommunityPostCard({ post, where, onComment, onRemoved }: CommunityPostCardProps) {
  const { community } = post
  const { poll, link, may, isPinned, acceptedCommentId } = community
  return (
    <PostCard
      post={post}
      where={where === 'page' ? 'page' : 'feed'}
      level={where === 'page' ? 1 : 3}
      onComment={onComment}
      onRemoved={onRemoved}
      parts={{
        isInFeed: where === 'feed',
        place: where !== 'community' && <Place community={community} />,
        badges: (
          <>
            {isPinned && (
              <Badge>
                <Pin aria-hidden="true" />
                Pinned
              </Badge>
            )}
            {acceptedCommentId && (
              <Badge variant="leaf">
                <CircleCheck aria-hidden="true" />
                Answered
              </Badge>
            )}
          </>
        ),
        body: (
          <>
            {poll && <PollBox post={post} poll={poll} mayVote={may.vote} />}
            {link && <LinkCard link={link} />}
          </>
        ),
        menu: may.pin && <PinItem post={post} community={community} />,
      }}
    />
  )
}

function Place({ community: { slug, name } }: { community: PostInCommunity }) {
  return (
    <p className="flex items-center gap-1.5 border-line border-b px-4 py-2 text-muted text-xs sm:px-5">
      <UsersRound aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        Posted in{' '}
        <Link
          to="/communities/$id"
          params={{ id: slug }}
          className="touch-target rounded-tag font-medium text-ink hover:underline hover:underline-offset-3"
        >
          {name}
        </Link>
      </span>
    </p>
  )
}

function PinItem({ post: { id }, community: { isPinned } }: { post: Pick<Post, 'id'>; community: PostInCommunity }) {
  const client = useQueryClient()
  const show = (pinned: boolean) =>
    changePost(client, id, ({ community }) => (community ? { community: { ...community, isPinned: pinned } } : {}))
  const pinning = useMutation({
    mutationFn: (pinned: boolean) => call(pinned ? pinPost : unpinPost, { params: { id } }),
    onSuccess: (state) => {
      show(state.isPinned)
      toast({ title: state.isPinned ? 'Post pinned' : 'Post unpinned' })
      void refreshCommunityPosts(client)
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <MenuItem onSelect={() => pinning.mutate(!isPinned)}>
      {isPinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
      {isPinned ? 'Unpin' : 'Pin to the top'}
    </MenuItem>
  )
}

const looks = {
  hunt: { icon: Sprout, word: 'Pheno hunt' },
  strain: { icon: Leaf, word: 'Strain' },
  business: { icon: Store, word: 'Business' },
  product: { icon: Package, word: 'Product' },
} as const

export function LinkFace({ link: { kind, name, detail }, end }: { link: Pick<PostLink, 'kind' | 'name' | 'detail'>; end?: ReactNode }) {
  const { icon: Icon, word } = looks[kind]
  return (
    <>
      <span className="grid size-9 shrink-0 place-items-center rounded-input bg-leaf-soft text-leaf">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-muted text-sm">
          {word}
          {detail && ` · ${detail}`}
        </span>
      </span>
      {end}
    </>
  )
}

function LinkCard({ link }: { link: PostLink }) {
  return (
    <ActionLink
      href={link.path}
      className="mt-4 flex items-center gap-3 rounded-input border border-line p-2.5 pr-3 transition-colors hover:border-edge hover:bg-sunk"
    >
      <LinkFace link={link} end={<ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-muted" />} />
    </ActionLink>
  )
}
