import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Printer } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { beginSecondFactor, confirmSecondFactor } from '#contracts/calls/sign-in.ts'
import { afterFactorChange, secondFactorOptions } from '#web/entities/accounts/sign-in.api.ts'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { QrModules } from '#web/ui/qr-code.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CodeForm } from './code-form.tsx'

type Step = { kind: 'password' } | { kind: 'scan'; uri: string; secret: string } | { kind: 'codes'; codes: string[] }

type SetUpProps = {
  doneText: string
  /** Called once the codes are saved and the session's permissions have been refetched. */
  onDone?: () => void
  onCancel?: () => void
}

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
  const { uri, secret } = step
  return <Scan uri={uri} secret={secret} onConfirmed={(codes) => setStep({ kind: 'codes', codes })} {...(onCancel && { onCancel })} />
}

type ScanProps = { uri: string; secret: string; onConfirmed: (codes: string[]) => void; onCancel?: () => void }

/** Replaces the password form, so the heading of this step receives focus. */
function Scan({ uri, secret, onConfirmed, onCancel }: ScanProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby="scan" className="grid gap-5">
      <div>
        <h2 id="scan" ref={heading} tabIndex={-1} className="text-xl">
          Scan the code with your app
        </h2>
        <p className="mt-1 text-muted">
          Any authenticator app works: Google, Microsoft, Aegis, 2FAS or your password manager. It shows a new code every 30 seconds.
        </p>
      </div>
      <div className="grid gap-5 sm:grid-cols-[auto_minmax(0,1fr)] sm:items-center">
        <svg role="img" aria-label="QR code for your authenticator app" viewBox="0 0 100 100" className="size-52 rounded-input bg-[#fff]">
          <QrModules text={uri} x={0} y={0} side={100} />
        </svg>
        <div className="grid gap-1.5 text-sm">
          <p className="text-muted">Or type this key into the app:</p>
          <p className="font-mono text-base select-all" data-testid="factor-secret">
            {(secret.match(/.{1,4}/g) ?? []).join(' ')}
          </p>
        </div>
      </div>
      <CodeForm
        send={async ({ code }) => {
          const { recoveryCodes } = await call(confirmSecondFactor, { body: { code } })
          onConfirmed(recoveryCodes)
        }}
        buttonText="Turn on"
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
      failure="Setup couldn’t be loaded"
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
      setError(fieldErrors(failure).password || messageOf(failure))
      field.current?.select()
      setPending(false)
    }
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      {asksPassword ? (
        <Field label="Password" hint="Enter your password again to confirm it’s you." error={error}>
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

type RecoveryCodesProps = { codes: readonly string[]; doneText: string; onDone: () => void }

/** The codes appear only once, so the button requires confirming that they are saved. */
export function RecoveryCodes({ codes, doneText, onDone }: RecoveryCodesProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isSaved, setSaved] = useState(false)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby="recovery-codes" className="grid gap-4">
      <div>
        <h2 id="recovery-codes" ref={heading} tabIndex={-1} className="text-xl">
          Save your recovery codes
        </h2>
        <p className="mt-1 text-muted">
          Each one lets you in once if you don’t have the app. You won’t see them again. Print them or save them in a password manager, but
          not on the same phone.
        </p>
      </div>
      <ul className="grid gap-x-8 gap-y-2 rounded-input bg-sunk p-4 font-mono tabular-nums sm:grid-cols-2 sm:p-5">
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => save(codes)}>
          <Download aria-hidden="true" />
          Save as a file
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden="true" />
          Print
        </Button>
      </div>
      <Checkbox checked={isSaved} onChange={(event) => setSaved(event.target.checked)}>
        I’ve saved these codes
      </Checkbox>
      <Button className="justify-self-start" disabled={!isSaved} onClick={onDone}>
        {doneText}
      </Button>
    </section>
  )
}

function save(codes: readonly string[]) {
  const text = `${brand.name}: recovery codes, each works once\n\n${codes.join('\n')}\n`
  saveFile(`${brand.slug}-recovery-codes.txt`, new Blob([text], { type: 'text/plain' }))
}
