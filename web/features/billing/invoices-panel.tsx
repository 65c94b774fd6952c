import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenInvoice } from '../../../contracts/billing.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { invoiceCheckoutsOptions } from './billing.api.ts'
import { OpenInvoices } from './open-invoices.tsx'
import { RecordPaymentDialog } from './record-payment-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'

type Recording = { kind: 'checkout'; checkout: OpenInvoice } | { kind: 'extension' } | { kind: 'refund' }

/** For admins: purchases that wait for money, money that came, and money that went back. */
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
            Record a further payment
          </Button>
          <Button variant="secondary" size="sm" onClick={() => record({ kind: 'refund' })}>
            Note a refund
          </Button>
        </div>
      </div>
      <div className="mt-4">
        <PagedList
          list={list}
          loadingLabel="Loading open invoices..."
          skeleton={<Skeleton className="h-24 rounded-card" />}
          failure="Open invoices could not be loaded"
          empty={
            <EmptyState
              level={3}
              title="No open invoices"
              description="Whoever chooses to pay by invoice appears here until the money is recorded."
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
