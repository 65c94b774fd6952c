import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenInvoice } from '#contracts/billing.ts'
import { invoiceCheckoutsOptions } from '#web/entities/billing/billing.api.ts'
import { OpenInvoices, openPurchase, RecordPaymentDialog, RefundDialog } from '#web/entities/billing/open-invoices.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

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
            Record next payment
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
              description="People who choose to pay by invoice appear here until their payment is recorded or the invoice expires."
            />
          }
          cards="each"
        >
          {(checkouts) => <OpenInvoices checkouts={checkouts} onRecord={(checkout) => record({ kind: 'checkout', checkout })} />}
        </PagedList>
      </div>
      {recording?.kind === 'checkout' && <RecordPaymentDialog purchase={openPurchase(recording.checkout)} onClose={close} />}
      {recording?.kind === 'extension' && <RecordPaymentDialog purchase={null} onClose={close} />}
      {recording?.kind === 'refund' && <RefundDialog payment={null} onClose={close} />}
    </section>
  )
}
