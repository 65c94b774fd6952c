import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import type { listMyBusinesses } from '../../../contracts/businesses.ts'
import { ownDisplayName } from '../../../contracts/display-name.ts'
import type { ResponseOf } from '../../../contracts/endpoint.ts'
import { createPost } from '../../../contracts/posts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser, useCurrentUser } from '../../lib/current-user.ts'
import { useGoBack } from '../../lib/use-go-back.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { toast } from '../../ui/toast-store.ts'
import { myBusinessesOptions } from '../businesses/businesses.api.ts'
import { OwnDrafts } from '../drafts/draft-lists.tsx'
import { KeepForLater } from '../drafts/keep-for-later.tsx'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { MutedNote, useMutedUntil } from '../standing/muted-note.tsx'
import { emptyPost } from './composer-schema.ts'
import { ComposerSkeleton } from './composer-skeleton.tsx'
import { PostForm } from './post-form.tsx'
import { refreshPostLists } from './posts.api.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The business under whose name the form of a new post begins: the page it was opened from. */
    postAs?: string
  }
}

export function CreatePostScreen() {
  const user = useCurrentUser()
  const businesses = useQuery(myBusinessesOptions)
  const [kept, setKept] = useState(0)
  const mutedUntil = useMutedUntil()
  if (!user) return null
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <PageHeader title="Create Post" />
      {businesses.isPending && <ComposerSkeleton />}
      {businesses.isError && !businesses.data && (
        <ErrorState
          title="The form could not be loaded"
          description={messageOf(businesses.error)}
          onRetry={() => void businesses.refetch()}
          pending={businesses.isFetching}
        />
      )}
      {businesses.data && (
        <>
          {mutedUntil ? (
            <div className="mt-5">
              <MutedNote until={mutedUntil} />
            </div>
          ) : (
            // What was kept as a draft leaves an empty form.
            <NewPostForm key={kept} user={user} businesses={businesses.data} onKept={() => setKept(kept + 1)} />
          )}
          <OwnDrafts />
        </>
      )}
    </div>
  )
}

type NewPostFormProps = { user: CurrentUser; businesses: ResponseOf<typeof listMyBusinesses>; onKept: () => void }

function NewPostForm({ user, businesses, onKept }: NewPostFormProps) {
  const client = useQueryClient()
  const router = useRouter()
  const goBack = useGoBack('/')
  const subject = `post.${user.id}`
  const postAs = useLocation({ select: ({ state }) => state.postAs })
  const business = businesses.find(({ id }) => id === postAs) ?? businesses[0]
  return (
    <Card className="mt-5 overflow-visible!">
      <CardBody className="sm:p-6">
        <PostForm
          subject={subject}
          initial={{ ...emptyPost, businessId: business?.id ?? '' }}
          ownName={ownDisplayName(user)}
          businesses={businesses}
          isEdit={false}
          submitText="Post"
          pendingText="Creating..."
          failure="Failed to create post. Please try again."
          onSubmit={async (body) => {
            const post = await call(createPost, { body }, { idempotencyKey: creationKey(subject, body) })
            dropCreationKey(subject)
            toast(
              post.moderation === 'held'
                ? { title: 'Waiting for a moderator', description: 'A moderator looks at it before others see it.' }
                : { title: 'Success!', description: 'Your post has been created successfully.' },
            )
            // The number of posts in the profile.
            void refreshCurrentUser()
            await refreshPostLists(client)
            // What waits is in no list: it is shown to its writer on its own page.
            await (post.moderation === 'held'
              ? router.navigate({ to: '/post/$id', params: { id: post.id } })
              : router.navigate({ to: '/' }))
          }}
          others={({ businessId, read, showErrors, forget }) => (
            <KeepForLater
              subject={subject}
              business={businesses.find(({ id }) => id === businessId) ?? null}
              read={read}
              showErrors={showErrors}
              onKept={() => {
                forget()
                onKept()
              }}
            />
          )}
          cancel={
            <Button variant="quiet" size="lg" onClick={goBack}>
              Cancel
            </Button>
          }
        />
      </CardBody>
    </Card>
  )
}
