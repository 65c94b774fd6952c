import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { listMyBusinesses } from '#contracts/calls/businesses.ts'
import { editPost } from '#contracts/calls/posts.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { ownDisplayName } from '#contracts/people.rules.ts'
import type { Post } from '#contracts/posts.ts'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { changePost, postOptions } from '#web/entities/posts/posts.api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { valuesOf } from './composer-schema.ts'
import { ComposerSkeleton, PostForm } from './post-form.tsx'
import { PostNotFound } from './post-not-found.tsx'

const CommunityPostEdit = lazy(async () => ({
  default: (await import('./community-post-edit.tsx')).CommunityPostEdit,
}))

export function EditPostScreen({ id }: { id: string }) {
  const user = useCurrentUser()
  const { data: post, error, isPending, isFetching, refetch } = useQuery(postOptions(id))
  const businesses = useQuery(myBusinessesOptions)
  const router = useRouter()
  const leave = () => void router.navigate({ to: '/post/$id', params: { id } })
  if (!user) return null
  const business = post?.business ?? null
  const own = business ? businesses.data?.filter((each) => each.id === business.id) : []
  if (!post && error instanceof ApiError && (error.status === 404 || error.status === 400)) return <PostNotFound onBack={leave} />
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <PageHeader title="Edit Post" />
      {(isPending || (post?.abilities.edit && !own && businesses.isPending)) && <ComposerSkeleton />}
      {!isPending && !post && <LoadError title="This post couldn’t be loaded" query={{ error, refetch, isFetching }} />}
      {post && !post.abilities.edit && (
        <p className="mt-5 text-muted">
          Only the people who wrote this post can edit it.{' '}
          <Button asChild variant="secondary" size="sm">
            <Link to="/post/$id" params={{ id }}>
              Back to the post
            </Link>
          </Button>
        </p>
      )}
      {post?.abilities.edit && !own && businesses.isError && <LoadError title="The form couldn’t be loaded" query={businesses} />}
      {post?.abilities.edit && own && <EditForm user={user} post={post} businesses={own} onDone={leave} />}
    </div>
  )
}

type EditFormProps = { user: CurrentUser; post: Post; businesses: ResponseOf<typeof listMyBusinesses>; onDone: () => void }

function EditForm({ user, post, businesses, onDone }: EditFormProps) {
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
            businesses={businesses}
            isEdit
            submitText="Save"
            pendingText="Saving..."
            failure="Failed to save the post. Please try again."
            onSubmit={async ({ title, content, mentions, postType, isExclusive, mediaIds, place, tags }) => {
              const changes = { title, content, mentions, postType, isExclusive, mediaIds, place, tags }
              const changed = await call(editPost, { params: { id: post.id }, body: changes })
              changePost(client, post.id, () => changed)
              toast(
                changed.moderation === 'held'
                  ? { title: 'Waiting for a moderator', description: 'A moderator will review this before it’s visible.' }
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
