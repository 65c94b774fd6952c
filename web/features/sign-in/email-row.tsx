import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MailQuestion } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { Email } from '../../../contracts/accounts.ts'
import { cancelEmailChange, requestEmailChange, type SignInState } from '../../../contracts/sign-in.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Ago } from '../../ui/ago.tsx'
import { Button } from '../../ui/button.tsx'
import { SettingsTopic } from '../../ui/settings-topic.tsx'
import { toast } from '../../ui/toast-store.ts'
import { TextField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { showServerErrors } from '../accounts/server-errors.ts'
import { ProvenDialog } from './proven-dialog.tsx'
import { afterSignInChange } from './sign-in.api.ts'

export function EmailRow({ state, isLocked }: { state: SignInState; isLocked: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingsTopic
      title="Email"
      hint={state.email}
      action={
        <Button variant="secondary" disabled={isLocked} onClick={() => setOpen(true)}>
          Change email
        </Button>
      }
    >
      {state.emailChange && <Waiting change={state.emailChange} />}
      {isOpen && <EmailDialog onClose={() => setOpen(false)} />}
    </SettingsTopic>
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
      <Button
        variant="quiet"
        size="sm"
        pending={cancel.isPending}
        pendingText="Canceling..."
        onClick={() => cancel.mutate()}
        // On a phone it stands below, under the words.
        className="max-sm:ml-3.75"
      >
        Cancel this change
      </Button>
    </div>
  )
}

const Values = z.object({ email: Email })
const draftName = 'change-email'

function EmailDialog({ onClose }: { onClose: () => void }) {
  const [defaultValues] = useState(() => withDraft(draftName, { email: '' }))
  const form = useForm({ defaultValues, resolver: standardSchemaResolver(Values) })
  const dropDraft = useDraft(form, draftName)

  async function check() {
    let isRight = false
    await form.handleSubmit(() => {
      isRight = true
    })()
    return isRight
  }

  async function request(password: string) {
    const email = form.getValues('email').trim()
    await call(requestEmailChange, { body: { email, password } })
    dropDraft()
    toast({ title: 'Check your new mailbox', description: `Open the link we mailed to ${email}.` })
  }

  return (
    <ProvenDialog
      title="Change email"
      description="A link goes to the new address, and a notice to the old one. The change counts once the link is opened."
      confirmText="Send the link"
      pendingText="Sending..."
      check={check}
      onConfirm={request}
      onRefused={(error) => showServerErrors(form, error, ['email'])}
      onClose={onClose}
    >
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
    </ProvenDialog>
  )
}
