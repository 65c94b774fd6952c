import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import type { OpenInvoice } from '#contracts/billing.ts'
import { noteRefund } from '#contracts/calls/billing.ts'
import { Id, line, Price } from '#contracts/fields.ts'
import * as z from '#contracts/zod.ts'
import { invoiceCheckoutsOptions, refreshBilling } from '#web/entities/billing/billing.api.ts'
import { moneyText, paymentWords } from '#web/entities/billing/billing-words.ts'
import { OpenInvoices, RecordPaymentDialog } from '#web/entities/billing/open-invoices.tsx'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { TextareaField, TextField } from '#web/forms/fields.tsx'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

type Recording = { kind: 'checkout'; checkout: OpenInvoice } | { kind: 'extension' } | { kind: 'refund' }

export function InvoicesPanel() {
  const list = useInfiniteQuery(invoiceCheckoutsOptions)
  const [recording, record] = useState<Recording | null>(null)
  const close = () => record(null)
  return (
    <section aria-labelledby="invoices">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="invoices" className="text-xl">
          Open invoices
        </h2>
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" onClick={() => record({ kind: 'extension' })}>
            Record another payment
          </Button>
          <Button variant="secondary" size="sm" onClick={() => record({ kind: 'refund' })}>
            Record a refund
          </Button>
        </div>
      </div>
      <div className="mt-4">
        <PagedList
          list={list}
          loadingLabel="Loading open invoices..."
          skeleton={<Skeleton className="h-24 rounded-card" />}
          failure="Open invoices couldn’t be loaded"
          empty={
            <EmptyState
              level={3}
              title="No open invoices"
              description="People who choose to pay by invoice appear here until their payment is recorded."
            />
          }
          cards="each"
        >
          {(checkouts) => <OpenInvoices checkouts={checkouts} onRecord={(checkout) => record({ kind: 'checkout', checkout })} />}
        </PagedList>
      </div>
      {recording?.kind === 'checkout' && <RecordPaymentDialog checkout={recording.checkout} onClose={close} />}
      {recording?.kind === 'extension' && <RecordPaymentDialog checkout={null} onClose={close} />}
      {recording?.kind === 'refund' && <RefundDialog onClose={close} />}
    </section>
  )
}

const idIn = (text: unknown) => (typeof text === 'string' ? (/[0-9a-f-]{36}/i.exec(text)?.[0] ?? text.trim()) : text)

const Refund = z.object({
  paymentId: z.pipe(z.transform(idIn), Id),
  amount: Price,
  reason: line(500, 'Enter a reason'),
})
type Values = z.infer<typeof Refund>
const subject = 'refund'

/** Only records the refund, because the provider or the bank moves the money. */
function RefundDialog({ onClose }: { onClose: () => void }) {
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
        title: 'Refund recorded',
        description: `${payment.title}, ${moneyText(payment.money)}: ${paymentWords(payment.status).badge.toLowerCase()}.`,
      })
      onClose()
      await refreshBilling(client)
    } catch (error) {
      console.error(error)
      const rest = showServerErrors(form, error, ['amount', 'reason'])
      if (rest) {
        toast({ title: 'Error', description: rest, variant: 'destructive' })
      }
    }
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Record a refund"
        description="Send the money back through the provider or the bank. This form only records it."
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form="note-refund" pending={formState.isSubmitting} pendingText="Saving...">
              Record refund
            </Button>
          </>
        }
      >
        <form id="note-refund" noValidate onSubmit={submit} className="grid gap-4">
          <TextField
            control={control}
            name="paymentId"
            label="Payment"
            autoComplete="off"
            hint="The payment’s ID or the address of its receipt."
          />
          <TextField control={control} name="amount" label="Amount refunded" inputMode="decimal" autoComplete="off" />
          <TextareaField control={control} name="reason" label="Reason" rows={3} maxLength={500} />
        </form>
      </DialogContent>
    </Dialog>
  )
}
