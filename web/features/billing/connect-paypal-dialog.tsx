import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useController, useForm } from 'react-hook-form'
import { connectPayPal, PayPalKeys } from '../../../contracts/payment-accounts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { toast } from '../../ui/toast-store.ts'
import { TextField } from '../accounts/fields.tsx'
import { isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { keepAccounts } from './payment-accounts.api.ts'

type ConnectPayPalDialogProps = { businessId: string; isReplacing: boolean; onClose: () => void }

const fields = ['clientId', 'clientSecret'] as const

/** The keys of the owner's own REST app. What is typed is not kept anywhere: one of them is a secret. */
export function ConnectPayPalDialog({ businessId, isReplacing, onClose }: ConnectPayPalDialogProps) {
  const client = useQueryClient()
  const form = useForm<PayPalKeys>({
    defaultValues: { clientId: '', clientSecret: '' },
    resolver: standardSchemaResolver(PayPalKeys),
    mode: 'onTouched',
  })
  const { control, formState } = form
  const secret = useController({ control, name: 'clientSecret' })
  const [failure, setFailure] = useState<string | null>(null)
  const submit = form.handleSubmit(async (body) => {
    setFailure(null)
    try {
      await keepAccounts(client, businessId, await call(connectPayPal, { params: { id: businessId }, body }))
      toast({ title: 'PayPal connected', description: 'Payments for your subscription go straight to your account.' })
      onClose()
    } catch (error) {
      // Not logged: what was sent is a secret.
      if (!showServerErrors(form, error, fields)) setFailure(messageOf(error))
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={isReplacing ? 'Connect PayPal again' : 'Connect PayPal'}
        description="Payments go straight to your own PayPal account."
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form="connect-paypal" pending={formState.isSubmitting} pendingText="Asking PayPal...">
              Connect
            </Button>
          </>
        }
      >
        <form id="connect-paypal" noValidate onSubmit={submit} className="grid gap-4">
          <ol className="grid list-decimal gap-1.5 pl-5 text-[0.9375rem] text-muted">
            <li>
              Sign in at <span className="font-medium text-ink">developer.paypal.com</span> with your PayPal business account.
            </li>
            <li>Under Apps &amp; Credentials, choose Live and create an app of the type Merchant.</li>
            <li>Copy its client id and its secret to here. The rest is set up for you.</li>
          </ol>
          {failure && (
            <p role="alert" className="rounded-input bg-clay-soft p-3 text-clay text-sm">
              {failure}
            </p>
          )}
          <TextField control={control} name="clientId" label="Client id" autoComplete="off" spellCheck={false} maxLength={200} />
          <Field label="Secret" hint="Stored encrypted, and never shown again." error={secret.fieldState.error?.message}>
            <PasswordInput {...secret.field} autoComplete="off" maxLength={300} />
          </Field>
        </form>
      </DialogContent>
    </Dialog>
  )
}
