import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type Ref, useId, useState } from 'react'
import { type Comment, writeComment } from '#contracts/comments.ts'
import type { Post } from '#contracts/posts.ts'
import { MutedNote, useMutedUntil } from '#web/entities/account-status/muted-note.tsx'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { addComment } from '#web/entities/posts/comments.api.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { isSignedOut } from '#web/forms/server-errors.ts'
import { forget, recall, remember } from '#web/forms/tab-memory.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { Textarea } from '#web/ui/textarea.tsx'

/** The server's limit. */
export const maxCommentLength = 2000

type CommentFormProps = {
  post: Post
  /** The parent comment; null for a comment on the post. */
  parentId: string | null
  label: string
  /** Initial text: the name of the person being replied to. */
  initial?: string
  ref?: Ref<HTMLTextAreaElement>
  autoFocus?: boolean
  onWritten: (comment: Comment) => void
  onCancel?: (() => void) | undefined
}

/** Comment or reply form. Drafts survive a reload and signing in. */
export function CommentForm({ post, parentId, label, initial = '', ref, autoFocus = false, onWritten, onCancel }: CommentFormProps) {
  const client = useQueryClient()
  const id = useId()
  const mutedUntil = useMutedUntil()
  const subject = `comment.${parentId ?? post.id}`
  const [content, setContent] = useState(() => {
    const stored = recall(subject)
    return typeof stored === 'string' ? stored : initial
  })
  const [isMissing, setMissing] = useState(false)
  // In communities, only people can comment.
  const businesses = useQuery({ ...myBusinessesOptions, enabled: post.community === null }).data ?? []
  // The business's team replies in its name by default.
  const ownBusiness = businesses.find((business) => business.id === post.businessId)
  const [chosen, setChosen] = useState<string | null>(null)
  const writer = chosen ?? ownBusiness?.id ?? ''

  const sending = useMutation({
    mutationFn: () => {
      const body = { content, parentId, businessId: writer || null }
      return call(writeComment, { params: { id: post.id }, body }, { idempotencyKey: creationKey(subject, body) })
    },
    onSuccess: (comment) => {
      dropCreationKey(subject)
      forget(subject)
      setContent('')
      addComment(client, comment)
      onWritten(comment)
    },
    onError: (error) => {
      if (isSignedOut(error)) void refreshCurrentUser()
    },
  })
  const error = isMissing && content.trim() === '' ? 'Write something first' : sending.isError ? messageOf(sending.error) : null

  function submit(event: FormEvent) {
    event.preventDefault()
    if (content.trim() === '') {
      setMissing(true)
      event.currentTarget.querySelector('textarea')?.focus()
    } else if (!sending.isPending) sending.mutate()
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
    if (event.key === 'Escape' && onCancel) onCancel()
  }

  if (mutedUntil) return <MutedNote until={mutedUntil} />
  return (
    <form noValidate onSubmit={submit} className="grid gap-2.5">
      <Textarea
        ref={ref}
        id={`${id}-text`}
        aria-label={label}
        aria-invalid={error !== null}
        {...(error ? { 'aria-describedby': `${id}-error` } : {})}
        rows={2}
        maxLength={maxCommentLength}
        placeholder={label}
        value={content}
        autoFocus={autoFocus}
        onFocus={(event) => event.target.setSelectionRange(event.target.value.length, event.target.value.length)}
        onChange={(event) => {
          setContent(event.target.value)
          setMissing(false)
          remember(subject, event.target.value)
        }}
        onKeyDown={onKeyDown}
        className="min-h-18!"
      />
      {error && (
        <div role="alert">
          <FieldError id={`${id}-error`}>{error}</FieldError>
        </div>
      )}
      <ComplianceHints words={{ kind: 'comment', texts: [content], businessId: writer || null }} />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {businesses.length > 0 && (
          <label htmlFor={`${id}-writer`} className="mr-auto flex min-w-0 items-center gap-2 text-muted text-sm">
            <span className="shrink-0">Write as</span>
            <Select id={`${id}-writer`} value={writer} onChange={(event) => setChosen(event.target.value)} className="w-48">
              <option value="">Your own name</option>
              {businesses.map((business) => (
                <option key={business.id} value={business.id}>
                  {business.name}
                </option>
              ))}
            </Select>
          </label>
        )}
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" pending={sending.isPending} pendingText="Sending...">
          {parentId ? 'Reply' : 'Comment'}
        </Button>
      </div>
    </form>
  )
}
