import { type FormEvent, useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'

type ReasonDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  hint: string
  maxLength: number
  submitText: string
  pendingText: string
  isDanger?: boolean
  pending: boolean
  onSubmit: (reason: string) => void
}

/** The text survives closing and reopening the dialog. */
export function ReasonDialog({ open, onOpenChange, title, description, hint, maxLength, ...props }: ReasonDialogProps) {
  const { submitText, pendingText, isDanger = false, pending, onSubmit } = props
  const formId = useId()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // The dialog may be inside another form in the React tree, which would get this submit event.
    event.stopPropagation()
    if (reason.trim() === '') {
      event.currentTarget.querySelector('textarea')?.focus()
      setMissing(true)
    } else if (!pending) onSubmit(reason)
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={title}
        description={description}
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} variant={isDanger ? 'danger' : 'primary'} pending={pending} pendingText={pendingText}>
              {submitText}
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={submit}>
          <Field label="Reason" hint={hint} error={isMissing && 'Enter a reason'}>
            <Textarea
              rows={4}
              maxLength={maxLength}
              value={reason}
              onChange={(event) => {
                setReason(event.target.value)
                setMissing(false)
              }}
            />
          </Field>
        </form>
      </DialogContent>
    </Dialog>
  )
}
