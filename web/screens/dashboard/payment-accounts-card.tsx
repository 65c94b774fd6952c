import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useController, useForm } from 'react-hook-form'
import { OwnInvoice, type PaymentAccounts, PayPalKeys } from '#contracts/billing.ts'
import type { MyBusiness } from '#contracts/businesses.ts'
import { connectPayPal, disconnectAccount, saveOwnInvoice } from '#contracts/calls/billing.ts'
import { type AccountProvider, paymentProviders } from '#contracts/payment-providers.ts'
import { ProvenDialog } from '#web/entities/accounts/proof.tsx'
import { cacheAccounts, paymentAccountsOptions } from '#web/entities/billing/billing.api.ts'
import { accountWords, dayOf, peoplePay } from '#web/entities/billing/billing-words.ts'
import { TextareaField, TextField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

/** Subscribers pay the business directly, through its own account or invoices. */
export function PaymentAccountsCard({ business }: { business: MyBusiness }) {
  const { data, error, refetch, isFetching } = useQuery(paymentAccountsOptions(business.id))
  return (
    <Card asChild>
      <section aria-labelledby="payment-accounts">
        <CardBody>
          <h2 id="payment-accounts" className="text-lg">
            How you get paid
          </h2>
          {data ? (
            <Accounts business={business} accounts={data} />
          ) : error ? (
            <LoadError level={3} title="Your payment accounts couldn’t be loaded" query={{ error, refetch, isFetching }} />
          ) : (
            <SkeletonGroup label="Loading your payment accounts..." className="mt-4 grid gap-4">
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
        Money goes straight to your PayPal account, or subscribers pay your invoice. {brand.name} takes no fee and never holds your money.
      </p>
      {!isOffered && (
        <p className="rounded-input bg-sunk p-4 text-[0.9375rem]">
          {mayConnect
            ? 'This server is in test mode: you can try out your price, but no money moves. You don’t need to connect anything.'
            : 'This server is in test mode, so no money moves. You don’t need to connect anything.'}
        </p>
      )}
      {isOffered && !mayConnect && (
        <div className="grid justify-items-start gap-3 rounded-input bg-sunk p-4 text-[0.9375rem]">
          <p>
            {paypal || invoice
              ? 'Business Tools has ended. Current subscribers keep paying as before. Adding another way to get paid requires Business Tools.'
              : 'Setting your own price and connecting an account require Business Tools.'}
          </p>
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
                Client ID ends in <span className="font-mono">…{paypal.endsIn}</span>
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
                  {accountWords(paypal).isBroken ? 'Reconnect' : 'Replace'}
                </Button>
                <Button variant="quiet" size="sm" onClick={() => setOpen({ disconnect: 'paypal', payingCount: paypal.payingCount })}>
                  Disconnect<span className="sr-only"> PayPal</span>
                </Button>
              </Buttons>
            </>
          ) : (
            <>
              <p className="text-muted text-sm">Subscribers pay automatically every month, and you can track payments in PayPal.</p>
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
                  Edit<span className="sr-only"> invoice instructions</span>
                </Button>
                <Button variant="quiet" size="sm" onClick={() => setOpen({ disconnect: 'invoice', payingCount: invoice.payingCount })}>
                  Stop<span className="sr-only"> accepting payment by invoice</span>
                </Button>
              </Buttons>
            </>
          ) : (
            <>
              <p className="text-muted text-sm">Tell subscribers how to pay you, and record their payments.</p>
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
          {peoplePay(each.payingCount)} through a former account ({paymentProviders[each.provider].label}
          {each.endsIn && (
            <>
              {' '}
              <span className="font-mono">…{each.endsIn}</span>
            </>
          )}
          , until {dayOf(each.retiredAt)}). These payments continue until the subscriber cancels.
        </p>
      ))}
      {open === 'paypal' && <ConnectPayPalDialog businessId={business.id} isReplacing={paypal !== null} onClose={close} />}
      {open === 'invoice' && <OwnInvoiceDialog businessId={business.id} instructions={invoice?.instructions ?? ''} onClose={close} />}
      {open !== null && typeof open === 'object' && <Disconnect businessId={business.id} {...open} onClose={close} />}
    </div>
  )
}

const invoiceWords = (invoice: NonNullable<PaymentAccounts['invoice']>) =>
  invoice.state === 'working' ? { ...accountWords(invoice), badge: 'Active' } : accountWords(invoice)

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
      await cacheAccounts(client, businessId, accounts)
      toast({ title: provider === 'paypal' ? 'PayPal disconnected' : 'Invoices stopped' })
      onClose()
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={provider === 'paypal' ? 'Disconnect PayPal?' : 'Stop accepting payment by invoice?'}
      confirmText={provider === 'paypal' ? 'Disconnect' : 'Stop'}
      onConfirm={() => mutate()}
      pending={isPending}
      pendingText="Saving..."
    >
      <div className="grid gap-2">
        <p>New subscribers won’t be able to pay this way.</p>
        <p>
          {payingCount === 0
            ? 'No one currently pays this way.'
            : `${peoplePay(payingCount)} this way and will continue until they cancel.`}
          {provider === 'paypal' && ' We’ll erase the key once it’s no longer needed, after a week at the earliest.'}
        </p>
      </div>
    </ConfirmDialog>
  )
}

type ConnectPayPalDialogProps = { businessId: string; isReplacing: boolean; onClose: () => void }

const fields = ['clientId', 'clientSecret'] as const

/** For the owner's own REST app. Not saved as a draft, because one of the keys is a secret. */
function ConnectPayPalDialog({ businessId, isReplacing, onClose }: ConnectPayPalDialogProps) {
  const client = useQueryClient()
  const form = useForm<PayPalKeys>({
    defaultValues: { clientId: '', clientSecret: '' },
    resolver: standardSchemaResolver(PayPalKeys),
    mode: 'onTouched',
  })
  const { control } = form
  const secret = useController({ control, name: 'clientSecret' })
  async function connect(password: string) {
    const body = { ...form.getValues(), password }
    await cacheAccounts(client, businessId, await call(connectPayPal, { params: { id: businessId }, body }))
    toast({ title: 'PayPal connected' })
  }
  return (
    <ProvenDialog
      title={isReplacing ? 'Reconnect PayPal' : 'Connect PayPal'}
      confirmText="Connect"
      pendingText="Contacting PayPal..."
      check={() => form.trigger(undefined, { shouldFocus: true })}
      onConfirm={connect}
      onRefused={(error) => showServerErrors(form, error, fields) === null}
      onClose={onClose}
    >
      <ol className="grid list-decimal gap-1.5 pl-5 text-[0.9375rem] text-muted">
        <li>
          Sign in at <span className="font-medium text-ink">developer.paypal.com</span> with your PayPal business account.
        </li>
        <li>Under Apps &amp; Credentials, choose Live and create a Merchant app.</li>
        <li>Copy its client ID and secret here. We’ll set up the rest.</li>
      </ol>
      <TextField control={control} name="clientId" label="Client ID" autoComplete="off" spellCheck={false} maxLength={200} />
      <Field label="Secret" hint="Stored encrypted and never shown again." error={secret.fieldState.error?.message}>
        <PasswordInput {...secret.field} autoComplete="off" maxLength={300} />
      </Field>
    </ProvenDialog>
  )
}

type OwnInvoiceDialogProps = { businessId: string; instructions: string; onClose: () => void }

function OwnInvoiceDialog({ businessId, instructions, onClose }: OwnInvoiceDialogProps) {
  const client = useQueryClient()
  const subject = `own-invoice.${businessId}`
  const form = useForm<{ instructions: string }>({
    defaultValues: withDraft(subject, { instructions }),
    resolver: standardSchemaResolver(OwnInvoice),
    mode: 'onTouched',
  })
  const dropDraft = useDraft(form, subject)
  async function save(password: string) {
    const body = { ...form.getValues(), password }
    await cacheAccounts(client, businessId, await call(saveOwnInvoice, { params: { id: businessId }, body }))
    dropDraft()
    toast({ title: 'Saved', description: 'New subscribers will see how to pay you.' })
  }
  return (
    <ProvenDialog
      title="Payment by invoice"
      description="Subscribers pay you directly, and you record their payments."
      confirmText="Save"
      pendingText="Saving..."
      check={() => form.trigger(undefined, { shouldFocus: true })}
      onConfirm={save}
      onRefused={(error) => showServerErrors(form, error, ['instructions']) === null}
      onClose={onClose}
    >
      <TextareaField
        control={form.control}
        name="instructions"
        label="How to pay"
        rows={5}
        maxLength={1000}
        placeholder="By bank transfer to …, account …, with the reference below."
        hint="Each subscriber sees this with their own reference."
      />
    </ProvenDialog>
  )
}
