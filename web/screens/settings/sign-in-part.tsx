import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MailQuestion } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Email } from '#contracts/accounts.ts'
import { cancelEmailChange, connectOpenId, disconnectOpenId, passSecondFactor, requestEmailChange } from '#contracts/calls/sign-in.ts'
import type { SignInState } from '#contracts/sign-in.ts'
import * as z from '#contracts/zod.ts'
import { ProvenDialog, ShowPasskey } from '#web/entities/accounts/proof.tsx'
import { afterSignInChange, signInOptions } from '#web/entities/accounts/sign-in.api.ts'
import { CodeForm } from '#web/entities/security/code-form.tsx'
import { TextField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { FormError } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { SettingsSection, SettingsTopic } from '#web/ui/settings-section.tsx'
import { Skeleton, SkeletonText } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { KeysRow } from './keys-row.tsx'
import { PasskeysRow } from './passkeys-row.tsx'
import { PasswordRow, SessionsRow } from './sign-in-rows.tsx'

export default function SignInPart() {
  const query = useQuery(signInOptions)
  return (
    <SettingsSection id="sign-in" title="Sign-in and security" description="How and where you’re signed in.">
      <Loaded
        query={query}
        loadingLabel="Loading your sign-in methods..."
        skeleton={<Shapes />}
        failure="Your sign-in methods couldn’t be loaded"
      >
        {(state) => (
          <>
            {state.mustShowSecondFactor && <RoleNotice state={state} />}
            <Rows state={state} />
          </>
        )}
      </Loaded>
    </SettingsSection>
  )
}

function Rows({ state }: { state: SignInState }) {
  const isLocked = state.mustShowSecondFactor
  return (
    <div className="grid divide-y divide-line">
      <EmailRow state={state} isLocked={isLocked} />
      <PasswordRow state={state} isLocked={isLocked} />
      <PasskeysRow state={state} isLocked={isLocked} />
      <SettingsTopic
        title="Second factor"
        state={<Badge variant={state.hasSecondFactor ? 'leaf' : 'neutral'}>{state.hasSecondFactor ? 'On' : 'Off'}</Badge>}
        hint={
          state.hasSecondFactor
            ? 'You’ll also need a code from your authenticator app when you sign in with a password.'
            : 'Require a code from an authenticator app after your password.'
        }
        action={
          <Button asChild variant="secondary">
            <Link to="/security">{state.hasSecondFactor ? 'Manage' : 'Set up'}</Link>
          </Button>
        }
      />
      {state.openId && <OpenIdRow openId={state.openId} isLocked={isLocked} />}
      <KeysRow isLocked={isLocked} />
      <SessionsRow />
    </div>
  )
}

const Shapes = () => (
  <div className="grid gap-8">
    {[1, 2, 3, 4, 5].map((row) => (
      <div key={row} className="flex items-center justify-between gap-8">
        <SkeletonText className="flex-1" />
        <Skeleton className="h-10 w-36" />
      </div>
    ))}
  </div>
)

function EmailRow({ state, isLocked }: { state: SignInState; isLocked: boolean }) {
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

function Waiting({ change }: { change: NonNullable<SignInState['emailChange']> }) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => call(cancelEmailChange, {}),
    onSuccess: () => afterSignInChange(client),
    onError: (error) => toast({ title: 'The change wasn’t canceled', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5 rounded-input bg-sunk px-4 py-3">
      <p className="flex min-w-0 flex-1 basis-64 gap-2.5 text-sm">
        <MailQuestion aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
        <span className="min-w-0 wrap-anywhere">
          Open the link we emailed to <strong className="font-medium">{change.email}</strong>. Until then, nothing changes. Requested{' '}
          <Ago at={change.requestedAt} />. The link works for 24 hours.
        </span>
      </p>
      <Button
        variant="quiet"
        size="sm"
        pending={cancel.isPending}
        pendingText="Canceling..."
        onClick={() => cancel.mutate()}
        // Phones show this below the text.
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
    toast({ title: 'Check your new email', description: `Open the link we emailed to ${email}.` })
  }

  return (
    <ProvenDialog
      title="Change email"
      description="We’ll email a link to your new address and a notice to the old one. The change takes effect when you open the link."
      confirmText="Send link"
      pendingText="Sending..."
      check={check}
      onConfirm={request}
      onRefused={(error) => showServerErrors(form, error, ['email']) === null}
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

type OpenIdRowProps = { openId: NonNullable<SignInState['openId']>; isLocked: boolean }

function OpenIdRow({ openId: { name, connectedAt }, isLocked }: OpenIdRowProps) {
  const [isOpen, setOpen] = useState(false)
  // Read once, because the parameter remains in the address.
  const [result] = useState(() => connectionResult(window.location.search))
  const isConnected = connectedAt !== null
  return (
    <SettingsTopic
      title={name}
      state={isConnected && <Badge variant="leaf">Connected</Badge>}
      hint={
        isConnected ? (
          <>
            Connected <Ago at={connectedAt} />. Anyone signed in to that account can sign in here.
          </>
        ) : (
          `Connect your ${name} account to sign in with it.`
        )
      }
      action={
        <Button variant="secondary" disabled={isLocked} onClick={() => setOpen(true)}>
          {isConnected ? 'Disconnect' : 'Connect'}
        </Button>
      }
    >
      {result !== null && result !== 'connected' && !isConnected && <FormError>{connectionProblem(result, name)}</FormError>}
      {isOpen && (
        <ProvenDialog
          title={isConnected ? `Disconnect ${name}?` : `Connect ${name}`}
          confirmText={isConnected ? 'Disconnect' : `Go to ${name}`}
          pendingText="One moment..."
          {...(isConnected && { variant: 'danger' })}
          onConfirm={async (password) => {
            if (isConnected) {
              await call(disconnectOpenId, { body: { password } })
              toast({ title: `${name} was disconnected` })
            } else {
              const { location } = await call(connectOpenId, { body: { password } })
              window.location.assign(location)
            }
          }}
          onClose={() => setOpen(false)}
        >
          <p className="text-muted">
            {isConnected
              ? `You won’t be able to sign in with ${name} anymore. Your account and everything in it won’t change.`
              : `You’ll sign in at ${name} once, then return here. Your account there can use a different email address.`}
          </p>
        </ProvenDialog>
      )}
    </SettingsTopic>
  )
}

/** The provider redirects to `/settings?openid=` with `connected` or an error code. */
const connectionResult = (search: string): string | null => new URLSearchParams(search).get('openid')

function connectionProblem(code: string, provider: string): string {
  switch (code) {
    case 'access_denied':
      return `You canceled at ${provider}. Nothing was connected.`
    case 'another_session':
      return 'You signed out or in again before finishing, so nothing was connected. Try again.'
    case 'already_connected':
      return `Another ${provider} account is already connected. Disconnect it first.`
    case 'account_already_linked_to_different_user':
      return `This ${provider} account is connected to another account here. Disconnect it there first.`
    case 'unable_to_link_account':
      return `${provider} hasn’t confirmed that account’s address. Confirm it there first.`
    default:
      return `Connecting ${provider} didn’t work. Try again.`
  }
}

/** Moderators and admins must confirm their second factor before changing how they sign in. */
function RoleNotice({ state }: { state: SignInState }) {
  return (
    <section aria-labelledby="role-notice" className="mb-5 grid gap-4 rounded-input bg-sunk p-4 sm:p-5">
      <div>
        <h3 id="role-notice" className="font-medium font-text text-base">
          Confirm your second factor first
        </h3>
        <p className="mt-0.5 max-w-text text-muted text-sm">
          Your account has a role, so you need to confirm your second factor before you change how you sign in. The confirmation lasts 12
          hours.
        </p>
      </div>
      {state.passkeys.length > 0 && <ShowPasskey text="Use a passkey" />}
      {state.hasSecondFactor ? (
        <CodeForm
          send={({ code }) => call(passSecondFactor, { body: { code } })}
          changesSession
          takesRecoveryCode
          buttonText="Continue"
          pendingText="Checking..."
        />
      ) : (
        <Button asChild variant="secondary" className="justify-self-start">
          <Link to="/security">Set up a second factor</Link>
        </Button>
      )}
    </section>
  )
}
