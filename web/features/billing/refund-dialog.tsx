import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { type Resolver, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { noteRefund } from '../../../contracts/billing.ts'
import { Id } from '../../../contracts/ids.ts'
import { Price } from '../../../contracts/money.ts'
import { line } from '../../../contracts/text.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { TextareaField, TextField } from '../accounts/fields.tsx'
import { showServerErrors } from '../accounts/server-errors.ts'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { moneyText, paymentWords } from './agreement-words.ts'
import { refreshBilling } from './billing.api.ts'

/** A receipt's address has the payment's id in it. */
const idIn = (text: unknown) => (typeof text === 'string' ? (/[0-9a-f-]{36}/i.exec(text)?.[0] ?? text.trim()) : text)

const Refund = z.object({
  paymentId: z.pipe(z.transform(idIn), Id),
  amount: Price,
  reason: line(500, 'Say why'),
})
type Values = z.infer<typeof Refund>
const subject = 'refund'

/** Notes that a payment was given back. The money itself moves at the provider or the bank. */
export function RefundDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm<Values>({
    defaultValues: { paymentId: '', amount: '', reason: '' },
    resolver: standardSchemaResolver(Refund) as Resolver<Values>,
    mode: 'onTouched',
  })
  const { control, formState } = form
  const submit = form.handleSubmit(async (values) => {
    const { paymentId, ...body } = values
    try {
      const payment = await call(noteRefund, { params: { id: paymentId }, body }, { idempotencyKey: creationKey(subject, values) })
      dropCreationKey(subject)
      toast({
        title: 'Refund noted',
        description: `${payment.title}, ${moneyText(payment.money)}: ${paymentWords(payment.status).badge.toLowerCase()}.`,
      })
      onClose()
      await refreshBilling(client)
    } catch (error) {
      console.error(error)
      if (!showServerErrors(form, error, ['amount', 'reason'])) {
        toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
      }
    }
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Note a refund"
        description="The money itself goes back at the provider or the bank; here it is written down."
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form="note-refund" pending={formState.isSubmitting} pendingText="Saving...">
              Note refund
            </Button>
          </>
        }
      >
        <form id="note-refund" noValidate onSubmit={submit} className="grid gap-4">
          <TextField control={control} name="paymentId" label="Payment" autoComplete="off" hint="Its id, or the address of its receipt." />
          <TextField control={control} name="amount" label="Amount given back" inputMode="decimal" autoComplete="off" />
          <TextareaField control={control} name="reason" label="Reason" rows={3} maxLength={500} />
        </form>
      </DialogContent>
    </Dialog>
  )
}
