import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { type ReportReason, type ReportSubject, report } from '../../../contracts/reports.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { focusFirstError } from '../../ui/focus-first-error.ts'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { toast } from '../../ui/toast-store.ts'
import { reasonWords, subjectWords } from './report-words.ts'

const mostDetails = 1000

type ReportDialogProps = {
  subject: ReportSubject
  subjectId: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks why something should be looked at, and tells the moderators. What was said stays while the dialog is closed by mistake. */
export function ReportDialog({ subject, subjectId, open, onOpenChange }: ReportDialogProps) {
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [reason, setReason] = useState<ReportReason | null>(null)
  const [details, setDetails] = useState('')
  const [isRefused, setRefused] = useState(false)
  const sending = useMutation({
    mutationFn: (chosen: ReportReason) => call(report, { body: { subject, subjectId, reason: chosen, details } }),
    onSuccess: () => {
      setReason(null)
      setDetails('')
      onOpenChange(false)
      toast({ title: 'Report sent', description: 'Thank you. Our moderators will look at it.' })
    },
  })
  const fieldErrors = sending.error instanceof ApiError ? sending.error.fields : {}
  const reasonError = isRefused && !reason ? 'Choose a reason' : fieldErrors.reason
  const detailsError = isRefused && reason === 'other' && details.trim() === '' ? 'Tell us what it is' : fieldErrors.details

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form inside a portal is still inside the form or card around the dialog, as far as React is concerned.
    event.stopPropagation()
    if (!reason || (reason === 'other' && details.trim() === '')) {
      setRefused(true)
      requestAnimationFrame(() => form.current && focusFirstError(form.current))
      return
    }
    if (!sending.isPending) sending.mutate(reason)
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        size="md"
        title={`Report this ${subjectWords[subject]}`}
        description="Only our moderators see who reported it."
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={sending.isPending} pendingText="Sending...">
              Send report
            </Button>
          </>
        }
      >
        <form id={formId} ref={form} onSubmit={submit} noValidate className="grid gap-5">
          <RadioCards legend="What is wrong?" error={reasonError} className="gap-2! sm:grid-flow-row! sm:grid-cols-2">
            {reasonWords.map((words) => (
              <RadioCard
                key={words.reason}
                name="reason"
                value={words.reason}
                title={words.title}
                description={words.description}
                checked={reason === words.reason}
                onChange={() => setReason(words.reason)}
                className="p-3!"
              />
            ))}
          </RadioCards>
          <Field label="Details" optional={reason !== 'other'} error={detailsError} hint="What a moderator should know or look at.">
            <Textarea rows={3} maxLength={mostDetails} value={details} onChange={(event) => setDetails(event.target.value)} />
          </Field>
          {sending.isError && !reasonError && !detailsError && (
            <div role="alert">
              <FieldError>{messageOf(sending.error)}</FieldError>
            </div>
          )}
        </form>
      </DialogContent>
    </Dialog>
  )
}
