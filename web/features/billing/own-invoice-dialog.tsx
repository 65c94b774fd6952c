import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { OwnInvoice, saveOwnInvoice } from '../../../contracts/payment-accounts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { TextareaField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { keepAccounts } from './payment-accounts.api.ts'

type OwnInvoiceDialogProps = { businessId: string; instructions: string; onClose: () => void }

/** How subscribers pay the business's own invoice, in the owner's words. */
export function OwnInvoiceDialog({ businessId, instructions, onClose }: OwnInvoiceDialogProps) {
  const client = useQueryClient()
  const subject = `own-invoice.${businessId}`
  const form = useForm<{ instructions: string }>({
    defaultValues: withDraft(subject, { instructions }),
    resolver: standardSchemaResolver(OwnInvoice),
    mode: 'onTouched',
  })
  const dropDraft = useDraft(form, subject)
  const { control, formState } = form
  const submit = form.handleSubmit(async (body) => {
    try {
      await keepAccounts(client, businessId, await call(saveOwnInvoice, { params: { id: businessId }, body }))
      dropDraft()
      toast({ title: 'Saved', description: 'New subscribers see how to pay you.' })
      onClose()
    } catch (error) {
      console.error(error)
      if (!showServerErrors(form, error, ['instructions'])) toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Your own invoice"
        description="Subscribers pay you directly; you record what came in."
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form="own-invoice" pending={formState.isSubmitting} pendingText="Saving...">
              Save
            </Button>
          </>
        }
      >
        <form id="own-invoice" noValidate onSubmit={submit}>
          <TextareaField
            control={control}
            name="instructions"
            label="How to pay"
            rows={5}
            maxLength={1000}
            placeholder="By bank transfer to …, account …, with the reference that stands below."
            hint="Each subscriber is shown this with a reference of their own."
          />
        </form>
      </DialogContent>
    </Dialog>
  )
}
