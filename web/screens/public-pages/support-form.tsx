import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { sendSupportRequest } from '#contracts/calls/support.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { dropDraft, saveDraft, withDraft } from '#web/forms/form-draft.ts'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { showErrors, useRestoredFocus } from '#web/ui/focus.ts'
import { Input, Textarea } from '#web/ui/input.tsx'

const draftName = 'support'

/** The server flags requests by members with priority support. */
export default function SupportForm({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null)
  const [{ subject, message }, setDraft] = useState(() => withDraft(draftName, { subject: '', message: '' }))
  const [isRefused, setRefused] = useState(false)
  const sending = useMutation({
    mutationFn: () => {
      const body = { subject, message }
      return call(sendSupportRequest, { body }, { idempotencyKey: creationKey(draftName, body) })
    },
    onSuccess: () => {
      dropCreationKey(draftName)
      dropDraft(draftName)
    },
  })
  const part = useRestoredFocus<HTMLDivElement>(sending.data ? 'sent' : 'writing')
  const change = (changed: Partial<{ subject: string; message: string }>) => {
    setDraft({ subject, message, ...changed })
    saveDraft(draftName, { subject, message, ...changed })
  }
  const fields = fieldErrors(sending.error)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (sending.isPending) return
    if (!subject.trim() || !message.trim()) return showErrors(form.current, () => setRefused(true))
    sending.mutate()
  }

  return (
    <div {...part}>
      {sending.data ? (
        <p role="status" className="rounded-input bg-leaf-soft p-4">
          We got your message. We’ll reply to {email} within {counted(sending.data.answerDays, 'business day')}
          {sending.data.isPriority && ', because you have priority support'}.
        </p>
      ) : (
        <form ref={form} noValidate onSubmit={submit} className="grid max-w-text gap-4">
          <Field label="Subject" error={isRefused && !subject.trim() ? 'Enter a subject' : fields.subject}>
            <Input value={subject} maxLength={120} onChange={({ target }) => change({ subject: target.value })} />
          </Field>
          <Field
            label="Message"
            hint={`We’ll reply to ${email}.`}
            error={isRefused && !message.trim() ? 'Enter a message' : fields.message}
          >
            <Textarea value={message} rows={6} maxLength={4000} onChange={({ target }) => change({ message: target.value })} />
          </Field>
          {sending.error && Object.keys(fields).length === 0 && (
            <p role="alert" className="text-clay text-sm">
              {messageOf(sending.error)}
            </p>
          )}
          <div>
            <Button type="submit" size="lg" pending={sending.isPending} pendingText="Sending...">
              Send
            </Button>
          </div>
        </form>
      )}
    </div>
  )
}
