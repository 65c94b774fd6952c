import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type Ref, useId, useState } from 'react'
import { type Comment, writeComment } from '../../../contracts/comments.ts'
import type { Post } from '../../../contracts/posts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { isSignedOut } from '../accounts/server-errors.ts'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import { myBusinessesOptions } from '../businesses/businesses.api.ts'
import { ComplianceHints } from '../compliance/compliance-hints.tsx'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { MutedNote, useMutedUntil } from '../standing/muted-note.tsx'
import { addComment } from './comments.api.ts'

/** What the server takes at most. */
export const longestComment = 2000

type CommentFormProps = {
  post: Post
  /** The comment that is replied to; null for one to the post. */
  parentId: string | null
  label: string
  /** What the field starts with: the name of whoever is answered. */
  initial?: string
  ref?: Ref<HTMLTextAreaElement>
  autoFocus?: boolean
  onWritten: (comment: Comment) => void
  onCancel?: (() => void) | undefined
}

/** A field for a comment or a reply. What is in it survives a reload and signing in. */
export function CommentForm({ post, parentId, label, initial = '', ref, autoFocus = false, onWritten, onCancel }: CommentFormProps) {
  const client = useQueryClient()
  const id = useId()
  const mutedUntil = useMutedUntil()
  const subject = `comment.${parentId ?? post.id}`
  const [content, setContent] = useState(() => {
    const kept = recall(subject)
    return typeof kept === 'string' ? kept : initial
  })
  const [isMissing, setMissing] = useState(false)
  // In a community people speak for themselves.
  const businesses = useQuery({ ...myBusinessesOptions, enabled: post.community === null }).data ?? []
  // Whoever runs the business answers for it, unless they choose otherwise.
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
        maxLength={longestComment}
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
