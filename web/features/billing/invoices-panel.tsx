import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Checkout } from '../../../contracts/billing.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Ago } from '../../ui/ago.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { MorePages } from '../businesses/more-pages.tsx'
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
        {list.isPending ? (
          <SkeletonGroup label="Loading open invoices..." className="grid gap-4">
            <Skeleton className="h-24 rounded-card" />
            <Skeleton className="h-24 rounded-card" />
          </SkeletonGroup>
        ) : list.data ? (
          <>
            <Open
              checkouts={list.data.pages.flatMap(({ items }) => items)}
              onRecord={(checkout) => record({ kind: 'checkout', checkout })}
            />
            <MorePages list={list} />
          </>
        ) : (
          <Card>
            <ErrorState
              level={3}
              title="Open invoices could not be loaded"
              description={messageOf(list.error)}
              onRetry={() => void list.refetch()}
              pending={list.isFetching}
            />
          </Card>
        )}
      </div>
      {recording?.kind === 'checkout' && <RecordPaymentDialog checkout={recording.checkout} onClose={close} />}
      {recording?.kind === 'extension' && <RecordPaymentDialog checkout={null} onClose={close} />}
      {recording?.kind === 'refund' && <RefundDialog onClose={close} />}
    </section>
  )
}

function Open({ checkouts, onRecord }: { checkouts: Checkout[]; onRecord: (checkout: Checkout) => void }) {
  if (checkouts.length === 0) {
    return (
      <EmptyState
        level={3}
        title="No open invoices"
        description="Whoever chooses to pay by invoice appears here until the money is recorded."
      />
    )
  }
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
