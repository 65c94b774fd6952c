import { Ellipsis, Flag, Pencil, Trash2 } from 'lucide-react'
import { type FocusEvent, type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useId, useState } from 'react'
import type { SubmittedText } from '#compliance/rules.ts'
import type { Comment } from '#contracts/comments.endpoints.ts'
import type { HuntComment } from '#contracts/hunts.endpoints.ts'
import { ModerationNote } from '#web/entities/account-status/moderation-note.tsx'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { WriterName, WriterPicture } from '#web/entities/posts/byline.tsx'
import { MentionArea, type MentionedText } from '#web/entities/posts/mention-area.tsx'
import { dropCreationKey } from '#web/forms/creation-key.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'

type CommentFrameProps = {
  writer: Pick<Comment, 'business' | 'author'>
  comment: Pick<HuntComment, 'createdAt' | 'editedAt' | 'moderation' | 'heldFor'>
  subject: 'comment' | 'hunt_comment'
  badge?: ReactNode
  menu: ReactNode
  children: ReactNode
  actions?: ReactNode
}

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
        <ModerationNote
          state={comment.moderation}
          subject={subject}
          heldFor={comment.heldFor}
          isByBusiness={writer.business !== null}
          className="mt-2"
        />
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
  children?: ReactNode
}

export function CommentMenu({ name, abilities, onEdit, onReport, onDelete, children }: CommentMenuProps) {
  if (!(abilities.edit || abilities.report || abilities.delete || children)) return null
  return (
    <Menu>
      <MenuTrigger asChild>
        <IconButton label={`More actions for the comment by ${name}`} size="sm">
          <Ellipsis aria-hidden="true" />
        </IconButton>
      </MenuTrigger>
      {/* Leaves focus in the field that Edit opened. */}
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

const maxLength = 2000

/** Survives reloading and signing in. */
export function useCommentDraft(subject: string, initial: MentionedText = noText) {
  const [text, setText] = useState(() => {
    const stored = getTabItem(subject)
    return isMentionedText(stored) ? stored : initial
  })
  return {
    text,
    change(next: MentionedText) {
      setText(next)
      setTabItem(subject, next)
    },
    clear() {
      dropCreationKey(subject)
      removeTabItem(subject)
      setText(noText)
    },
  }
}

const noText: MentionedText = { content: '', mentions: [] }

/** An earlier version of the app may have stored other values. */
const isMentionedText = (stored: unknown): stored is MentionedText =>
  typeof stored === 'object' && stored !== null && 'content' in stored && typeof stored.content === 'string' && 'mentions' in stored

type CommentFieldProps = {
  label: string
  text: MentionedText
  onChange: (text: MentionedText) => void
  communityId?: string | undefined
  hasMentions?: boolean
  words: Omit<SubmittedText, 'texts'>
  submitText: string
  pendingText: string
  sending: { isPending: boolean; isError: boolean; error: unknown }
  onSubmit: () => void
  onCancel?: (() => void) | undefined
  ref?: Ref<HTMLTextAreaElement> | undefined
  autoFocus?: boolean
  size?: 'sm' | 'md'
  start?: ReactNode
}

export function CommentField({ label, text, onChange, words, submitText, pendingText, sending, onSubmit, ...props }: CommentFieldProps) {
  const { onCancel, ref, autoFocus = false, size = 'md', start, communityId, hasMentions = true } = props
  const { content } = text
  const id = useId()
  const [isMissing, setMissing] = useState(false)
  const isEmpty = content.trim() === ''
  const error = isMissing && isEmpty ? 'Write something first' : sending.isError ? messageOf(sending.error) : null

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isEmpty) {
      setMissing(true)
      event.currentTarget.querySelector('textarea')?.focus()
    } else if (!sending.isPending) onSubmit()
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
    if (event.key === 'Escape') onCancel?.()
  }

  const field = {
    'aria-label': label,
    placeholder: label,
    'aria-invalid': error !== null,
    ...(error ? { 'aria-describedby': id } : {}),
    rows: 2,
    maxLength,
    autoFocus,
    onFocus: ({ target }: FocusEvent<HTMLTextAreaElement>) => target.setSelectionRange(target.value.length, target.value.length),
    onKeyDown,
    className: 'min-h-18!',
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-2.5">
      {hasMentions ? (
        <MentionArea
          {...field}
          ref={ref}
          communityId={communityId}
          text={text}
          onChange={(next) => {
            setMissing(false)
            onChange(next)
          }}
        />
      ) : (
        <Textarea
          {...field}
          ref={ref}
          value={content}
          onChange={(event) => {
            setMissing(false)
            onChange({ content: event.target.value, mentions: [] })
          }}
        />
      )}
      {error && (
        <div role="alert">
          <FieldError id={id}>{error}</FieldError>
        </div>
      )}
      <ComplianceHints words={{ ...words, texts: [content] }} />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {start}
        {onCancel && (
          <Button variant="quiet" size={size} onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" size={size} pending={sending.isPending} pendingText={pendingText}>
          {submitText}
        </Button>
      </div>
    </form>
  )
}
