import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ImagePlus } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { deleteRating, getRatingSummary, saveRating } from '#contracts/calls/reviews.ts'
import { maxReviewPhotos } from '#contracts/limits.ts'
import { NewRating, type Rating } from '#contracts/reviews.ts'
import { heldToast } from '#web/entities/account-status/account-status-words.ts'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { acceptedImages } from '#web/entities/media/check-file.ts'
import { FileButton } from '#web/entities/media/file-choice.tsx'
import { UploadListView, useUploads } from '#web/entities/media/upload-list-view.tsx'
import type { UploadLimit } from '#web/entities/media/upload-store.ts'
import { useFileDrop } from '#web/entities/media/use-file-drop.ts'
import { showSummary } from '#web/entities/reviews/reviews.api.ts'
import { changedFields } from '#web/forms/form-draft.ts'
import { fieldErrors, isConflict } from '#web/forms/server-errors.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import { Field, FormError } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { Textarea } from '#web/ui/input.tsx'
import { removals } from '#web/ui/pending-removals.ts'
import { StarInput } from '#web/ui/star-input.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { toast } from '#web/ui/toast-store.ts'

type Draft = Pick<ReviewText, 'review' | 'isFreebie'> & { rating: number | null }

const photoLimit: UploadLimit = {
  fits: (kinds) => kinds.length <= maxReviewPhotos && kinds.every((kind) => kind === 'image'),
  notice: `A review can have up to ${maxReviewPhotos} photos but no videos.`,
}

type ReviewEditorProps = {
  business: { id: string; name: string }
  /** Null for a new review. */
  own: Rating | null
  onDone: () => void
}

function wrongFields(draft: Draft): Record<string, string> {
  if (draft.rating === null) return { rating: 'Choose 1 to 5 stars' }
  const parsed = NewRating.safeParse(draft)
  return Object.fromEntries(parsed.error?.issues.map(({ path, message }) => [path.join('.'), message]).reverse() ?? [])
}

function readDraft(key: string, empty: Draft): Draft {
  const stored = NewRating.safeParse(getTabItem(key))
  return stored.success ? stored.data : empty
}

export function ReviewEditor({ business, own, onDone }: ReviewEditorProps) {
  // The review that the draft edits. A draft of an earlier version of the review isn't restored.
  const [read, setRead] = useState(own)
  const subject = read ? `review.${read.id}.${read.editedAt}` : `review.${business.id}`
  const key = `draft.${subject}`
  const saved = read ? textOf(read) : { rating: null, review: '', isFreebie: false }
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(() => readDraft(key, saved))
  const [isRefused, setRefused] = useState(false)
  const { uploads, state } = useUploads(subject, own?.photos, { limit: photoLimit })
  const [isUploading, setUploading] = useState(false)
  const [photoError, setPhotoError] = useState<string | null>(null)
  const addPhotos = (files: File[]) => {
    setPhotoError(null)
    uploads.add(files)
  }
  const drop = useFileDrop(addPhotos)
  const { save } = useOwnReview(business.id)
  const isDone = useRef(false)
  const isChanged = Object.keys(changedFields(draft, saved)).length > 0
  useEffect(() => {
    if (isDone.current) return
    if (isChanged && draft.rating !== null) setTabItem(key, draft)
    else removeTabItem(key)
  }, [key, draft, isChanged])
  // After a conflict, the newer review is shown, so a person who saves again replaces it knowingly.
  const isOutdated = isConflict(save.error)

  const wrong: Record<string, string> = {
    ...fieldErrors(save.error),
    ...(isRefused ? wrongFields(draft) : {}),
  }
  const change = (part: Partial<Draft>) => {
    if (isOutdated) setRead(own)
    if (save.isError) save.reset()
    setDraft((now) => ({ ...now, ...part }))
  }
  const leave = () => {
    isDone.current = true
    removeTabItem(key)
    uploads.finish()
    onDone()
  }
  const cancel = () => {
    for (const { key: each, isAttached } of state.items) if (!isAttached) uploads.remove(each)
    leave()
  }

  /** Null if a photo failed, with the error shown. */
  async function uploaded(): Promise<string[] | null> {
    setPhotoError(null)
    setUploading(true)
    try {
      const ids = await uploads.settle()
      if (!ids) setPhotoError('Some photos couldn’t be uploaded. Retry or remove them.')
      return ids
    } catch (error) {
      setPhotoError(messageOf(error))
      return null
    } finally {
      setUploading(false)
    }
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const { rating } = draft
    if (rating === null || Object.keys(wrongFields(draft)).length > 0) {
      showErrors(form.current, () => setRefused(true))
      return
    }
    if (save.isPending || isUploading) return
    const photoIds = await uploaded()
    if (!photoIds) return
    save.mutate(
      { ...draft, rating, photoIds, editedAt: (isOutdated ? own : read)?.editedAt },
      {
        onSuccess: ({ own: saved }) => {
          if (saved?.moderation === 'held') {
            toast(heldToast)
          } else toast({ title: own ? 'Review updated' : 'Review published' })
          leave()
        },
      },
    )
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void submit(event)}
      noValidate
      className={cx('grid grid-cols-[minmax(0,1fr)] gap-4 rounded-input', drop.isOver && 'outline-2 outline-leaf outline-offset-8')}
      {...drop.handlers}
    >
      <StarInput
        legend={own ? 'Your rating' : 'Rate your visit'}
        name="rating"
        value={draft.rating}
        onValueChange={(rating) => change({ rating })}
        error={wrong.rating}
      />
      {(draft.rating !== null || own) && (
        <>
          <Field label="Your review" optional hint="What did you like? What could be better?" error={wrong.review}>
            <Textarea rows={4} maxLength={4000} value={draft.review} onChange={(event) => change({ review: event.target.value })} />
          </Field>
          <ComplianceHints words={{ kind: 'review', texts: [draft.review] }} />
          <UploadListView uploads={uploads} state={state} />
          <div>
            <FileButton
              label="Photos"
              accept={acceptedImages}
              multiple
              disabled={state.items.length >= maxReviewPhotos}
              onFiles={addPhotos}
            >
              <ImagePlus aria-hidden="true" />
              Add photos
            </FileButton>
          </div>
          <FormError>{photoError ?? wrong.photoIds ?? null}</FormError>
          <Checkbox
            checked={draft.isFreebie}
            onChange={(event) => change({ isFreebie: event.target.checked })}
            hint="A free sample, a special discount or anything else in exchange. Your review will say so and will count like any other."
          >
            I got something for free
          </Checkbox>
          {save.isError && Object.keys(wrong).length === 0 && (
            <FormError
              action={
                isOutdated &&
                own && (
                  <div className="grid gap-1">
                    <Stars rating={own.rating} />
                    <p className="max-w-text text-[0.9375rem] whitespace-pre-line wrap-anywhere">{own.review}</p>
                  </div>
                )
              }
            >
              Your review wasn’t saved. {messageOf(save.error)}
              {isOutdated && ' To replace the version below with this one, save again.'}
            </FormError>
          )}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" pending={save.isPending || isUploading} pendingText="Saving...">
              {own ? 'Save review' : 'Publish review'}
            </Button>
            <Button variant="quiet" onClick={cancel}>
              Cancel
            </Button>
          </div>
          {!own && <p className="text-muted text-sm">Public, posted under your name.</p>}
        </>
      )}
    </form>
  )
}

type ReviewText = { rating: number; review: string; isFreebie: boolean; photoIds: string[]; editedAt: string | null | undefined }

const textOf = ({ rating, review, isFreebie }: Rating): Draft => ({ rating, review: review ?? '', isFreebie })

export function useOwnReview(businessId: string) {
  const client = useQueryClient()
  const input = { params: { id: businessId } }
  const save = useMutation({
    scope: { id: `review:${businessId}` },
    mutationFn: (text: ReviewText) =>
      call(saveRating, { ...input, body: text }).catch(async (error: unknown) => {
        if (isConflict(error)) await refreshCalls(client, [getRatingSummary])
        throw error
      }),
    onSuccess: (summary) => showSummary(client, businessId, summary),
  })
  const remove = ({ id }: Rating) =>
    removals.remove({
      id,
      title: 'Review deleted',
      commit: async () => showSummary(client, businessId, await call(deleteRating, input, { keepalive: true })),
      onFailed: (error) => toast({ title: 'Error', description: messageOf(error, 'Failed to delete your review'), variant: 'destructive' }),
    })
  return { save, remove }
}
