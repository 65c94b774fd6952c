import type { OpenInvoice } from '../../../contracts/billing.ts'
import { Ago } from '../../ui/ago.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { dayOf, moneyText } from './agreement-words.ts'

/** Purchases that wait for money, each with who is to pay. */
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

/** An id begins with the moment it was made (UUIDv7), in milliseconds. */
const openedAt = (id: string): string => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString()
