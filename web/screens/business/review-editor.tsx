import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { deleteRating, saveRating } from '#contracts/calls/reviews.ts'
import { NewRating, type Rating } from '#contracts/reviews.ts'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { showSummary } from '#web/entities/reviews/reviews.api.ts'
import { forget, recall, remember } from '#web/forms/tab-memory.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { Textarea } from '#web/ui/input.tsx'
import { StarInput } from '#web/ui/star-input.tsx'
import { toast } from '#web/ui/toast-store.ts'

type Draft = Omit<ReviewText, 'rating'> & { rating: number | null }

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
  const stored = NewRating.safeParse(recall(key))
  return stored.success ? stored.data : empty
}

export function ReviewEditor({ business, own, onDone }: ReviewEditorProps) {
  const key = `draft.review.${business.id}`
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(() => readDraft(key, own ? textOf(own) : { rating: null, review: '', isFreebie: false }))
  const [isRefused, setRefused] = useState(false)
  const { save } = useOwnReview(business.id)
  const isDone = useRef(false)
  useEffect(() => {
    if (draft.rating !== null && !isDone.current) remember(key, draft)
  }, [key, draft])

  const wrong: Record<string, string> = {
    ...(save.error instanceof ApiError ? save.error.fields : {}),
    ...(isRefused ? wrongFields(draft) : {}),
  }
  const change = (part: Partial<Draft>) => {
    if (save.isError) save.reset()
    setDraft((now) => ({ ...now, ...part }))
  }
  const leave = () => {
    isDone.current = true
    forget(key)
    onDone()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { rating } = draft
    if (rating === null || Object.keys(wrongFields(draft)).length > 0) {
      showErrors(form.current, () => setRefused(true))
      return
    }
    if (save.isPending) return
    save.mutate(
      { ...draft, rating },
      {
        onSuccess: ({ own: saved }) => {
          if (saved?.moderation === 'held') {
            toast({ title: 'Waiting for a moderator', description: 'A moderator will review this before it’s visible.' })
          } else toast({ title: own ? 'Review updated' : 'Review published' })
          leave()
        },
      },
    )
  }

  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-4">
      <StarInput
        legend={own ? 'Your stars' : 'Rate your visit'}
        name="rating"
        value={draft.rating}
        onValueChange={(rating) => change({ rating })}
        error={wrong.rating}
      />
      {/* The other fields appear after the rating. */}
      {(draft.rating !== null || own) && (
        <>
          <Field label="Your review" optional hint="What did you like? What could be better?" error={wrong.review}>
            <Textarea rows={4} maxLength={4000} value={draft.review} onChange={(event) => change({ review: event.target.value })} />
          </Field>
          <ComplianceHints words={{ kind: 'review', texts: [draft.review] }} />
          <Checkbox
            checked={draft.isFreebie}
            onChange={(event) => change({ isFreebie: event.target.checked })}
            hint="A free sample, a special discount, or anything else in exchange. Your review says so and counts like any other."
          >
            I got something for free
          </Checkbox>
          {save.isError && Object.keys(wrong).length === 0 && <FormError>Your review wasn’t saved. {messageOf(save.error)}</FormError>}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" pending={save.isPending} pendingText="Saving...">
              {own ? 'Save review' : 'Publish review'}
            </Button>
            <Button variant="quiet" onClick={leave}>
              Cancel
            </Button>
          </div>
          {!own && <p className="text-muted text-sm">Public, posted under your name.</p>}
        </>
      )}
    </form>
  )
}

type ReviewText = { rating: number; review: string; isFreebie: boolean }

const textOf = ({ rating, review, isFreebie }: Rating): ReviewText => ({ rating, review: review ?? '', isFreebie })

export function useOwnReview(businessId: string) {
  const client = useQueryClient()
  const scope = { id: `review:${businessId}` }
  const save = useMutation({
    scope,
    mutationFn: (text: ReviewText) => call(saveRating, { params: { id: businessId }, body: text }),
    onSuccess: (summary) => showSummary(client, businessId, summary),
  })
  const restore = (text: ReviewText) =>
    save.mutate(text, {
      onError: (error) => toast({ title: 'Error', description: messageOf(error, 'Failed to restore your review'), variant: 'destructive' }),
    })
  const remove = useMutation({
    scope,
    mutationFn: (_own: Rating) => call(deleteRating, { params: { id: businessId } }),
    onSuccess: (summary, own) => {
      showSummary(client, businessId, summary)
      // Replies and votes can't be restored, so there is no Undo (deletion was confirmed instead).
      const undo = isWholeOnReturn(own) ? { action: { label: 'Undo', onClick: () => restore(textOf(own)) } } : {}
      toast({ title: 'Review deleted', ...undo })
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error, 'Failed to delete your review'), variant: 'destructive' }),
  })
  return { save, remove }
}

/** Whether rewriting the review would restore everything: no reply and no helpful votes. */
export const isWholeOnReturn = ({ reply, helpfulCount }: Rating): boolean => reply === null && helpfulCount === 0
