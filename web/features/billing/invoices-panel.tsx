import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Checkout } from '../../../contracts/billing.ts'
import { Ago } from '../../ui/ago.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { dayOf, moneyText } from './agreement-words.ts'
import { invoiceCheckoutsOptions } from './billing.api.ts'
import { RecordPaymentDialog } from './record-payment-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'

type Recording = { kind: 'checkout'; checkout: Checkout } | { kind: 'extension' } | { kind: 'refund' }

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

function OpenInvoices({ checkouts, onRecord }: { checkouts: Checkout[]; onRecord: (checkout: Checkout) => void }) {
  return (
    <ul className="grid gap-4">
      {checkouts.map((checkout) => (
        <li key={checkout.id}>
          <Card asChild>
            <article>
              <CardBody className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
                <div className="min-w-0">
                  <h3 className="text-lg wrap-anywhere">{checkout.title}</h3>
                  <p className="mt-1 text-muted text-sm">
                    {moneyText(checkout.price)} per month · open until {dayOf(checkout.expiresAt)} (<Ago at={openedAt(checkout.id)} />)
                  </p>
                  <p className="mt-1 text-muted text-xs">
                    Reference <code className="font-mono wrap-anywhere select-all">{checkout.id}</code>
                  </p>
                </div>
                <Button size="sm" onClick={() => onRecord(checkout)}>
                  <span>
                    Record payment<span className="sr-only"> for {checkout.title}</span>
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

/** An id begins with the moment it was made (UUIDv7), in milliseconds. */
const openedAt = (id: string): string => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString()
