import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CornerDownRight, Gift, Pencil, ThumbsUp, Trash2 } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import type { Business } from '#contracts/businesses.ts'
import { deleteReply, listRatings, markHelpful, replyToRating, unmarkHelpful } from '#contracts/calls/reviews.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import { publicDisplayName } from '#contracts/people.rules.ts'
import { NewReply, type Rating } from '#contracts/reviews.ts'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { Gallery } from '#web/entities/media/gallery.tsx'
import { changeReview, withHelpful } from '#web/entities/reviews/reviews.api.ts'
import { dropDraft, saveDraft, withDraft } from '#web/forms/form-draft.ts'
import { fieldErrors, isConflict } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { formatNumber } from '#web/lib/format.ts'
import { toggleOptions } from '#web/lib/saved-at-once.ts'
import { Day } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Field, FormError } from '#web/ui/field.tsx'
import { showErrors, useRestoredFocus } from '#web/ui/focus.ts'
import { Textarea } from '#web/ui/input.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { toast } from '#web/ui/toast-store.ts'

export function ReviewBody({ business, review }: { business: Business; review: Rating }) {
  const { rating, review: text, photos, isFreebie, createdAt, editedAt, user } = review
  const name = publicDisplayName({ displayName: null, firstName: user.firstName, lastName: user.lastName })
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-muted text-sm">
        <Stars rating={rating} className="text-ink" />
        <span>
          <Day at={createdAt} />
          {editedAt && ' (edited)'}
        </span>
        {isFreebie && (
          <Badge variant="outline">
            <Gift aria-hidden="true" />
            Got something for free
          </Badge>
        )}
      </div>
      {text && <p className="mt-2 max-w-text whitespace-pre-line wrap-anywhere">{text}</p>}
      {photos.length > 0 && (
        <div className="mt-3 max-w-md">
          <Gallery media={photos} of={review.isOwn ? 'your review' : `the review by ${name}`} />
        </div>
      )}
      <Helpful businessId={business.id} review={review} />
      <Reply business={business} review={review} />
    </>
  )
}

function Helpful({ businessId, review: { id, helpfulCount, isHelpful, abilities } }: { businessId: string; review: Rating }) {
  const { setHelpful } = useHelpful(businessId, id)
  if (!abilities.markHelpful) {
    if (helpfulCount === 0) return null
    return <p className="mt-2 text-muted text-sm tabular-nums">{formatNumber(helpfulCount)} found this helpful</p>
  }
  return (
    <Button
      variant="quiet"
      size="sm"
      aria-pressed={isHelpful}
      className={cx('mt-2 -ml-3', isHelpful && 'text-leaf! [&_svg]:fill-leaf-soft')}
      onClick={() => setHelpful(!isHelpful)}
    >
      <ThumbsUp aria-hidden="true" />
      Helpful
      {helpfulCount > 0 && <span className="tabular-nums">{formatNumber(helpfulCount)}</span>}
    </Button>
  )
}

type ReplyProps = { business: Business; review: Rating }

function Reply({ business, review }: ReplyProps) {
  const [isEditing, setEditing] = useState(false)
  const { reply, abilities } = review
  const part = useRestoredFocus<HTMLDivElement>(isEditing ? 'editing' : reply ? 'answered' : 'open')
  if (!reply && !abilities.reply) return null
  return (
    <div {...part} className="mt-3 rounded-input">
      {isEditing && <ReplyEditor business={business} review={review} onDone={() => setEditing(false)} />}
      {!isEditing && reply && <Answer business={business} review={review} reply={reply} onEdit={() => setEditing(true)} />}
      {!isEditing && !reply && (
        <Button variant="secondary" size="sm" onClick={() => setEditing(true)}>
          <CornerDownRight aria-hidden="true" />
          Reply as {business.name}
        </Button>
      )}
    </div>
  )
}

type ReviewReply = NonNullable<Rating['reply']>

type AnswerProps = ReplyProps & { reply: ReviewReply; onEdit: () => void }

function Answer({ business, review: { id, abilities }, reply, onEdit }: AnswerProps) {
  const { remove } = useReply(business.id, id)
  return (
    <div className="rounded-input bg-sunk px-4 py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span className="font-semibold wrap-anywhere">Reply from {business.name}</span>
        <span className="text-muted">
          <Day at={reply.createdAt} />
        </span>
      </p>
      <p className="mt-1.5 max-w-text text-[0.9375rem] whitespace-pre-line wrap-anywhere">{reply.content}</p>
      {abilities.reply && (
        <div className="mt-1.5 -ml-3 flex flex-wrap gap-1">
          <Button variant="quiet" size="sm" onClick={onEdit}>
            <Pencil aria-hidden="true" />
            Edit reply
          </Button>
          <Button variant="quiet" size="sm" pending={remove.isPending} onClick={() => remove.mutate(reply)}>
            <Trash2 aria-hidden="true" />
            Delete reply
          </Button>
        </div>
      )}
    </div>
  )
}

function ReplyEditor({ business, review, onDone }: ReplyProps & { onDone: () => void }) {
  const key = `reply.${review.id}`
  const form = useRef<HTMLFormElement>(null)
  // A draft includes the version of the reply that it’s based on.
  const [{ content, version }, setDraft] = useState(() =>
    withDraft(key, { content: review.reply?.content ?? '', version: review.reply?.version ?? '' }),
  )
  const [refusal, setRefusal] = useState<string | null>(null)
  const { save } = useReply(business.id, review.id)
  const serverError = fieldErrors(save.error).content
  // After a conflict, the newer reply is shown, so a person who saves again replaces it knowingly.
  const isOutdated = isConflict(save.error)
  const leave = () => {
    dropDraft(key)
    onDone()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = NewReply.safeParse({ content })
    if (!parsed.success) {
      showErrors(form.current, () => setRefusal(parsed.error.issues[0]?.message ?? null))
      return
    }
    const replaced = isOutdated ? review.reply?.version : version
    if (!save.isPending) save.mutate({ content: parsed.data.content, version: replaced || null }, { onSuccess: leave })
  }
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-3 rounded-input bg-sunk px-4 py-3.5">
      <Field label={`Your reply as ${business.name}`} hint="Everyone who reads the review sees it." error={refusal ?? serverError}>
        <Textarea
          rows={3}
          maxLength={2000}
          value={content}
          autoFocus
          onChange={(event) => {
            const draft = { content: event.target.value, version }
            setDraft(draft)
            saveDraft(key, draft)
            setRefusal(null)
          }}
        />
      </Field>
      {save.isError && !serverError && (
        <FormError
          action={
            isOutdated &&
            review.reply && <p className="max-w-text text-[0.9375rem] whitespace-pre-line wrap-anywhere">{review.reply.content}</p>
          }
        >
          The reply wasn’t saved. {messageOf(save.error)}
          {isOutdated &&
            (review.reply ? ' To replace the text below with yours, save again.' : ' It was deleted. To publish yours, save again.')}
        </FormError>
      )}
      <ComplianceHints words={{ kind: 'review_reply', texts: [content], businessId: business.id }} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" pending={save.isPending} pendingText="Saving...">
          {review.reply ? 'Save reply' : 'Publish reply'}
        </Button>
        <Button variant="quiet" size="sm" onClick={leave}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function useHelpful(businessId: string, id: string) {
  const client = useQueryClient()
  const { mutate } = useMutation(
    toggleOptions(client, {
      mutationKey: ['helpful', id],
      save: (isHelpful) => call(isHelpful ? markHelpful : unmarkHelpful, { params: { id } }),
      show: (isHelpful) => changeReview(client, businessId, id, (review) => withHelpful(review, isHelpful)),
      onSaved: ({ isHelpful, helpfulCount }, _isOn, isLast) => {
        if (isLast) changeReview(client, businessId, id, (review) => ({ ...review, isHelpful, helpfulCount }))
      },
      onFailed: (error) =>
        toast({ title: 'Error', description: messageOf(error, 'Your vote couldn’t be saved. Try again.'), variant: 'destructive' }),
    }),
  )
  return { setHelpful: (isHelpful: boolean) => mutate(isHelpful) }
}

type ReplyEdit = InputOf<typeof replyToRating>['body']

function useReply(businessId: string, id: string) {
  const client = useQueryClient()
  const scope = { id: `reply:${id}` }
  const refreshOutdated = async (error: unknown) => {
    if (isConflict(error)) await refreshCalls(client, [listRatings])
    throw error
  }
  const publishing = {
    scope,
    mutationFn: (body: ReplyEdit) => call(replyToRating, { params: { id }, body }).catch(refreshOutdated),
    onSuccess: (review: Rating) => changeReview(client, businessId, id, () => review),
  }
  const save = useMutation(publishing)
  // The deletion unmounts the reply, so callbacks passed to `mutate` wouldn't run.
  const restore = useMutation({
    ...publishing,
    onError: (error) => toast({ title: 'Error', description: messageOf(error, 'Failed to restore the reply'), variant: 'destructive' }),
  })
  const remove = useMutation({
    scope,
    mutationFn: ({ version }: ReviewReply) => call(deleteReply, { params: { id }, query: { version } }).catch(refreshOutdated),
    onSuccess: (review, { content }) => {
      changeReview(client, businessId, id, () => review)
      toast({ title: 'Reply deleted', action: { label: 'Undo', onClick: () => restore.mutate({ content, version: null }) } })
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error, 'Failed to delete the reply'), variant: 'destructive' }),
  })
  return { save, remove }
}
