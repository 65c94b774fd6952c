import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { listMyBusinesses } from '#contracts/calls/businesses.ts'
import { createDraft, scheduleDraft } from '#contracts/calls/drafts.ts'
import { createPost } from '#contracts/calls/posts.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { ownDisplayName } from '#contracts/people.rules.ts'
import type { NewPost } from '#contracts/posts.ts'
import { publishedToast } from '#web/entities/account-status/account-status-words.ts'
import { MutedNote, useMutedUntil } from '#web/entities/account-status/moderation-note.tsx'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { OwnDrafts, ScheduleDialog } from '#web/entities/drafts/draft-lists.tsx'
import { refreshDrafts, scheduleWords } from '#web/entities/drafts/drafts.api.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser, useCurrentUser } from '#web/lib/current-user.ts'
import { refreshPostLists } from '#web/lib/refresh-posts.ts'
import { useGoBack } from '#web/lib/use-go-back.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { emptyPost } from './composer-schema.ts'
import { ComposerSkeleton, PostForm } from './post-form.tsx'

declare module '@tanstack/react-router' {
  interface HistoryState {
    postAs?: string
  }
}

export function CreatePostScreen() {
  const user = useCurrentUser()
  const businesses = useQuery(myBusinessesOptions)
  const [savedCount, setSavedCount] = useState(0)
  const mutedUntil = useMutedUntil()
  if (!user) return null
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <PageHeader title="Create Post" />
      {businesses.isPending && <ComposerSkeleton />}
      {businesses.isError && !businesses.data && <LoadError title="The form couldn’t be loaded" query={businesses} />}
      {businesses.data && (
        <>
          {mutedUntil ? (
            <div className="mt-5">
              <MutedNote until={mutedUntil} />
            </div>
          ) : (
            <NewPostForm key={savedCount} user={user} businesses={businesses.data} onSaved={() => setSavedCount(savedCount + 1)} />
          )}
          <OwnDrafts />
        </>
      )}
    </div>
  )
}

type NewPostFormProps = { user: CurrentUser; businesses: ResponseOf<typeof listMyBusinesses>; onSaved: () => void }

function NewPostForm({ user, businesses, onSaved }: NewPostFormProps) {
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
            toast(publishedToast(post))
            // The profile's post count changed.
            void refreshCurrentUser()
            await refreshPostLists(client)
            // A held post isn't in the feed, so show its own page.
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
              onSaved={() => {
                forget()
                onSaved()
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

type KeepForLaterProps = {
  subject: string
  /** Null for a personal post. */
  business: { id: string; slug: string } | null
  /** Waits for uploads. Null if invalid, with errors shown in the form. */
  read: (check: { whole: boolean }) => Promise<NewPost | null>
  showErrors: (error: unknown) => void
  onSaved: () => void
}

function KeepForLater({ subject, business, read, showErrors, onSaved }: KeepForLaterProps) {
  const client = useQueryClient()
  const router = useRouter()
  const [toSchedule, setToSchedule] = useState<NewPost | null>(null)
  const [pending, setPending] = useState<'draft' | 'time' | null>(null)
  const keySubject = `draft-of.${subject}`

  async function save(post: NewPost, publishAt?: string) {
    const { title, content, mentions, postType, isExclusive, mediaIds, imageUrl, place, tags } = post
    const body = { title, content, mentions, postType, isExclusive, mediaIds, imageUrl, place, tags, businessId: business?.id ?? null }
    const { id } = await call(createDraft, { body }, { idempotencyKey: creationKey(keySubject, body) })
    // The draft is saved from here on, even if scheduling fails.
    const refusal = publishAt ? await scheduled(id, publishAt) : null
    dropCreationKey(keySubject)
    onSaved()
    if (refusal) toast({ title: 'Saved as a draft, but not scheduled', description: refusal, variant: 'destructive' })
    else if (publishAt) toast({ title: 'Post scheduled', description: scheduleWords(publishAt) })
    else toast({ title: 'Saved as a draft' })
    await refreshDrafts(client)
    if (business) await router.navigate({ to: '/business-dashboard', search: { business: business.slug, tab: 'social' } })
  }

  async function reading(end: 'draft' | 'time', then: (post: NewPost) => unknown) {
    setPending(end)
    try {
      const post = await read({ whole: end === 'time' })
      if (post) await then(post)
    } catch (error) {
      showErrors(error)
      toast({ title: 'Error', description: `The draft couldn’t be saved. ${messageOf(error)}`, variant: 'destructive' })
    } finally {
      setPending(null)
    }
  }

  return (
    <>
      <Button
        variant="secondary"
        size="lg"
        pending={pending === 'draft'}
        pendingText="Saving..."
        onClick={() => void reading('draft', (post) => save(post))}
      >
        Save as draft
      </Button>
      <Button variant="secondary" size="lg" pending={pending === 'time'} onClick={() => void reading('time', setToSchedule)}>
        Schedule
      </Button>
      <ScheduleDialog
        open={toSchedule !== null}
        onOpenChange={(isOpen) => {
          if (!isOpen) setToSchedule(null)
        }}
        businessId={business?.id ?? null}
        onSchedule={async (publishAt) => {
          if (toSchedule) await save(toSchedule, publishAt)
        }}
      />
    </>
  )
}

/** Returns why scheduling was refused, or null on success. */
async function scheduled(id: string, publishAt: string): Promise<string | null> {
  try {
    await call(scheduleDraft, { params: { id }, body: { publishAt } })
    return null
  } catch (error) {
    console.error(error)
    return messageOf(error)
  }
}
