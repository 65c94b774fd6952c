import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { appeal } from '../../../contracts/moderation.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { showErrors } from '../../ui/focus-first-error.ts'
import { Textarea } from '../../ui/textarea.tsx'
import { toast } from '../../ui/toast-store.ts'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import { addAppeal, ownDeedsOptions } from './standing.api.ts'

const longest = 2000

/** Says why a decision was wrong. It can be said once, so the form says so before. */
export function AppealForm({ deedId, onClose }: { deedId: string; onClose: () => void }) {
  const client = useQueryClient()
  const key = `draft.appeal.${deedId}`
  const form = useRef<HTMLFormElement>(null)
  const [content, setContent] = useState(() => {
    const kept = recall(key)
    return typeof kept === 'string' ? kept : ''
  })
  const [isMissing, setMissing] = useState(false)
  const sending = useMutation({
    mutationFn: () => call(appeal, { params: { id: deedId }, body: { content } }),
    onSuccess: (made) => {
      forget(key)
      addAppeal(client, deedId, made)
      toast({ title: 'Appeal sent', description: 'Another moderator looks at it. You find the answer here.' })
    },
    onError: (error) => {
      // It was appealed in another window, or taken back meanwhile.
      if (error instanceof ApiError && error.status === 409) void client.invalidateQueries({ queryKey: ownDeedsOptions.queryKey })
    },
  })
  const fieldError = sending.error instanceof ApiError ? sending.error.fields.content : undefined
  const error = isMissing && content.trim() === '' ? 'Say why it should be looked at again' : fieldError

  function submit(event: FormEvent) {
    event.preventDefault()
    if (content.trim() === '') {
      showErrors(form.current, () => setMissing(true))
    } else if (!sending.isPending) sending.mutate()
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4 border-line border-t pt-4">
      <Field
        label="Why should it be looked at again?"
        hint="You can appeal once. Say what the moderator may have missed; a moderator who had no part in it reads this."
        error={error}
      >
        <Textarea
          rows={4}
          maxLength={longest}
          autoFocus
          value={content}
          onChange={(event) => {
            setContent(event.target.value)
            setMissing(false)
            remember(key, event.target.value)
          }}
        />
      </Field>
      {sending.isError && !fieldError && (
        <div role="alert">
          <FieldError>{messageOf(sending.error)}</FieldError>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={sending.isPending} pendingText="Sending...">
          Send appeal
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
