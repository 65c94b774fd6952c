import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createHuntComment, deleteHuntComment, updateHuntComment } from '#contracts/calls/hunts.ts'
import type { HuntComment } from '#contracts/hunts.endpoints.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { MutedNote, useMutedUntil } from '#web/entities/account-status/moderation-note.tsx'
import { CommentField, CommentFrame, CommentMenu, useCommentDraft } from '#web/entities/comments/comment-frame.tsx'
import { huntCommentsOptions, refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { useReport } from '#web/entities/reports/use-report.tsx'
import { creationKey } from '#web/forms/creation-key.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

const words = { kind: 'hunt_comment' } as const

export function HuntComments({ hunt }: { hunt: Hunt }) {
  const list = useInfiniteQuery(huntCommentsOptions(hunt.id))
  const mutedUntil = useMutedUntil()
  return (
    <section aria-label={`Comments on ${hunt.huntName}`} className="grid gap-3 border-line border-t pt-4">
      <PagedList
        list={list}
        loadingLabel="Loading comments..."
        skeleton={<SkeletonRow />}
        failure="The comments couldn’t be loaded"
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
      <CommentFrame
        writer={{ business: null, author }}
        comment={comment}
        subject="hunt_comment"
        menu={
          <CommentMenu
            name={author.name}
            abilities={abilities}
            onEdit={() => setAsks('edit')}
            onReport={report.open}
            onDelete={() => setAsks('delete')}
          />
        }
      >
        {asks === 'edit' ? (
          <EditComment comment={comment} onDone={() => setAsks(null)} />
        ) : (
          <p className="max-w-text text-[0.9375rem] whitespace-pre-line wrap-anywhere">{comment.content}</p>
        )}
      </CommentFrame>
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
  // A draft of an earlier version of the comment isn't restored.
  const [subject] = useState(`hunt-comment.edit.${comment.id}.${comment.editedAt}`)
  const { text, change, clear } = useCommentDraft(subject, { content: comment.content, mentions: [] })
  const { content } = text
  const leave = () => {
    clear()
    onDone()
  }
  const saving = useMutation({
    mutationFn: () => call(updateHuntComment, { params: { id: comment.id }, body: { content } }),
    onSuccess: async () => {
      await refreshHunts(client)
      leave()
    },
  })
  return (
    <CommentField
      label="Edit your comment"
      text={text}
      onChange={change}
      hasMentions={false}
      words={words}
      submitText="Save"
      pendingText="Saving..."
      sending={saving}
      onSubmit={() => saving.mutate()}
      onCancel={leave}
      autoFocus
      size="sm"
    />
  )
}

function NewComment({ hunt }: { hunt: Hunt }) {
  const client = useQueryClient()
  const subject = `hunt-comment.${hunt.id}`
  const { text, change, clear } = useCommentDraft(subject)
  const { content } = text
  const sending = useMutation({
    mutationFn: () =>
      call(createHuntComment, { params: { id: hunt.id }, body: { content } }, { idempotencyKey: creationKey(subject, { content }) }),
    onSuccess: async () => {
      clear()
      await refreshHunts(client)
    },
  })
  return (
    <CommentField
      label="Write a comment"
      text={text}
      onChange={change}
      hasMentions={false}
      words={words}
      submitText="Comment"
      pendingText="Sending..."
      sending={sending}
      onSubmit={() => sending.mutate()}
    />
  )
}
