import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ban, CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { deleteComment, updateComment } from '#contracts/calls/comments.ts'
import { acceptAnswer, unacceptAnswer } from '#contracts/calls/community-posts.ts'
import type { Comment } from '#contracts/comments.endpoints.ts'
import type { Post } from '#contracts/posts.ts'
import { useBlockDialog } from '#web/entities/businesses/use-block-dialog.tsx'
import { CommentField, CommentFrame, CommentMenu, useCommentDraft } from '#web/entities/comments/comment-frame.tsx'
import { reportedWriter, writerName } from '#web/entities/posts/byline.tsx'
import { dropComment, refreshCount, replaceComment, uncountComment } from '#web/entities/posts/comments.api.ts'
import { mentionsWithoutSpaces, newMentions } from '#web/entities/posts/mentions.ts'
import { changePost } from '#web/entities/posts/posts.api.ts'
import { FoldedText } from '#web/entities/posts/rich-text.tsx'
import { useReport } from '#web/entities/reports/use-report.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Badge } from '#web/ui/badge.tsx'
import { cx } from '#web/ui/cx.ts'
import { MenuItem } from '#web/ui/menu.tsx'
import { removals, useRemoved } from '#web/ui/pending-removals.ts'
import { toast } from '#web/ui/toast-store.ts'

export const commentElementId = (id: string) => `comment-${id}`

type CommentItemProps = {
  post: Post
  comment: Comment
  isMarked: boolean
  onReply: () => void
  children?: ReactNode
}

export function CommentItem({ post, comment, isMarked, onReply, children }: CommentItemProps) {
  const [isEditing, setEditing] = useState(false)
  const isRemoved = useRemoved().has(comment.id)
  const { id, abilities, parentId } = comment
  const isGone = comment.isDeleted || isRemoved
  // A deleted comment with replies remains as a placeholder.
  if (isGone && comment.repliesCount === 0) return null
  return (
    <li>
      <article
        id={commentElementId(id)}
        tabIndex={-1}
        aria-label={isGone ? 'Deleted comment' : `${parentId ? 'Reply' : 'Comment'} by ${writerName(comment)}`}
        className={cx('-mx-2 flex scroll-mt-24 gap-3 rounded-input p-2', isMarked && 'bg-leaf-soft')}
      >
        {isGone ? (
          <p className="py-1 text-muted text-sm italic">This comment was deleted.</p>
        ) : (
          <CommentFrame
            writer={comment}
            comment={comment}
            subject="comment"
            badge={<AcceptedBadge post={post} comment={comment} />}
            menu={<PostCommentMenu post={post} comment={comment} onEdit={() => setEditing(true)} />}
            actions={
              !isEditing && (
                <div className="-ml-1.5 mt-1 flex flex-wrap items-center gap-x-2 empty:hidden">
                  {abilities.reply && post.abilities.comment && (
                    <button
                      type="button"
                      onClick={onReply}
                      className="touch-target min-h-6 rounded-tag px-1.5 font-medium text-muted text-sm hover:text-ink"
                    >
                      Reply<span className="sr-only"> to {writerName(comment)}</span>
                    </button>
                  )}
                  <AcceptButton post={post} comment={comment} of={writerName(comment)} />
                </div>
              )
            }
          >
            {isEditing ? (
              <CommentEdit comment={comment} communityId={post.community?.id} onDone={() => setEditing(false)} />
            ) : (
              <FoldedText
                text={comment.content}
                mentions={comment.mentions}
                of={`the comment by ${writerName(comment)}`}
                className="text-[0.9375rem]"
              />
            )}
          </CommentFrame>
        )}
      </article>
      {children}
    </li>
  )
}

function PostCommentMenu({ post, comment, onEdit }: { post: Post; comment: Comment; onEdit: () => void }) {
  const client = useQueryClient()
  const { id, abilities } = comment
  const report = useReport('comment', id, reportedWriter(comment))
  const block = useBlockDialog(post.business, comment.author)
  const input = { params: { id } }
  const remove = () => {
    uncountComment(client, comment)
    removals.remove({
      id,
      title: 'Comment deleted',
      commit: async () => {
        await call(deleteComment, input, { keepalive: true })
        dropComment(client, comment)
      },
      onUndone: () => void refreshCount(client, comment.postId),
      onFailed: (error) => {
        void refreshCount(client, comment.postId)
        toast({ title: 'Error', description: `The comment wasn’t deleted. ${messageOf(error)}`, variant: 'destructive' })
      },
    })
  }
  return (
    <>
      <CommentMenu name={writerName(comment)} abilities={abilities} onEdit={onEdit} onReport={report.open} onDelete={remove}>
        {abilities.block && (
          <MenuItem danger onSelect={block.open}>
            <Ban aria-hidden="true" />
            Block from {post.business?.name}
          </MenuItem>
        )}
      </CommentMenu>
      {report.dialog}
      {block.dialog}
    </>
  )
}

function AcceptedBadge({ post, comment }: { post: Post; comment: Comment }) {
  if (post.community?.acceptedCommentId !== comment.id) return null
  return (
    <Badge variant="leaf" className="ml-1 align-middle">
      <CircleCheck aria-hidden="true" />
      Accepted answer
    </Badge>
  )
}

/** For the question's author and moderators. Not optimistic, because the answer has to be fetched. */
function AcceptButton({ post, comment, of }: { post: Post; comment: Comment; of: string }) {
  const client = useQueryClient()
  const { id, community } = post
  const show = (acceptedCommentId: string | null) =>
    changePost(client, id, (shown) => (shown.community ? { community: { ...shown.community, acceptedCommentId } } : {}))
  const accepting = useMutation({
    mutationKey: ['accept-answer', id],
    scope: { id: `accept-answer:${id}` },
    mutationFn: (to: string | null) =>
      to === null ? call(unacceptAnswer, { params: { id } }) : call(acceptAnswer, { params: { id }, body: { commentId: to } }),
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
    onSuccess: ({ acceptedCommentId }) => show(acceptedCommentId),
  })
  if (!community?.may.accept || comment.parentId !== null || comment.isDeleted) return null
  const isAccepted = community.acceptedCommentId === comment.id
  return (
    <button
      type="button"
      aria-pressed={isAccepted}
      aria-disabled={accepting.isPending}
      onClick={() => !accepting.isPending && accepting.mutate(isAccepted ? null : comment.id)}
      className="touch-target inline-flex min-h-6 items-center gap-1 rounded-tag px-1.5 font-medium text-muted text-sm hover:text-ink aria-pressed:text-leaf [&_svg]:size-4"
    >
      <CircleCheck aria-hidden="true" />
      {isAccepted ? 'Accepted' : 'Accept answer'}
      <span className="sr-only"> by {of}</span>
    </button>
  )
}

type CommentEditProps = { comment: Comment; communityId: string | undefined; onDone: () => void }

function CommentEdit({ comment, communityId, onDone }: CommentEditProps) {
  const client = useQueryClient()
  // A draft of an earlier version of the comment isn't restored.
  const [subject] = useState(`comment.edit.${comment.id}.${comment.editedAt}`)
  const { text, change, clear } = useCommentDraft(subject, { content: comment.content, mentions: newMentions(comment.mentions) })
  const leave = () => {
    clear()
    onDone()
  }
  const saving = useMutation({
    mutationFn: () =>
      call(updateComment, {
        params: { id: comment.id },
        body: { content: text.content, mentions: mentionsWithoutSpaces(text.content, text.mentions) },
      }),
    onSuccess: (changed) => {
      replaceComment(client, changed)
      leave()
    },
  })
  return (
    <div className="mt-1.5">
      <CommentField
        label="Edit your comment"
        text={text}
        onChange={change}
        communityId={communityId}
        words={{ kind: 'comment', businessId: comment.business?.id ?? null }}
        submitText="Save"
        pendingText="Saving..."
        sending={saving}
        onSubmit={() => saving.mutate()}
        onCancel={leave}
        autoFocus
        size="sm"
      />
    </div>
  )
}
