import { Ellipsis, Flag, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Comment } from '#contracts/comments.endpoints.ts'
import type { HuntComment } from '#contracts/hunt-comments.endpoints.ts'
import { ModerationNote } from '#web/entities/account-status/moderation-note.tsx'
import { WriterName, WriterPicture } from '#web/entities/posts/byline.tsx'
import { Ago } from '#web/ui/ago.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'

type CommentFrameProps = {
  writer: Pick<Comment, 'business' | 'author'>
  comment: Pick<HuntComment, 'createdAt' | 'editedAt' | 'moderation' | 'heldFor'>
  subject: 'comment' | 'hunt_comment'
  badge?: ReactNode
  menu: ReactNode
  /** Text or form. */
  children: ReactNode
  actions?: ReactNode
}

/** Picture, name, time and text of a comment; for a flex row. */
export function CommentFrame({ writer, comment, subject, badge, menu, children, actions }: CommentFrameProps) {
  return (
    <>
      <WriterPicture {...writer} size="sm" />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-8 items-start justify-between gap-2">
          <p className="pt-0.5 text-sm">
            <WriterName {...writer} />{' '}
            <span className="text-muted">
              <Ago at={comment.createdAt} />
              {comment.editedAt && ' · Edited'}
            </span>{' '}
            {badge}
          </p>
          {menu}
        </div>
        {children}
        <ModerationNote state={comment.moderation} subject={subject} heldFor={comment.heldFor} className="mt-2" />
        {actions}
      </div>
    </>
  )
}

type CommentMenuProps = {
  name: string
  abilities: { edit: boolean; report: boolean; delete: boolean }
  onEdit: () => void
  onReport: () => void
  onDelete: () => void
  /** Between Report and Delete. */
  children?: ReactNode
}

export function CommentMenu({ name, abilities, onEdit, onReport, onDelete, children }: CommentMenuProps) {
  if (!(abilities.edit || abilities.report || abilities.delete || children)) return null
  return (
    <Menu>
      <MenuTrigger asChild>
        <IconButton label={`More about the comment by ${name}`} size="sm">
          <Ellipsis aria-hidden="true" />
        </IconButton>
      </MenuTrigger>
      {/* Keeps the focus in the field opened by Edit. */}
      <MenuContent onCloseAutoFocus={(event) => document.activeElement instanceof HTMLTextAreaElement && event.preventDefault()}>
        {abilities.edit && (
          <MenuItem onSelect={onEdit}>
            <Pencil aria-hidden="true" />
            Edit
          </MenuItem>
        )}
        {abilities.report && (
          <MenuItem onSelect={onReport}>
            <Flag aria-hidden="true" />
            Report
          </MenuItem>
        )}
        {children}
        {abilities.delete && (
          <MenuItem danger onSelect={onDelete}>
            <Trash2 aria-hidden="true" />
            Delete
          </MenuItem>
        )}
      </MenuContent>
    </Menu>
  )
}
