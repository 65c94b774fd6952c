import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { beginSecondFactor, confirmSecondFactor } from '../../../contracts/second-factor.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { QrModules } from '../../ui/qr-code.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CodeForm } from './code-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { afterFactorChange, secondFactorOptions } from './security.api.ts'

type Step = { kind: 'password' } | { kind: 'scan'; uri: string; secret: string } | { kind: 'codes'; codes: string[] }

type SetUpProps = {
  doneText: string
  /** The codes are kept. What the session may do now has been asked for anew. */
  onDone?: () => void
  onCancel?: () => void
}

/** From the password over the QR code to the recovery codes. The first app, or another one in its place. */
export function SetUp({ doneText, onDone, onCancel }: SetUpProps) {
  const client = useQueryClient()
  const [step, setStep] = useState<Step>({ kind: 'password' })

  if (step.kind === 'password') {
    return <Password onBegun={(begun) => setStep({ kind: 'scan', ...begun })} {...(onCancel && { onCancel })} />
  }
  if (step.kind === 'codes') {
    const done = async () => {
      await afterFactorChange(client)
      onDone?.()
    }
    return <RecoveryCodes codes={step.codes} doneText={doneText} onDone={() => void done()} />
  }
  return (
    <section aria-labelledby="scan" className="grid gap-5">
      <div>
        <h2 id="scan" className="text-xl">
          Scan the code with your app
        </h2>
        <p className="mt-1 text-muted">
          Any authenticator app does: those of password managers, Aegis, 2FAS, Google, Microsoft. It then shows a new code every half
          minute.
        </p>
      </div>
      <div className="grid gap-5 sm:grid-cols-[auto_minmax(0,1fr)] sm:items-center">
        <svg
          role="img"
          aria-label="A code to scan with your authenticator app"
          viewBox="0 0 100 100"
          className="size-52 rounded-input bg-[#fff]"
        >
          <QrModules text={step.uri} x={0} y={0} side={100} />
        </svg>
        <div className="grid gap-1.5 text-sm">
          <p className="text-muted">Or type this key into the app:</p>
          <p className="font-mono text-base select-all" data-testid="factor-secret">
            {(step.secret.match(/.{1,4}/g) ?? []).join(' ')}
          </p>
        </div>
      </div>
      <CodeForm
        send={async ({ code }) => {
          const { recoveryCodes } = await call(confirmSecondFactor, { body: { code } })
          setStep({ kind: 'codes', codes: recoveryCodes })
        }}
        buttonText="Turn it on"
        pendingText="Turning on..."
      >
        {onCancel && (
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </CodeForm>
    </section>
  )
}

function Password({ onBegun, onCancel }: { onBegun: (begun: { uri: string; secret: string }) => void; onCancel?: () => void }) {
  const query = useQuery(secondFactorOptions)
  return (
    <Loaded
      query={query}
      loadingLabel="Loading..."
      skeleton={<Skeleton className="h-28 rounded-card" />}
      failure="This could not be loaded"
    >
      {({ hasPassword }) => <Begin asksPassword={hasPassword} onBegun={onBegun} {...(onCancel && { onCancel })} />}
    </Loaded>
  )
}

type BeginProps = { asksPassword: boolean; onBegun: (begun: { uri: string; secret: string }) => void; onCancel?: () => void }

function Begin({ asksPassword, onBegun, onCancel }: BeginProps) {
  const field = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [error, setError] = useState('')
  const [isPending, setPending] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isPending) return
    if (asksPassword && password === '') {
      field.current?.focus()
      return setError('Password is required')
    }
    setPending(true)
    try {
      onBegun(await call(beginSecondFactor, { body: { password } }))
    } catch (failure) {
      setError((failure instanceof ApiError && failure.fields.password) || messageOf(failure))
      field.current?.select()
      setPending(false)
    }
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      {asksPassword ? (
        <Field label="Password" hint="Once more, because whoever sits here could be somebody else." error={error}>
          <PasswordInput
            ref={field}
            autoComplete="current-password"
            value={password}
            onChange={(event) => {
              setPassword(event.target.value)
              setError('')
            }}
          />
        </Field>
      ) : (
        error && (
          <p role="alert" className="text-clay text-sm">
            {error}
          </p>
        )
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={isPending} pendingText="One moment...">
          Continue
        </Button>
        {onCancel && (
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}
