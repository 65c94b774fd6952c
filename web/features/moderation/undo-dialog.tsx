import { type FormEvent, useId, useState } from 'react'
import { explainedActions, type ModerationDeed } from '../../../contracts/moderation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { actionNames } from './desk-words.ts'
import { useUndo } from './use-undo.ts'

type UndoDialogProps = {
  deed: Pick<ModerationDeed, 'id' | 'action'>
  caseId: string | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

const asBefore = 'What it changed is as before, unless it was changed since.'

/** Asks why something is taken back, as the records keep it. */
export function UndoDialog({ deed, caseId, open, onOpenChange }: UndoDialogProps) {
  const formId = useId()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const undo = useUndo(caseId)
  const isTold = explainedActions.includes(deed.action)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    event.stopPropagation()
    if (reason.trim() === '') {
      event.currentTarget.querySelector('textarea')?.focus()
      setMissing(true)
    } else if (!undo.isPending) undo.mutate({ ids: [deed.id], reason }, { onSuccess: () => onOpenChange(false) })
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={`Undo: ${actionNames[deed.action].toLowerCase()}`}
        description={isTold ? `${asBefore} The person is told that it was taken back.` : 'The case is open again.'}
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={undo.isPending} pendingText="Undoing...">
              Undo
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={submit}>
          <Field label="Why" hint="For moderators." error={isMissing && 'Say why'}>
            <Textarea
              rows={3}
              maxLength={1000}
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
