import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MailQuestion } from 'lucide-react'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { Email } from '../../../contracts/accounts.ts'
import { cancelEmailChange, requestEmailChange, type SignInState } from '../../../contracts/sign-in.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Ago } from '../../ui/ago.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'
import { TextField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { showServerErrors } from '../accounts/server-errors.ts'
import { Proof, proofFor } from './proof.tsx'
import { afterSignInChange } from './sign-in.api.ts'
import { SignInRow } from './sign-in-row.tsx'

export function EmailRow({ state, isLocked }: { state: SignInState; isLocked: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <SignInRow
      title="Email"
      hint={state.email}
      action={
        <Button variant="secondary" disabled={isLocked} onClick={() => setOpen(true)}>
          Change email
        </Button>
      }
    >
      {state.emailChange && <Waiting change={state.emailChange} />}
      {isOpen && <EmailDialog state={state} onClose={() => setOpen(false)} />}
    </SignInRow>
  )
}

/** A new address that is not confirmed yet. */
function Waiting({ change }: { change: NonNullable<SignInState['emailChange']> }) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => call(cancelEmailChange, {}),
    onSuccess: () => afterSignInChange(client),
    onError: (error) => toast({ title: 'The change was not canceled', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5 rounded-input bg-sunk px-4 py-3">
      <p className="flex min-w-0 flex-1 basis-64 gap-2.5 text-sm">
        <MailQuestion aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
        <span className="min-w-0 wrap-anywhere">
          Open the link we mailed to <strong className="font-medium">{change.email}</strong>. Until then nothing changes. Asked for{' '}
          <Ago at={change.requestedAt} />; the link works for 24 hours.
        </span>
      </p>
      <Button variant="quiet" size="sm" pending={cancel.isPending} pendingText="Canceling..." onClick={() => cancel.mutate()}>
        Cancel this change
      </Button>
    </div>
  )
}

const Values = z.object({ email: Email })
const draftName = 'change-email'

function EmailDialog({ state, onClose }: { state: SignInState; onClose: () => void }) {
  const client = useQueryClient()
  const passwordField = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<{ password?: string; other?: string }>({})
  const [defaultValues] = useState(() => withDraft(draftName, { email: '' }))
  const form = useForm({ defaultValues, resolver: standardSchemaResolver(Values) })
  const dropDraft = useDraft(form, draftName)
  const { isSubmitting } = form.formState
  const kind = proofFor(state)
  const isReady = kind === 'none' || kind === 'password'

  const submit = form.handleSubmit(async ({ email }) => {
    if (!isReady) return
    if (kind === 'password' && password === '') {
      setWrong({ password: 'Password is required' })
      passwordField.current?.focus()
      return
    }
    setWrong({})
    try {
      await call(requestEmailChange, { body: { email, password } })
      dropDraft()
      await afterSignInChange(client)
      toast({ title: 'Check your new mailbox', description: `Open the link we mailed to ${email}.` })
      onClose()
    } catch (error) {
      if (showServerErrors(form, error, ['email'])) return
      const fields = (error as { fields?: Record<string, string> }).fields ?? {}
      setWrong(fields.password ? { password: fields.password } : { other: messageOf(error) })
      if (fields.password) passwordField.current?.select()
    }
  })

  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title="Change email"
        description="A link goes to the new address, and a notice to the old one. The change counts once the link is opened."
        actions={
          <>
            <DialogCancel />
            {isReady && (
              <Button type="submit" form="change-email" pending={isSubmitting} pendingText="Sending...">
                Send the link
              </Button>
            )}
          </>
        }
      >
        <form id="change-email" noValidate onSubmit={submit} className="grid gap-4">
          <TextField
            control={form.control}
            name="email"
            label="New email"
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Proof
            ref={passwordField}
            state={state}
            value={password}
            error={wrong.password}
            onChange={(value) => {
              setPassword(value)
              setWrong({})
            }}
          />
          {wrong.other && (
            <div role="alert">
              <FieldError>{wrong.other}</FieldError>
            </div>
          )}
        </form>
      </DialogContent>
    </Dialog>
  )
}
