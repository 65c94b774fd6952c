import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis, Flag, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { deleteHuntComment, editHuntComment, type HuntComment, writeHuntComment } from '#contracts/hunt-comments.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { ModerationNote } from '#web/entities/account-status/moderation-note.tsx'
import { MutedNote, useMutedUntil } from '#web/entities/account-status/muted-note.tsx'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { huntCommentsOptions, refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { useReport } from '#web/entities/reports/use-report.tsx'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { forget, recall, remember } from '#web/forms/tab-memory.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { toast } from '#web/ui/toast-store.ts'

const maxLength = 2000

/** Comments on a hunt, oldest first, with a form. */
export function HuntComments({ hunt }: { hunt: Hunt }) {
  const list = useInfiniteQuery(huntCommentsOptions(hunt.id))
  const mutedUntil = useMutedUntil()
  return (
    <section aria-label={`Comments on ${hunt.huntName}`} className="grid gap-3 border-line border-t pt-4">
      <PagedList
        list={list}
        loadingLabel="Loading comments..."
        skeleton={<SkeletonRow />}
        failure="The comments could not be loaded"
        empty={
          <p className="text-muted text-sm">
            {hunt.abilities.comment ? 'No comments yet. Be the first to say something.' : 'No comments yet.'}
          </p>
        }
      >
        {(comments) => (
          <ol className="grid gap-3">
            {comments.map((comment) => (
              <li key={comment.id}>
                <CommentItem comment={comment} />
              </li>
            ))}
          </ol>
        )}
      </PagedList>
      {hunt.abilities.comment && (mutedUntil ? <MutedNote until={mutedUntil} /> : <NewComment hunt={hunt} />)}
    </section>
  )
}

function CommentItem({ comment }: { comment: HuntComment }) {
  const client = useQueryClient()
  const { id, author, abilities } = comment
  const report = useReport('hunt_comment', id, { kind: 'person', ...author })
  const [asks, setAsks] = useState<'edit' | 'delete' | null>(null)
  const removing = useMutation({
    mutationFn: () => call(deleteHuntComment, { params: { id } }),
    onSuccess: async () => {
      setAsks(null)
      toast({ title: 'Comment deleted' })
      await refreshHunts(client)
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <article aria-label={`Comment by ${author.name}`} className="flex gap-3">
      <Avatar id={author.id} name={author.name} imageUrl={author.imageUrl} size="sm" />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-8 items-start justify-between gap-2">
          <p className="pt-0.5 text-sm">
            <Link to="/people/$id" params={{ id: author.id }} className="touch-target font-semibold wrap-anywhere hover:underline">
              {author.name}
            </Link>{' '}
            <span className="text-muted">
              <Ago at={comment.createdAt} />
              {comment.editedAt && ' · Edited'}
            </span>
          </p>
          <Menu>
            <MenuTrigger asChild>
              <IconButton label={`More about the comment by ${author.name}`} size="sm">
                <Ellipsis aria-hidden="true" />
              </IconButton>
            </MenuTrigger>
            <MenuContent>
              {abilities.edit && (
                <MenuItem onSelect={() => setAsks('edit')}>
                  <Pencil aria-hidden="true" />
                  Edit
                </MenuItem>
              )}
              {abilities.report && (
                <MenuItem onSelect={report.open}>
                  <Flag aria-hidden="true" />
                  Report
                </MenuItem>
              )}
              {abilities.delete && (
                <MenuItem danger onSelect={() => setAsks('delete')}>
                  <Trash2 aria-hidden="true" />
                  Delete
                </MenuItem>
              )}
            </MenuContent>
          </Menu>
        </div>
        {asks === 'edit' ? (
          <EditComment comment={comment} onDone={() => setAsks(null)} />
        ) : (
          <p className="max-w-text text-[0.9375rem] whitespace-pre-line wrap-anywhere">{comment.content}</p>
        )}
        <ModerationNote state={comment.moderation} subject="hunt_comment" heldFor={comment.heldFor} className="mt-2" />
      </div>
      <ConfirmDialog
        open={asks === 'delete'}
        onOpenChange={(open) => setAsks(open ? 'delete' : null)}
        title="Delete this comment?"
        confirmText="Delete comment"
        pending={removing.isPending}
        onConfirm={() => removing.mutate()}
      >
        <p>This deletes it for everyone.</p>
      </ConfirmDialog>
      {report.dialog}
    </article>
  )
}

function EditComment({ comment, onDone }: { comment: HuntComment; onDone: () => void }) {
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: (content: string) => call(editHuntComment, { params: { id: comment.id }, body: { content } }),
    onSuccess: async () => {
      await refreshHunts(client)
      onDone()
    },
  })
  return (
    <CommentField
      label="Edit comment"
      initial={comment.content}
      submitText="Save"
      pending={saving.isPending}
      error={saving.isError ? messageOf(saving.error) : null}
      onSubmit={(content) => saving.mutate(content)}
      onCancel={onDone}
    />
  )
}

function NewComment({ hunt }: { hunt: Hunt }) {
  const client = useQueryClient()
  const subject = `hunt-comment.${hunt.id}`
  const [round, setRound] = useState(0)
  const stored = recall(subject)
  const sending = useMutation({
    mutationFn: (content: string) =>
      call(writeHuntComment, { params: { id: hunt.id }, body: { content } }, { idempotencyKey: creationKey(subject, { content }) }),
    onSuccess: async () => {
      dropCreationKey(subject)
      forget(subject)
      setRound(round + 1)
      await refreshHunts(client)
    },
  })
  return (
    <CommentField
      key={round}
      label="Write a comment"
      initial={typeof stored === 'string' ? stored : ''}
      submitText="Comment"
      pending={sending.isPending}
      error={sending.isError ? messageOf(sending.error) : null}
      onChange={(content) => remember(subject, content)}
      onSubmit={(content) => sending.mutate(content)}
    />
  )
}

type CommentFieldProps = {
  label: string
  initial: string
  submitText: string
  pending: boolean
  error: string | null
  onChange?: (content: string) => void
  onSubmit: (content: string) => void
  onCancel?: () => void
}

function CommentField({ label, initial, submitText, pending, error, onChange, onSubmit, onCancel }: CommentFieldProps) {
  const id = useId()
  const [content, setContent] = useState(initial)
  const [isMissing, setMissing] = useState(false)
  const problem = isMissing && content.trim() === '' ? 'Write something first' : error
  function submit(event: FormEvent) {
    event.preventDefault()
    if (content.trim() === '') setMissing(true)
    else if (!pending) onSubmit(content)
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-2.5">
      <Textarea
        aria-label={label}
        placeholder={label}
        rows={2}
        maxLength={maxLength}
        value={content}
        aria-invalid={problem !== null}
        {...(problem ? { 'aria-describedby': `${id}-error` } : {})}
        onChange={(event) => {
          setContent(event.target.value)
          setMissing(false)
          onChange?.(event.target.value)
        }}
        className="min-h-18!"
      />
      {problem && (
        <div role="alert">
          <FieldError id={`${id}-error`}>{problem}</FieldError>
        </div>
      )}
      <ComplianceHints words={{ kind: 'hunt_comment', texts: [content] }} />
      <div className="flex justify-end gap-2">
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" pending={pending} pendingText="Sending...">
          {submitText}
        </Button>
      </div>
    </form>
  )
}
