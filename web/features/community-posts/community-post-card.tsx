import { Link } from '@tanstack/react-router'
import { CircleCheck, Pin, UsersRound } from 'lucide-react'
import type { PostInCommunity } from '../../../contracts/post-in-community.ts'
import type { Post } from '../../../contracts/posts.ts'
import { Badge } from '../../ui/badge.tsx'
import { PostCard } from '../posts/post-card.tsx'
import { LinkCard } from './link-card.tsx'
import { PinItem } from './pin-item.tsx'
import { PollBox } from './poll-box.tsx'

type CommunityPostCardProps = {
  post: Post & { community: PostInCommunity }
  /** `community`: on the page of the community, which need not be named. */
  where: 'community' | 'feed' | 'page'
  onComment?: (() => void) | undefined
  onRemoved?: (() => void) | undefined
}

/** A post of a community: the card of every post, with what it has besides. */
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

/** The community it was posted in. */
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
