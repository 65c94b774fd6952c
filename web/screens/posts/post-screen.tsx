import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import type { PostInCommunity } from '#contracts/post-in-community.ts'
import type { Post } from '#contracts/posts.ts'
import { PostCard, PostSkeleton } from '#web/entities/posts/post-card.tsx'
import { postOptions, shownPost } from '#web/entities/posts/posts.api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useGoBack } from '#web/lib/use-go-back.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'
import { SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { Comments } from './comments.tsx'
import { PostNotFound } from './post-not-found.tsx'

const CommunityPostPage = lazy(() => import('./community-post-page.tsx').then(({ CommunityPostPage: Page }) => ({ default: Page })))

const isOfCommunity = (post: Post): post is Post & { community: PostInCommunity } => post.community !== null

export function PostScreen({ id }: { id: string }) {
  const client = useQueryClient()
  const hash = useLocation({ select: (location) => location.hash })
  const field = useRef<HTMLTextAreaElement>(null)
  const isRemoved = useRemoved().has(id)
  // Show the post from a cached list while loading.
  const query = useQuery({ ...postOptions(id), placeholderData: () => shownPost(client, id) })
  const { data: post, error, isPending, isFetching, refetch } = query
  const hasPost = post !== undefined && !post.isLocked

  // A card's comment button links to the field.
  useEffect(() => {
    if (hash === 'comments' && hasPost) field.current?.focus()
  }, [hash, hasPost])

  const leave = useGoBack('/')

  if (isPending) {
    return (
      <div className={frame}>
        <SkeletonGroup label="Loading the post..." className="grid gap-6">
          <PostSkeleton />
          <SkeletonRow />
          <SkeletonRow />
        </SkeletonGroup>
      </div>
    )
  }
  if (isRemoved || (!post && error instanceof ApiError && (error.status === 404 || error.status === 400)))
    return <PostNotFound onBack={leave} />
  if (!post) {
    return (
      <div className="py-10">
        <h1 className="sr-only">Post</h1>
        <LoadError title="This post couldn’t be loaded" query={{ error, refetch, isFetching }} />
      </div>
    )
  }
  return (
    <div className={frame}>
      <Button variant="quiet" size="sm" className="-ml-3 mb-2" onClick={leave}>
        <ArrowLeft aria-hidden="true" />
        Back
      </Button>
      {isOfCommunity(post) ? (
        <Suspense fallback={<PostSkeleton />}>
          <CommunityPostPage post={post} onComment={() => field.current?.focus()} onRemoved={leave} />
        </Suspense>
      ) : (
        <PostCard post={post} where="page" level={1} onComment={() => field.current?.focus()} onRemoved={leave} />
      )}
      {hasPost && (
        <div className="mt-8">
          <Comments post={post} hash={hash} fieldRef={field} />
        </div>
      )}
    </div>
  )
}

const frame = 'mx-auto max-w-feed px-4 pt-4 pb-16 sm:px-6 sm:pt-6'
