import { useInfiniteQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import type { Payment } from '../../../contracts/billing.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { PagedList } from '../../ui/paged-list.tsx'
import { SkeletonText } from '../../ui/skeleton.tsx'
import { dayOf, moneyText, paymentWords, providerName } from './agreement-words.ts'
import { paymentsOptions } from './billing.api.ts'
import { payerOf, type Scope } from './scope.ts'

/** Every payment, with its receipt. */
export function PaymentHistory({ scope }: { scope: Scope }) {
  const list = useInfiniteQuery(paymentsOptions(payerOf(scope)))
  return (
    <section aria-labelledby="payments">
      <h2 id="payments" className="text-xl">
        Payments
      </h2>
      <p className="mt-1 max-w-text text-muted">Statements and receipts carry a neutral name. Only you see this list.</p>
      <div className="mt-4">
        <PagedList
          list={list}
          loadingLabel="Loading payments..."
          skeleton={<SkeletonText lines={2} />}
          failure="Payments could not be loaded"
          empty={
            <p className="rounded-card border border-line border-dashed px-5 py-8 text-muted">
              No payments yet. Your receipts will appear here.
            </p>
          }
          cards="whole"
        >
          {(payments) => (
            <Card asChild>
              <ul className="divide-y divide-line">
                {payments.map((payment) => (
                  <li key={payment.id}>
                    <PaymentRow payment={payment} />
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </PagedList>
      </div>
    </section>
  )
}

function PaymentRow({ payment: { title, money, status, refunded, provider, paidAt, receiptNumber, receiptUrl } }: { payment: Payment }) {
  const { badge, tone } = paymentWords(status)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3.5 sm:grid-cols-[minmax(0,1fr)_8rem_7rem_8.5rem] sm:px-5">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="text-muted text-sm">
          {dayOf(paidAt)} · {providerName(provider)}
        </p>
      </div>
      <p className="max-sm:order-3 sm:text-center">
        <Badge variant={tone}>{badge}</Badge>
      </p>
      <p className="text-right tabular-nums">
        {moneyText(money)}
        {refunded && <span className="block text-muted text-sm">{moneyText(refunded)} refunded</span>}
      </p>
      <p className="text-right text-sm max-sm:order-4">
        {receiptUrl && (
          <a href={receiptUrl} target="_blank" rel="noopener" className={`${textLink} inline-flex items-center gap-1.5 py-1`}>
            <FileText aria-hidden="true" className="size-4 shrink-0" />
            {receiptNumber ?? 'Receipt'}
            <span className="sr-only">, receipt as a PDF, opens in a new tab</span>
          </a>
        )}
      </p>
    </div>
  )
}
