import { useQueryClient } from '@tanstack/react-query'
import { Ban, Ellipsis, Flag, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Comment, deleteComment } from '../../../contracts/comments.ts'
import type { Post } from '../../../contracts/posts.ts'
import { addressOf } from '../../lib/address.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Ago } from '../../ui/ago.tsx'
import { cx } from '../../ui/cx.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useBlockDialog } from '../businesses/use-block-dialog.tsx'
import { useReport } from '../reports/use-report.tsx'
import { ModerationNote } from '../standing/moderation-note.tsx'
import { AcceptButton, AcceptedBadge } from './accept-answer.tsx'
import { reportedWriter, WriterName, WriterPicture, writerName } from './byline.tsx'
import { CommentEdit } from './comment-edit.tsx'
import { dropComment } from './comments.api.ts'
import { removals } from './pending-removals.ts'
import { FoldedText } from './rich-text.tsx'
import { useRemoved } from './use-removed.ts'

export const commentElementId = (id: string) => `comment-${id}`

type CommentItemProps = {
  post: Post
  comment: Comment
  /** The one that the address names. */
  isMarked: boolean
  onReply: () => void
  /** Replies, and the field for one. */
  children?: ReactNode
}

/** A comment or a reply, with what the viewer may do with it. */
export function CommentItem({ post, comment, isMarked, onReply, children }: CommentItemProps) {
  const [isEditing, setEditing] = useState(false)
  const isRemoved = useRemoved().has(comment.id)
  const { id, abilities, parentId } = comment
  const isGone = comment.isDeleted || isRemoved
  // What has replies stays as a place to hang them on.
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
          <>
            <WriterPicture business={comment.business} author={comment.author} size="sm" />
            <div className="min-w-0 flex-1">
              <div className="flex min-h-8 items-start justify-between gap-2">
                <p className="pt-0.5 text-sm">
                  <WriterName business={comment.business} author={comment.author} />{' '}
                  <span className="text-muted">
                    <Ago at={comment.createdAt} />
                    {comment.editedAt && ' · Edited'}
                  </span>{' '}
                  <AcceptedBadge post={post} comment={comment} />
                </p>
                <CommentMenu post={post} comment={comment} onEdit={() => setEditing(true)} />
              </div>
              {isEditing ? (
                <CommentEdit comment={comment} onDone={() => setEditing(false)} />
              ) : (
                <FoldedText text={comment.content} of={`the comment by ${writerName(comment)}`} className="text-[0.9375rem]" />
              )}
              <ModerationNote state={comment.moderation} subject="comment" heldFor={comment.heldFor} className="mt-2" />
              {!isEditing && (
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
              )}
            </div>
          </>
        )}
      </article>
      {children}
    </li>
  )
}

function CommentMenu({ post, comment, onEdit }: { post: Post; comment: Comment; onEdit: () => void }) {
  const client = useQueryClient()
  const { id, abilities } = comment
  const report = useReport('comment', id, reportedWriter(comment))
  const block = useBlockDialog(post.business, comment.author)
  if (!(abilities.edit || abilities.delete || abilities.report || abilities.block)) return null
  const input = { params: { id } }
  const remove = () =>
    removals.remove({
      id,
      title: 'Comment deleted',
      commit: async () => {
        await call(deleteComment, input)
        dropComment(client, comment)
      },
      commitOnLeave: () => void fetch(addressOf(deleteComment, input), { method: 'DELETE', credentials: 'same-origin', keepalive: true }),
      onFailed: (error) =>
        toast({ title: 'Error', description: `The comment was not deleted. ${messageOf(error)}`, variant: 'destructive' }),
    })
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`More about the comment by ${writerName(comment)}`} size="sm">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        {/* The field that Edit opens has the focus then. */}
        <MenuContent onCloseAutoFocus={(event) => document.activeElement instanceof HTMLTextAreaElement && event.preventDefault()}>
          {abilities.edit && (
            <MenuItem onSelect={onEdit}>
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
          {abilities.block && (
            <MenuItem danger onSelect={block.open}>
              <Ban aria-hidden="true" />
              Block from {post.business?.name}
            </MenuItem>
          )}
          {abilities.delete && (
            <MenuItem danger onSelect={remove}>
              <Trash2 aria-hidden="true" />
              Delete
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      {report.dialog}
      {block.dialog}
    </>
  )
}
