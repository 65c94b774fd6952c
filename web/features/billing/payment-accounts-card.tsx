import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { type AccountProvider, disconnectAccount, type PaymentAccounts } from '../../../contracts/payment-accounts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { brand } from '../../lib/boot.ts'
import { call } from '../../lib/call.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { accountWords, peoplePay } from './account-words.ts'
import { dayOf, providerName } from './agreement-words.ts'
import { ConnectPayPalDialog } from './connect-paypal-dialog.tsx'
import { OwnInvoiceDialog } from './own-invoice-dialog.tsx'
import { keepAccounts, paymentAccountsOptions } from './payment-accounts.api.ts'

/** Where the money of the business's own price goes: into its own account, by its own invoice, and never through ours. */
export function PaymentAccountsCard({ business }: { business: MyBusiness }) {
  const { data, error, refetch, isFetching } = useQuery(paymentAccountsOptions(business.id))
  return (
    <Card asChild>
      <section aria-labelledby="payment-accounts">
        <CardBody>
          <h2 id="payment-accounts" className="text-lg">
            How you are paid
          </h2>
          {data ? (
            <Accounts business={business} accounts={data} />
          ) : error ? (
            <ErrorState
              level={3}
              title="How you are paid could not be loaded"
              description={messageOf(error)}
              onRetry={() => void refetch()}
              pending={isFetching}
            />
          ) : (
            <SkeletonGroup label="Loading how you are paid..." className="mt-4 grid gap-4">
              <Skeleton className="h-12" />
              <Skeleton className="h-20" />
            </SkeletonGroup>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

type Open = 'paypal' | 'invoice' | { disconnect: AccountProvider; payingCount: number } | null

function Accounts({ business, accounts }: { business: MyBusiness; accounts: PaymentAccounts }) {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const { isOffered, mayConnect, paypal, invoice, former } = accounts
  const mayAdd = isOffered && mayConnect
  return (
    <div className="mt-2 grid gap-4">
      <p className="text-[0.9375rem] text-muted">
        Money goes straight to your own PayPal account, or is paid by your own invoice. {brand.name} takes nothing, and never holds it.
      </p>
      {!isOffered && (
        <p className="rounded-input bg-sunk p-4 text-[0.9375rem]">
          This server is in test mode: your price can be tried, and no money moves. There is nothing to connect.
        </p>
      )}
      {isOffered && !mayConnect && (
        <div className="grid justify-items-start gap-3 rounded-input bg-sunk p-4 text-[0.9375rem]">
          <p>A price of your own, and an account for it, come with Business Tools.</p>
          <Button asChild size="sm" variant="secondary">
            <Link to="/business/$id" params={{ id: business.slug }} search={{ tab: 'tools' }} hash="more">
              See Business Tools
            </Link>
          </Button>
        </div>
      )}
      {(paypal || mayAdd) && (
        <Way name="PayPal" state={paypal && accountWords(paypal)}>
          {paypal ? (
            <>
              <p className="text-muted text-sm">
                Client id ends in <span className="font-mono">…{paypal.endsIn}</span>
                {paypal.environment === 'sandbox' && ', sandbox'}
                {paypal.checkedAt && (
                  <>
                    {' '}
                    · checked <Ago at={paypal.checkedAt} />
                  </>
                )}
              </p>
              {paypal.payingCount > 0 && <p className="text-muted text-sm">{peoplePay(paypal.payingCount)} through it.</p>}
              <Buttons>
                <Button variant={accountWords(paypal).isBroken ? 'primary' : 'secondary'} size="sm" onClick={() => setOpen('paypal')}>
                  {accountWords(paypal).isBroken ? 'Connect again' : 'Replace'}
                </Button>
                <Button variant="quiet" size="sm" onClick={() => setOpen({ disconnect: 'paypal', payingCount: paypal.payingCount })}>
                  Disconnect<span className="sr-only"> PayPal</span>
                </Button>
              </Buttons>
            </>
          ) : (
            <>
              <p className="text-muted text-sm">Subscribers pay every month by themselves, and you can look on in PayPal.</p>
              <Buttons>
                <Button size="sm" onClick={() => setOpen('paypal')}>
                  Connect PayPal
                </Button>
              </Buttons>
            </>
          )}
        </Way>
      )}
      {(invoice || mayAdd) && (
        <Way name="Your own invoice" state={invoice && invoiceWords(invoice)}>
          {invoice ? (
            <>
              <p className="line-clamp-4 whitespace-pre-line text-muted text-sm wrap-anywhere">{invoice.instructions}</p>
              <Buttons>
                <Button variant="secondary" size="sm" onClick={() => setOpen('invoice')}>
                  Change<span className="sr-only"> how your invoice is paid</span>
                </Button>
                <Button variant="quiet" size="sm" onClick={() => setOpen({ disconnect: 'invoice', payingCount: invoice.payingCount })}>
                  Stop<span className="sr-only"> taking invoices</span>
                </Button>
              </Buttons>
            </>
          ) : (
            <>
              <p className="text-muted text-sm">You say how to pay you, and record what came in.</p>
              <Buttons>
                <Button variant="secondary" size="sm" onClick={() => setOpen('invoice')}>
                  Set up invoices
                </Button>
              </Buttons>
            </>
          )}
        </Way>
      )}
      {former.map((each) => (
        <p key={each.retiredAt} className="border-line border-t pt-3 text-muted text-sm">
          {peoplePay(each.payingCount)} through a former account ({providerName(each.provider)}
          {each.endsIn && (
            <>
              {' '}
              <span className="font-mono">…{each.endsIn}</span>
            </>
          )}
          , until {dayOf(each.retiredAt)}). They go on until they end it.
        </p>
      ))}
      {open === 'paypal' && <ConnectPayPalDialog businessId={business.id} isReplacing={paypal !== null} onClose={close} />}
      {open === 'invoice' && <OwnInvoiceDialog businessId={business.id} instructions={invoice?.instructions ?? ''} onClose={close} />}
      {open !== null && typeof open === 'object' && <Disconnect businessId={business.id} {...open} onClose={close} />}
    </div>
  )
}

const invoiceWords = (invoice: NonNullable<PaymentAccounts['invoice']>) =>
  invoice.state === 'working' ? { ...accountWords(invoice), badge: 'In use' } : accountWords(invoice)

type WayProps = { name: string; state: ReturnType<typeof accountWords> | null; children: ReactNode }

function Way({ name, state, children }: WayProps) {
  return (
    <div className="grid gap-2 rounded-input border border-line p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium text-base">{name}</h3>
        {state && <Badge variant={state.tone}>{state.badge}</Badge>}
      </div>
      {state?.text && <p className="text-[0.9375rem]">{state.text}</p>}
      {children}
    </div>
  )
}

const Buttons = ({ children }: { children: ReactNode }) => <div className="mt-1 flex flex-wrap gap-2">{children}</div>

type DisconnectProps = { businessId: string; disconnect: AccountProvider; payingCount: number; onClose: () => void }

function Disconnect({ businessId, disconnect: provider, payingCount, onClose }: DisconnectProps) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: () => call(disconnectAccount, { params: { id: businessId, provider } }),
    onSuccess: async (accounts) => {
      await keepAccounts(client, businessId, accounts)
      toast({ title: provider === 'paypal' ? 'PayPal disconnected' : 'Invoices stopped' })
      onClose()
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={provider === 'paypal' ? 'Disconnect PayPal?' : 'Stop taking invoices?'}
      confirmText={provider === 'paypal' ? 'Disconnect' : 'Stop'}
      onConfirm={() => mutate()}
      pending={isPending}
      pendingText="Saving..."
    >
      <div className="grid gap-2">
        <p>Nobody new can subscribe at your price by it.</p>
        <p>
          {payingCount === 0
            ? 'Nobody pays through it now.'
            : `${peoplePay(payingCount)} through it, and go${payingCount === 1 ? 'es' : ''} on until they end it.`}
          {provider === 'paypal' && ' The key is erased when nothing needs it any more, a week from now at the earliest.'}
        </p>
      </div>
    </ConfirmDialog>
  )
}
