import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Heart, MessageCircle, PenLine } from 'lucide-react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { minReactions, reactionDays } from '#contracts/limits.ts'
import type { Post } from '#contracts/posts.ts'
import { postsOptions } from '#web/entities/businesses/businesses.api.ts'
import { DraftLists, Section } from '#web/entities/drafts/draft-lists.tsx'
import { bestTimesOptions } from '#web/entities/drafts/drafts.api.ts'
import { hourWords } from '#web/entities/drafts/schedule-time.ts'
import { PostMenu } from '#web/entities/posts/post-menu.tsx'
import { postTypeLabel } from '#web/entities/posts/post-words.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { zoneName } from '#web/lib/time-zones.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { EmptyNote } from '#web/ui/notice.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

export function SocialTab({ business }: { business: MyBusiness }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="max-w-text text-muted text-sm">Your posts reach everyone who follows {business.name}.</p>
          <Button asChild>
            <Link to="/create-post" state={{ postAs: business.id }}>
              <PenLine aria-hidden="true" />
              New post
            </Link>
          </Button>
        </div>
        <DraftLists businessId={business.id} />
        <PublishedPosts businessId={business.id} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
        <BestTimes businessId={business.id} />
      </div>
    </div>
  )
}

const maxShown = 6

function BestTimes({ businessId }: { businessId: string }) {
  const { data, error, refetch, isFetching } = useQuery(bestTimesOptions(businessId))
  return (
    <Section title="Best times">
      {!data && !error && (
        <SkeletonGroup label="Loading best times...">
          <Skeleton className="h-44 rounded-card" />
        </SkeletonGroup>
      )}
      {!data && error && <LoadError level={3} title="The times couldn’t be loaded" query={{ error, refetch, isFetching }} />}
      {data && data.hours.length === 0 && <EmptyNote>{nothingToSay(data.reactionCount)}</EmptyNote>}
      {data && data.hours.length > 0 && (
        <Card>
          <CardBody className="grid gap-3">
            <table className="w-full text-sm">
              <caption className="sr-only">Likes and comments by hour of the week</caption>
              <thead className="sr-only">
                <tr>
                  <th scope="col">Hour</th>
                  <th scope="col">Likes and comments</th>
                </tr>
              </thead>
              <tbody>
                {data.hours.slice(0, maxShown).map((each) => (
                  <tr key={`${each.weekday} ${each.hour}`}>
                    <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                      {hourWords(each)}
                      <span
                        aria-hidden="true"
                        className="mt-1 block h-1.5 rounded-full bg-leaf"
                        style={{ width: `${(100 * each.reactionCount) / (data.hours[0]?.reactionCount ?? 1)}%` }}
                      />
                    </th>
                    <td className="py-1.5 text-right align-top font-medium tabular-nums">{formatNumber(each.reactionCount)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p className="text-muted text-xs">
              Based on {formatNumber(data.reactionCount)} likes and comments in the last {reactionDays} days, in {zoneName(data.timeZone)}.
              Hours with fewer than five people are left out.
            </p>
          </CardBody>
        </Card>
      )}
    </Section>
  )
}

function nothingToSay(reactionCount: number): string {
  if (reactionCount < minReactions) {
    return `Your posts got ${counted(reactionCount, 'like or comment', 'likes and comments')} in the last ${reactionDays} days. Once you have ${minReactions}, you’ll see when people react.`
  }
  return 'No hour stands out yet. We need reactions from at least five people in the same hour.'
}

function PublishedPosts({ businessId }: { businessId: string }) {
  const list = useInfiniteQuery(postsOptions(businessId))
  const removed = useRemoved()
  return (
    <Section title="Posts">
      <PagedList
        list={list}
        loadingLabel="Loading posts..."
        skeleton={<Skeleton className="h-16 rounded-card" />}
        failure="The posts couldn’t be loaded"
        empty={<EmptyNote>No posts available yet.</EmptyNote>}
      >
        {(posts) => (
          <Card asChild className="overflow-visible!">
            <ul className="divide-y divide-line px-4 sm:px-5">
              {posts
                .filter(({ id }) => !removed.has(id))
                .map((post) => (
                  <li key={post.id}>
                    <PostRow post={post} />
                  </li>
                ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </Section>
  )
}

function PostRow({ post }: { post: Post }) {
  return (
    <div className="flex items-start gap-4 py-3.5">
      <div className="grid min-w-0 flex-1 gap-1">
        <Link to="/post/$id" params={{ id: post.id }} className="font-medium wrap-anywhere hover:underline">
          {post.title}
        </Link>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-muted text-xs">
          <Ago at={post.createdAt} />
          <span>{postTypeLabel(post.postType)}</span>
          {post.isExclusive && <Badge variant="outline">Exclusive</Badge>}
        </div>
      </div>
      <div className="flex shrink-0 gap-4 pt-0.5 text-sm tabular-nums">
        <Count Icon={Heart} text={counted(post.likesCount, 'like')} count={post.likesCount} />
        <Count Icon={MessageCircle} text={counted(post.commentsCount, 'comment')} count={post.commentsCount} />
      </div>
      <PostMenu post={post} />
    </div>
  )
}

const Count = ({ Icon, text, count }: { Icon: typeof Heart; text: string; count: number }) => (
  <span className="inline-flex items-center gap-1.5">
    <Icon aria-hidden="true" className="size-4 text-muted" />
    <span aria-hidden="true">{formatNumber(count)}</span>
    <span className="sr-only">{text}</span>
  </span>
)
