import { CornerDownRight, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import type { Business } from '../../../contracts/businesses.ts'
import { type Rating, replyToRating } from '../../../contracts/reviews.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { showErrors } from '../../ui/focus-first-error.ts'
import { Textarea } from '../../ui/textarea.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import { Day } from '../businesses/day.tsx'
import { ComplianceHints } from '../compliance/compliance-hints.tsx'
import { useReply } from './use-reply.ts'

type ReplyProps = { business: Business; review: Rating }

/** The business's answer; for its people, the place to write it. */
export function Reply({ business, review }: ReplyProps) {
  const [isEditing, setEditing] = useState(false)
  const { reply, abilities } = review
  const part = useKeptFocus<HTMLDivElement>(isEditing ? 'editing' : reply ? 'answered' : 'open')
  if (!reply && !abilities.reply) return null
  return (
    <div {...part} className="mt-3 rounded-input">
      {isEditing && <ReplyEditor business={business} review={review} onDone={() => setEditing(false)} />}
      {!isEditing && reply && <Answer business={business} review={review} reply={reply} onEdit={() => setEditing(true)} />}
      {!isEditing && !reply && (
        <Button variant="secondary" size="sm" onClick={() => setEditing(true)}>
          <CornerDownRight aria-hidden="true" />
          Answer as {business.name}
        </Button>
      )}
    </div>
  )
}

type AnswerProps = ReplyProps & { reply: NonNullable<Rating['reply']>; onEdit: () => void }

function Answer({ business, review: { id, abilities }, reply, onEdit }: AnswerProps) {
  const { remove } = useReply(business.id, id)
  return (
    <div className="rounded-input bg-sunk px-4 py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span className="font-semibold wrap-anywhere">{business.name} answered</span>
        <span className="text-muted">
          <Day at={reply.createdAt} />
        </span>
      </p>
      <p className="mt-1.5 max-w-text text-[0.9375rem] whitespace-pre-line wrap-anywhere">{reply.content}</p>
      {abilities.reply && (
        <div className="mt-1.5 -ml-3 flex flex-wrap gap-1">
          <Button variant="quiet" size="sm" onClick={onEdit}>
            <Pencil aria-hidden="true" />
            Edit answer
          </Button>
          <Button variant="quiet" size="sm" pending={remove.isPending} onClick={() => remove.mutate(reply.content)}>
            <Trash2 aria-hidden="true" />
            Delete answer
          </Button>
        </div>
      )}
    </div>
  )
}

function ReplyEditor({ business, review, onDone }: ReplyProps & { onDone: () => void }) {
  const key = `draft.reply.${review.id}`
  const form = useRef<HTMLFormElement>(null)
  const [content, setContent] = useState(() => {
    const kept = recall(key)
    return typeof kept === 'string' ? kept : (review.reply?.content ?? '')
  })
  const [refusal, setRefusal] = useState<string | null>(null)
  const { save } = useReply(business.id, review.id)
  const serverError = save.error instanceof ApiError ? save.error.fields.content : undefined
  const leave = () => {
    forget(key)
    onDone()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = replyToRating.body.safeParse({ content })
    if (!parsed.success) {
      showErrors(form.current, () => setRefusal(parsed.error.issues[0]?.message ?? null))
      return
    }
    if (!save.isPending) save.mutate(parsed.data.content, { onSuccess: leave })
  }
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-3 rounded-input bg-sunk px-4 py-3.5">
      <Field label={`Your answer as ${business.name}`} hint="Everybody who reads the review sees it." error={refusal ?? serverError}>
        <Textarea
          rows={3}
          maxLength={2000}
          value={content}
          autoFocus
          onChange={(event) => {
            setContent(event.target.value)
            remember(key, event.target.value)
            setRefusal(null)
          }}
        />
      </Field>
      <ComplianceHints words={{ kind: 'review_reply', texts: [content], businessId: business.id }} />
      {save.isError && !serverError && (
        <div role="alert">
          <FieldError>The answer was not saved. {messageOf(save.error)}</FieldError>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" pending={save.isPending} pendingText="Saving...">
          {review.reply ? 'Save answer' : 'Publish answer'}
        </Button>
        <Button variant="quiet" size="sm" onClick={leave}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
