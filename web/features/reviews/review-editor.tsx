import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type Rating, saveRating } from '../../../contracts/reviews.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { showErrors } from '../../ui/focus-first-error.ts'
import { StarInput } from '../../ui/star-input.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { toast } from '../../ui/toast-store.ts'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import { ComplianceHints } from '../compliance/compliance-hints.tsx'
import { type ReviewText, textOf, useOwnReview } from './use-own-review.ts'

type Draft = Omit<ReviewText, 'rating'> & { rating: number | null }

type ReviewEditorProps = {
  business: { id: string; name: string }
  /** The review to change; null: a new one. */
  own: Rating | null
  /** The review is saved, or the change given up. */
  onDone: () => void
}

/** The first message of each wrong field, as the contract has it. */
function wrongFields(draft: Draft): Record<string, string> {
  if (draft.rating === null) return { rating: 'Choose 1 to 5 stars' }
  const parsed = saveRating.body.safeParse(draft)
  return Object.fromEntries(parsed.error?.issues.map(({ path, message }) => [path.join('.'), message]).reverse() ?? [])
}

function readDraft(key: string, empty: Draft): Draft {
  const kept = saveRating.body.safeParse(recall(key))
  return kept.success ? kept.data : empty
}

/** Stars, words, and whether the business gave something for free. What was typed survives a reload and signing in again. */
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
            toast({ title: 'Waiting for a moderator', description: 'A moderator looks at it before others see it.' })
          } else toast({ title: own ? 'Review changed' : 'Review published' })
          leave()
        },
      },
    )
  }

  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-4">
      <StarInput
        legend={own ? 'Your stars' : `How is ${business.name}?`}
        name="rating"
        value={draft.rating}
        onValueChange={(rating) => change({ rating })}
        error={wrong.rating}
      />
      {/* The rest comes with the first star: a question at a time. */}
      {(draft.rating !== null || own) && (
        <>
          <Field label="Your review" optional hint="What was good, what was not, and for whom." error={wrong.review}>
            <Textarea rows={4} maxLength={4000} value={draft.review} onChange={(event) => change({ review: event.target.value })} />
          </Field>
          <ComplianceHints words={{ kind: 'review', texts: [draft.review] }} />
          <Checkbox
            checked={draft.isFreebie}
            onChange={(event) => change({ isFreebie: event.target.checked })}
            hint="A sample, a discount nobody else has, or anything else in return. Your review says so, and counts like any other."
          >
            I got something for free
          </Checkbox>
          {save.isError && Object.keys(wrong).length === 0 && (
            <div role="alert">
              <FieldError>Your review was not saved. {messageOf(save.error)}</FieldError>
            </div>
          )}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" pending={save.isPending} pendingText="Saving...">
              {own ? 'Save review' : 'Publish review'}
            </Button>
            <Button variant="quiet" onClick={leave}>
              Cancel
            </Button>
          </div>
          {!own && <p className="text-muted text-sm">It is public, under your name.</p>}
        </>
      )}
    </form>
  )
}
