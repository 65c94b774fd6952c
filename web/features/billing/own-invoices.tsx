import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenInvoice } from '../../../contracts/billing.ts'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { OpenInvoices } from './open-invoices.tsx'
import { ownInvoicesOptions, paymentAccountsOptions } from './payment-accounts.api.ts'
import { RecordPaymentDialog } from './record-payment-dialog.tsx'

/** Of a business that takes its own invoices, or did: who is to pay, and recording what came in. Nothing elsewhere. */
export function OwnInvoices({ business }: { business: MyBusiness }) {
  const { data: accounts } = useQuery(paymentAccountsOptions(business.id))
  const isUsed = accounts?.invoice || accounts?.former.some(({ provider }) => provider === 'invoice')
  return isUsed ? <List business={business} /> : null
}

function List({ business }: { business: MyBusiness }) {
  const list = useInfiniteQuery(ownInvoicesOptions(business.id))
  const [recording, record] = useState<OpenInvoice | 'further' | null>(null)
  return (
    <section aria-labelledby="own-invoices" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="own-invoices" className="text-lg">
          Open invoices
        </h2>
        <Button variant="secondary" size="sm" onClick={() => record('further')}>
          Record a further payment
        </Button>
      </div>
      <PagedList
        list={list}
        loadingLabel="Loading open invoices..."
        skeleton={<Skeleton className="h-24 rounded-card" />}
        failure="Open invoices could not be loaded"
        empty={
          <EmptyState
            level={3}
            title="No open invoices"
            description="Whoever chooses to pay you by invoice appears here until you record the money."
          />
        }
        cards="each"
      >
        {(checkouts) => <OpenInvoices checkouts={checkouts} onRecord={record} />}
      </PagedList>
      {recording !== null && (
        <RecordPaymentDialog checkout={recording === 'further' ? null : recording} businessId={business.id} onClose={() => record(null)} />
      )}
    </section>
  )
}
