import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { type Checkout, type OpenInvoice, type ReceivedPayment, Refund } from '#contracts/billing.ts'
import { recordInvoicePayment, recordOwnInvoicePayment, recordOwnInvoiceRefund, recordRefund } from '#contracts/calls/billing.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import { Currency, Id, line, Price } from '#contracts/fields.ts'
import * as z from '#contracts/zod.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { SelectField, TextareaField, TextField } from '#web/forms/fields.tsx'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { call } from '#web/lib/call.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { refreshInvoices } from './billing.api.ts'
import { agreementWords, dayOf, moneyText, paymentWords, refundable } from './billing-words.ts'

export function OpenInvoices({ checkouts, onRecord }: { checkouts: OpenInvoice[]; onRecord: (checkout: OpenInvoice) => void }) {
  return (
    <ul className="grid gap-4">
      {checkouts.map((checkout) => (
        <li key={checkout.id}>
          <Card asChild>
            <article>
              <CardBody className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
                <div className="min-w-0">
                  <h3 className="text-lg wrap-anywhere">{checkout.title}</h3>
                  <p className="mt-1 text-sm wrap-anywhere">{checkout.payer}</p>
                  <p className="mt-1 text-muted text-sm">
                    {moneyText(checkout.price)} per month · open until {dayOf(checkout.expiresAt)} (<Ago at={openedAt(checkout.id)} />)
                  </p>
                  <p className="mt-1 text-muted text-xs">
                    Reference <code className="font-mono wrap-anywhere select-all">{checkout.id}</code>
                  </p>
                </div>
                <Button size="sm" onClick={() => onRecord(checkout)}>
                  <span>
                    Record payment
                    <span className="sr-only">
                      {' '}
                      of {checkout.payer} for {checkout.title}
                    </span>
                  </span>
                </Button>
              </CardBody>
            </article>
          </Card>
        </li>
      ))}
    </ul>
  )
}

export const openPurchase = ({ id, title, price }: OpenInvoice) => ({ checkoutId: id, description: title, price })

/** A UUIDv7 starts with its creation time in milliseconds. */
const openedAt = (id: string): string => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString()

const idIn = (text: unknown) => (typeof text === 'string' ? (/[0-9a-f-]{36}/i.exec(text)?.[0] ?? text.trim()) : text)
const IdInText = z.pipe(z.transform(idIn), Id)

const Form = z.object({
  agreementId: IdInText,
  amount: Price,
  currency: Currency,
  reference: line(120, 'Reference is required'),
  months: z.pipe(z.transform(Number), z.int('Enter a whole number').check(z.minimum(1, 'At least 1'), z.maximum(24, 'At most 24'))),
})
const OfPurchase = z.omit(Form, { agreementId: true })

type Values = { agreementId: string; amount: string; currency: z.infer<typeof Currency>; reference: string; months: string }
type Body = InputOf<typeof recordInvoicePayment>['body']
const fields = ['agreementId', 'amount', 'currency', 'reference', 'months'] as const

type RecordPaymentDialogProps = {
  /** The purchase and how to describe it. If null, the dialog has a field for the payer's reference. */
  purchase: (Pick<Body, 'checkoutId' | 'agreementId'> & { description: string; price: Checkout['price'] }) | null
  /** Undefined for the site's own invoices. */
  businessId?: string
  onClose: () => void
}

export function RecordPaymentDialog({ purchase, businessId, onClose }: RecordPaymentDialogProps) {
  const client = useQueryClient()
  const { checkoutId, agreementId } = purchase ?? {}
  const subject = `invoice-payment.${checkoutId ?? agreementId ?? `further.${businessId ?? ''}`}`
  const [resolver] = useState(() => standardSchemaResolver(purchase ? OfPurchase : Form) as Resolver<object, unknown, Body> as never)
  const form = useForm<Values, unknown, Body>({
    defaultValues: {
      agreementId: '',
      amount: purchase?.price.amount ?? '',
      currency: purchase?.price.currency ?? 'USD',
      reference: '',
      months: '1',
    },
    resolver,
    mode: 'onTouched',
  })
  const { control, formState } = form
  const submit = form.handleSubmit(async (values) => {
    const body = { ...values, ...(purchase && { checkoutId, agreementId }) }
    try {
      const key = { idempotencyKey: creationKey(subject, body) }
      const agreement = businessId
        ? await call(recordOwnInvoicePayment, { params: { id: businessId }, body }, key)
        : await call(recordInvoicePayment, { body }, key)
      dropCreationKey(subject)
      toast({ title: 'Payment recorded', description: `${agreement.title}: ${agreementWords(agreement).text}` })
      onClose()
      await refreshInvoices(client)
    } catch (error) {
      console.error(error)
      const rest = showServerErrors(form, error, fields)
      if (rest) toast({ title: 'Error', description: rest, variant: 'destructive' })
    }
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={checkoutId ? 'Record payment' : 'Record next payment'}
        description={
          purchase?.description ?? (businessId ? 'For a subscription paid by invoice.' : 'For a plan or subscription paid by invoice.')
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
          {!purchase && (
            <TextField
              control={control}
              name="agreementId"
              label="Purchase"
              autoComplete="off"
              hint="The reference that the payer was given with the invoice, or the one on their billing page."
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
            hint="From your bank statement or cash register. Each reference can be recorded only once."
          />
          <TextField control={control} name="months" label="Months covered" inputMode="numeric" autoComplete="off" maxLength={2} />
        </form>
      </DialogContent>
    </Dialog>
  )
}

const RefundForm = z.extend(Refund, { paymentId: IdInText })
type RefundValues = z.infer<typeof RefundForm>

type RefundDialogProps = { payment: null; onClose: () => void } | { payment: ReceivedPayment; businessId: string; onClose: () => void }

/**
 * Only records the refund, because the provider, the bank or the business moves the money. If `payment` is null, asks for the payment's ID.
 */
export function RefundDialog(props: RefundDialogProps) {
  const { payment, onClose } = props
  const client = useQueryClient()
  const subject = `refund.${payment?.id ?? ''}`
  const form = useForm<RefundValues>({
    defaultValues: { paymentId: payment?.id ?? '', amount: payment ? refundable(payment).amount : '', reason: '' },
    resolver: standardSchemaResolver(RefundForm) as Resolver<RefundValues>,
    mode: 'onTouched',
  })
  const { control, formState } = form
  const submit = form.handleSubmit(async (values) => {
    const { paymentId, ...body } = values
    try {
      const key = { idempotencyKey: creationKey(subject, values) }
      const refunded = props.payment
        ? await call(recordOwnInvoiceRefund, { params: { id: props.businessId, paymentId }, body }, key)
        : await call(recordRefund, { params: { id: paymentId }, body }, key)
      dropCreationKey(subject)
      toast({
        title: 'Refund recorded',
        description: `${refunded.title}, ${moneyText(refunded.money)}: ${paymentWords(refunded.status).badge.toLowerCase()}.`,
      })
      onClose()
      await refreshInvoices(client)
    } catch (error) {
      console.error(error)
      const rest = showServerErrors(form, error, ['amount', 'reason'])
      if (rest) toast({ title: 'Error', description: rest, variant: 'destructive' })
    }
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Record a refund"
        description={
          payment
            ? 'Send the money back the way it came. This form only records it and emails the subscriber an updated receipt.'
            : 'Send the money back through the provider or the bank. This form only records it and emails the payer an updated receipt.'
        }
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form="record-refund" pending={formState.isSubmitting} pendingText="Saving...">
              Record refund
            </Button>
          </>
        }
      >
        <form id="record-refund" noValidate onSubmit={submit} className="grid gap-4">
          {!payment && (
            <TextField
              control={control}
              name="paymentId"
              label="Payment"
              autoComplete="off"
              hint="The payment’s ID or the address of its receipt."
            />
          )}
          <TextField control={control} name="amount" label="Amount refunded" inputMode="decimal" autoComplete="off" />
          <TextareaField control={control} name="reason" label="Reason" rows={3} maxLength={500} />
        </form>
      </DialogContent>
    </Dialog>
  )
}
