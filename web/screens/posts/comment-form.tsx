import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Ref, useId, useState } from 'react'
import { writeComment } from '#contracts/calls/comments.ts'
import type { Comment } from '#contracts/comments.endpoints.ts'
import type { Post } from '#contracts/posts.ts'
import { MutedNote, useMutedUntil } from '#web/entities/account-status/moderation-note.tsx'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { CommentField, useCommentDraft } from '#web/entities/comments/comment-field.tsx'
import { addComment } from '#web/entities/posts/comments.api.ts'
import { creationKey } from '#web/forms/creation-key.ts'
import { isSignedOut } from '#web/forms/server-errors.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Select } from '#web/ui/select.tsx'

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
  const { content, change, clear } = useCommentDraft(subject, initial)
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
      clear()
      addComment(client, comment)
      onWritten(comment)
    },
    onError: (error) => {
      if (isSignedOut(error)) void refreshCurrentUser()
    },
  })
  if (mutedUntil) return <MutedNote until={mutedUntil} />
  return (
    <CommentField
      ref={ref}
      label={label}
      content={content}
      onChange={change}
      words={{ kind: 'comment', businessId: writer || null }}
      submitText={parentId ? 'Reply' : 'Comment'}
      pendingText="Sending..."
      sending={sending}
      onSubmit={() => sending.mutate()}
      onCancel={onCancel}
      autoFocus={autoFocus}
      start={
        businesses.length > 0 && (
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
        )
      }
    />
  )
}
