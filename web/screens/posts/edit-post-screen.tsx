import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { listMyBusinesses } from '#contracts/calls/businesses.ts'
import { updatePost } from '#contracts/calls/posts.ts'
import type { InputOf, ResponseOf } from '#contracts/endpoint.ts'
import { ownDisplayName } from '#contracts/people.rules.ts'
import type { Post } from '#contracts/posts.ts'
import { savedPostToast } from '#web/entities/account-status/account-status-words.ts'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { changePost, postOptions } from '#web/entities/posts/posts.api.ts'
import { LoadLatest } from '#web/forms/form-dialog.tsx'
import { isConflict } from '#web/forms/server-errors.ts'
import { isAbsent } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { FormError } from '#web/ui/field.tsx'
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
  if (!post && isAbsent(error)) return <PostNotFound onBack={leave} />
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <PageHeader title="Edit Post" />
      {(isPending || (post?.abilities.edit && !own && businesses.isPending)) && <ComposerSkeleton />}
      {!isPending && !post && <LoadError title="This post couldn’t be loaded" query={{ error, refetch, isFetching }} />}
      {post && !post.abilities.edit && (
        <p className="mt-5 text-muted">
          Only this post’s author or the business’s team can edit it.{' '}
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

function EditForm({ user, post: read, businesses, onDone }: EditFormProps) {
  const client = useQueryClient()
  // The post as opened or, after a conflict, as someone else saved it.
  const [post, setPost] = useState(read)
  const [newer, setNewer] = useState<Post | null>(null)
  const subject = `post.${user.id}.${post.id}.${post.editedAt}`

  async function save(body: InputOf<typeof updatePost>['body']): Promise<Post> {
    try {
      return await call(updatePost, { params: { id: post.id }, body: { ...body, editedAt: post.editedAt } })
    } catch (error) {
      if (isConflict(error)) {
        const latest = await client.fetchQuery({ ...postOptions(post.id), staleTime: 0 }).catch(() => null)
        if (latest && latest.editedAt !== post.editedAt) setNewer(latest)
      }
      throw error
    }
  }

  return (
    <Card className="mt-5 overflow-visible!">
      <CardBody className="sm:p-6">
        {post.community ? (
          <Suspense fallback={<ComposerSkeleton />}>
            <CommunityPostEdit
              key={subject}
              subject={subject}
              post={{ ...post, community: post.community }}
              onSave={save}
              onDone={onDone}
            />
          </Suspense>
        ) : (
          <PostForm
            key={subject}
            subject={subject}
            initial={valuesOf(post)}
            media={post.media}
            ownName={ownDisplayName(user)}
            businesses={businesses}
            isEdit
            submitText="Save"
            pendingText="Saving..."
            failure="Failed to save the post. Please try again."
            onSubmit={async ({ title, content, mentions, postType, isExclusive, mediaIds, place, tags }) => {
              const changed = await save({ title, content, mentions, postType, isExclusive, mediaIds, place, tags })
              changePost(client, post.id, () => changed)
              toast(savedPostToast(changed))
              onDone()
            }}
            cancel={
              <Button variant="quiet" size="lg" onClick={onDone}>
                Cancel
              </Button>
            }
          />
        )}
        {newer && (
          <FormError
            className="mt-4"
            action={
              <LoadLatest
                onLoad={() => {
                  setPost(newer)
                  setNewer(null)
                }}
              />
            }
          >
            This post was edited in the meantime.
          </FormError>
        )}
      </CardBody>
    </Card>
  )
}
