import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { type Checkout, listInvoiceCheckouts, recordInvoicePayment } from '../../../contracts/billing.ts'
import type { InputOf } from '../../../contracts/endpoint.ts'
import { Id } from '../../../contracts/ids.ts'
import { Currency, Price } from '../../../contracts/money.ts'
import { getPaymentAccounts, listOwnInvoices, recordOwnInvoicePayment } from '../../../contracts/payment-accounts.ts'
import { line } from '../../../contracts/text.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { SelectField, TextField } from '../accounts/fields.tsx'
import { showServerErrors } from '../accounts/server-errors.ts'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { agreementWords } from './agreement-words.ts'
import { refreshBilling } from './billing.api.ts'

const Form = z.object({
  agreementId: Id,
  amount: Price,
  currency: Currency,
  reference: line(120, 'Reference is required'),
  months: z.pipe(z.transform(Number), z.int('Enter a whole number').check(z.minimum(1, 'At least 1'), z.maximum(24, 'At most 24'))),
})
const OfCheckout = z.omit(Form, { agreementId: true })

type Values = { agreementId: string; amount: string; currency: z.infer<typeof Currency>; reference: string; months: string }
type Body = InputOf<typeof recordInvoicePayment>['body']
const fields = ['agreementId', 'amount', 'currency', 'reference', 'months'] as const

type RecordPaymentDialogProps = {
  checkout: Checkout | null
  /** Whose invoices: this business's, or those of the site. */
  businessId?: string
  onClose: () => void
}

/** Money that came in by invoice: the first payment of a checkout, or a further one of what runs. */
export function RecordPaymentDialog({ checkout, businessId, onClose }: RecordPaymentDialogProps) {
  const client = useQueryClient()
  const subject = `invoice-payment.${checkout?.id ?? `further.${businessId ?? ''}`}`
  const [resolver] = useState(() => standardSchemaResolver(checkout ? OfCheckout : Form) as Resolver<object, unknown, Body> as never)
  const form = useForm<Values, unknown, Body>({
    defaultValues: {
      agreementId: '',
      amount: checkout?.price.amount ?? '',
      currency: checkout?.price.currency ?? 'USD',
      reference: '',
      months: '1',
    },
    resolver,
    mode: 'onTouched',
  })
  const { control, formState } = form
  const submit = form.handleSubmit(async (values) => {
    const body = { ...values, ...(checkout && { checkoutId: checkout.id }) }
    try {
      const key = { idempotencyKey: creationKey(subject, body) }
      const agreement = businessId
        ? await call(recordOwnInvoicePayment, { params: { id: businessId }, body }, key)
        : await call(recordInvoicePayment, { body }, key)
      dropCreationKey(subject)
      toast({ title: 'Payment recorded', description: `${agreement.title}: ${agreementWords(agreement).text}` })
      onClose()
      const lists = [listInvoiceCheckouts, listOwnInvoices, getPaymentAccounts]
      await Promise.all([...lists.map(({ path }) => client.invalidateQueries({ queryKey: [path] })), refreshBilling(client)])
    } catch (error) {
      console.error(error)
      if (!showServerErrors(form, error, fields)) toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
    }
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={checkout ? 'Record payment' : 'Record a further payment'}
        description={
          checkout?.title ??
          (businessId ? 'For a subscription that runs by your invoice.' : 'For a plan or a subscription that runs by invoice.')
        }
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form="record-payment" pending={formState.isSubmitting} pendingText="Saving...">
              Record payment
            </Button>
          </>
        }
      >
        <form id="record-payment" noValidate onSubmit={submit} className="grid gap-4">
          {!checkout && (
            <TextField
              control={control}
              name="agreementId"
              label="Agreement"
              autoComplete="off"
              hint="The reference that stands with it on the payer’s billing page."
            />
          )}
          <div className="grid grid-cols-[minmax(0,1fr)_7rem] items-start gap-4">
            <TextField control={control} name="amount" label="Amount" inputMode="decimal" autoComplete="off" />
            <SelectField control={control} name="currency" label="Currency">
              {Currency.options.map((currency) => (
                <option key={currency}>{currency}</option>
              ))}
            </SelectField>
          </div>
          <TextField
            control={control}
            name="reference"
            label="Reference"
            autoComplete="off"
            maxLength={120}
            hint="The bank’s or the till’s own. The same one is not recorded twice."
          />
          <TextField control={control} name="months" label="Months it pays for" inputMode="numeric" autoComplete="off" maxLength={2} />
        </form>
      </DialogContent>
    </Dialog>
  )
}
