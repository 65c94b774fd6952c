import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { CurrentUser } from '#contracts/accounts.ts'
import { updateDraft } from '#contracts/calls/drafts.ts'
import type { Draft } from '#contracts/drafts.ts'
import { ownDisplayName } from '#contracts/people.rules.ts'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { draftOptions, refreshDrafts } from '#web/entities/drafts/drafts.api.ts'
import { whenWords } from '#web/entities/drafts/schedule-time.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { toast } from '#web/ui/toast-store.ts'
import type { unchecked } from './composer-schema.ts'
import { ComposerSkeleton, PostForm } from './post-form.tsx'

export function EditDraftScreen({ id }: { id: string }) {
  const user = useCurrentUser()
  const { data: draft, error, isPending, isFetching, refetch } = useQuery(draftOptions(id))
  const businesses = useQuery(myBusinessesOptions)
  const router = useRouter()
  if (!user) return null
  const business = businesses.data?.find((each) => each.id === draft?.businessId)
  const leave = () =>
    business
      ? router.navigate({ to: '/business-dashboard', search: { business: business.slug, tab: 'social' } })
      : router.navigate({ to: '/create-post' })
  const isGone = error instanceof ApiError && error.status === 404
  const isReady = draft && (draft.businessId === null || businesses.data)
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <PageHeader title="Edit Draft" />
      {draft?.status === 'scheduled' && draft.publishAt && (
        <p className="mt-2 text-muted">Publishes {whenWords(new Date(draft.publishAt), new Date())}.</p>
      )}
      {draft?.error && <p className="mt-2 text-clay">Not published: {draft.error}</p>}
      {!draft && !isPending && (
        <ErrorState
          title={isGone ? 'This draft no longer exists' : 'This draft couldn’t be loaded'}
          description={isGone ? 'It was published or deleted, or you may not have access.' : messageOf(error)}
          onRetry={isGone ? undefined : () => void refetch()}
          pending={isFetching}
        >
          {isGone && (
            <Button variant="secondary" onClick={() => void leave()}>
              Go Back
            </Button>
          )}
        </ErrorState>
      )}
      {!isReady && (isPending || draft) && <ComposerSkeleton />}
      {isReady && (
        <DraftForm
          // Reset the form when someone else saves a version.
          key={draft.version}
          user={user}
          draft={draft}
          businesses={businesses.data ?? []}
          onDone={() => void leave()}
        />
      )}
    </div>
  )
}

type DraftFormProps = { user: CurrentUser; draft: Draft; businesses: Parameters<typeof PostForm>[0]['businesses']; onDone: () => void }

function DraftForm({ user, draft, businesses, onDone }: DraftFormProps) {
  const client = useQueryClient()
  const save = async ({
    title,
    content,
    mentions,
    postType,
    isExclusive,
    mediaIds,
    imageUrl,
    place,
    tags,
  }: ReturnType<typeof unchecked>) => {
    const changes = { title, content, mentions, postType, isExclusive, mediaIds, imageUrl, place, tags, version: draft.version }
    await call(updateDraft, { params: { id: draft.id }, body: changes })
    toast({ title: 'Draft saved' })
    await refreshDrafts(client)
    onDone()
  }
  return (
    <Card className="mt-5 overflow-visible!">
      <CardBody className="sm:p-6">
        <PostForm
          subject={`saved-draft.${user.id}.${draft.id}.${draft.version}`}
          initial={{
            businessId: draft.businessId ?? '',
            title: draft.title,
            content: draft.content,
            mentions: draft.mentions,
            postType: draft.postType,
            isExclusive: draft.isExclusive,
            imageUrl: draft.imageUrl,
            place: draft.place ?? '',
            tags: draft.tags,
          }}
          media={draft.media}
          ownName={ownDisplayName(user)}
          businesses={businesses}
          isEdit
          hasImageUrl
          isUnfinished={draft.status !== 'scheduled'}
          submitText="Save"
          pendingText="Saving..."
          failure="The draft couldn’t be saved. Please try again."
          onSubmit={save}
          cancel={
            <Button variant="quiet" size="lg" onClick={onDone}>
              Cancel
            </Button>
          }
        />
      </CardBody>
    </Card>
  )
}
