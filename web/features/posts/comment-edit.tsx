import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { type Comment, editComment } from '../../../contracts/comments.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { ComplianceHints } from '../compliance/compliance-hints.tsx'
import { longestComment } from './comment-form.tsx'
import { replaceComment } from './comments.api.ts'

/** A comment of one's own, open for changes. */
export function CommentEdit({ comment, onDone }: { comment: Comment; onDone: () => void }) {
  const client = useQueryClient()
  const id = useId()
  const [content, setContent] = useState(comment.content)
  const saving = useMutation({
    mutationFn: () => call(editComment, { params: { id: comment.id }, body: { content } }),
    onSuccess: (changed) => {
      replaceComment(client, changed)
      onDone()
    },
  })
  const isEmpty = content.trim() === ''
  const error = isEmpty ? 'Write something first' : saving.isError ? messageOf(saving.error) : null

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isEmpty && !saving.isPending) saving.mutate()
  }

  return (
    <form noValidate onSubmit={submit} className="mt-1.5 grid gap-2.5">
      <Textarea
        aria-label="Edit your comment"
        aria-invalid={error !== null}
        {...(error ? { 'aria-describedby': id } : {})}
        rows={2}
        maxLength={longestComment}
        value={content}
        autoFocus
        onChange={(event) => setContent(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
        className="min-h-18!"
      />
      {error && (
        <div role="alert">
          <FieldError id={id}>{error}</FieldError>
        </div>
      )}
      <ComplianceHints words={{ kind: 'comment', texts: [content], businessId: comment.business?.id ?? null }} />
      <div className="flex justify-end gap-2">
        <Button variant="quiet" size="sm" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" size="sm" pending={saving.isPending} pendingText="Saving...">
          Save
        </Button>
      </div>
    </form>
  )
}
