import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { saveOwnInvoice } from '#contracts/calls/payment-accounts.ts'
import { OwnInvoice } from '#contracts/payment-accounts.ts'
import { TextareaField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { isSignedOut, showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { cacheAccounts } from './payment-accounts.api.ts'

type OwnInvoiceDialogProps = { businessId: string; instructions: string; onClose: () => void }

/** How subscribers pay the business's own invoices, in the owner's words. */
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
      await cacheAccounts(client, businessId, await call(saveOwnInvoice, { params: { id: businessId }, body }))
      dropDraft()
      toast({ title: 'Saved', description: 'New subscribers will see how to pay you.' })
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
        description="Subscribers pay you directly, and you record their payments."
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
            placeholder="By bank transfer to …, account …, with the reference below."
            hint="Each subscriber sees this with their own reference."
          />
        </form>
      </DialogContent>
    </Dialog>
  )
}
