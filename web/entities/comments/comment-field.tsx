import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useId, useState } from 'react'
import type { Words } from '#compliance/words.ts'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { dropCreationKey } from '#web/forms/creation-key.ts'
import { forget, recall, remember } from '#web/forms/tab-memory.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'

/** The server's limit. */
const maxLength = 2000

/** Text of a new comment. It survives a reload and signing in. */
export function useCommentDraft(subject: string, initial = '') {
  const [content, setContent] = useState(() => {
    const stored = recall(subject)
    return typeof stored === 'string' ? stored : initial
  })
  return {
    content,
    change(next: string) {
      setContent(next)
      remember(subject, next)
    },
    /** After it was sent. */
    clear() {
      dropCreationKey(subject)
      forget(subject)
      setContent('')
    },
  }
}

type CommentFieldProps = {
  label: string
  content: string
  onChange: (content: string) => void
  /** For the hints of the content filter. */
  words: Omit<Words, 'texts'>
  submitText: string
  pendingText: string
  sending: { isPending: boolean; isError: boolean; error: unknown }
  onSubmit: () => void
  onCancel?: (() => void) | undefined
  ref?: Ref<HTMLTextAreaElement> | undefined
  autoFocus?: boolean
  size?: 'sm' | 'md'
  /** Before the buttons. */
  start?: ReactNode
}

/** A form to write or edit a comment. Ctrl+Enter sends it, Escape cancels. */
export function CommentField({ label, content, onChange, words, submitText, pendingText, sending, onSubmit, ...props }: CommentFieldProps) {
  const { onCancel, ref, autoFocus = false, size = 'md', start } = props
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

  return (
    <form noValidate onSubmit={submit} className="grid gap-2.5">
      <Textarea
        ref={ref}
        aria-label={label}
        placeholder={label}
        aria-invalid={error !== null}
        {...(error ? { 'aria-describedby': id } : {})}
        rows={2}
        maxLength={maxLength}
        value={content}
        autoFocus={autoFocus}
        onFocus={(event) => event.target.setSelectionRange(event.target.value.length, event.target.value.length)}
        onChange={(event) => {
          setMissing(false)
          onChange(event.target.value)
        }}
        onKeyDown={onKeyDown}
        className="min-h-18!"
      />
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
