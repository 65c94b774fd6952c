import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { ownDisplayName } from '../../../contracts/display-name.ts'
import { editPost, type Post } from '../../../contracts/posts.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { toast } from '../../ui/toast-store.ts'
import { valuesOf } from './composer-schema.ts'
import { ComposerSkeleton } from './composer-skeleton.tsx'
import { changePost } from './post-caches.ts'
import { PostForm } from './post-form.tsx'
import { PostNotFound } from './post-not-found.tsx'
import { postOptions } from './posts.api.ts'

const CommunityPostEdit = lazy(async () => ({ default: (await import('../community-posts/community-post-edit.tsx')).CommunityPostEdit }))

export function EditPostScreen({ id }: { id: string }) {
  const user = useCurrentUser()
  const { data: post, error, isPending, isFetching, refetch } = useQuery(postOptions(id))
  const router = useRouter()
  const leave = () => void router.navigate({ to: '/post/$id', params: { id } })
  if (!user) return null
  if (!post && error instanceof ApiError && (error.status === 404 || error.status === 400)) return <PostNotFound onBack={leave} />
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <PageHeader title="Edit Post" />
      {isPending && <ComposerSkeleton />}
      {!isPending && !post && (
        <ErrorState
          title="This post could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      )}
      {post && !post.abilities.edit && (
        <p className="mt-5 text-muted">
          Only those who wrote this post can change it.{' '}
          <Button asChild variant="secondary" size="sm">
            <Link to="/post/$id" params={{ id }}>
              Back to the post
            </Link>
          </Button>
        </p>
      )}
      {post?.abilities.edit && <EditForm user={user} post={post} onDone={leave} />}
    </div>
  )
}

function EditForm({ user, post, onDone }: { user: CurrentUser; post: Post; onDone: () => void }) {
  const client = useQueryClient()
  return (
    <Card className="mt-5 overflow-visible!">
      <CardBody className="sm:p-6">
        {post.community ? (
          <Suspense fallback={<ComposerSkeleton />}>
            <CommunityPostEdit userId={user.id} post={{ ...post, community: post.community }} onDone={onDone} />
          </Suspense>
        ) : (
          <PostForm
            subject={`post.${user.id}.${post.id}`}
            initial={valuesOf(post)}
            media={post.media}
            ownName={ownDisplayName(user)}
            businesses={post.business ? [{ ...post.business, role: 'staff', isLicenseVerified: true }] : []}
            isEdit
            submitText="Save"
            pendingText="Saving..."
            failure="Failed to save the post. Please try again."
            onSubmit={async ({ title, content, postType, isExclusive, mediaIds, place, tags }) => {
              const changes = { title, content, postType, isExclusive, mediaIds, place, tags }
              const changed = await call(editPost, { params: { id: post.id }, body: changes })
              changePost(client, post.id, () => changed)
              toast(
                changed.moderation === 'held'
                  ? { title: 'Waiting for a moderator', description: 'A moderator looks at it before others see it.' }
                  : { title: 'Post saved' },
              )
              onDone()
            }}
            cancel={
              <Button variant="quiet" size="lg" onClick={onDone}>
                Cancel
              </Button>
            }
          />
        )}
      </CardBody>
    </Card>
  )
}
