import { useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from '#contracts/calls/sign-in.ts'
import { maxPasskeys } from '#contracts/limits.ts'
import { type Passkey, PasskeyName, type SignInState } from '#contracts/sign-in.ts'
import { canUsePasskeys } from '#web/entities/accounts/passkey-button.tsx'
import { ProvenDialog } from '#web/entities/accounts/proof.tsx'
import { afterSignInChange } from '#web/entities/accounts/sign-in.api.ts'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { makePasskey } from '#web/lib/passkeys.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SettingsTopic } from '#web/ui/settings-section.tsx'
import { toast } from '#web/ui/toast-store.ts'

export function PasskeysRow({ state, isLocked }: { state: SignInState; isLocked: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { passkeys } = state
  return (
    <SettingsTopic
      title="Passkeys"
      hint={<Hint state={state} />}
      action={
        state.canHavePasskeys &&
        canUsePasskeys() &&
        passkeys.length < maxPasskeys && (
          <Button variant="secondary" disabled={isLocked} onClick={() => setOpen(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      {passkeys.length > 0 && (
        <ul className="grid divide-y divide-line rounded-input border border-line">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} isLocked={isLocked} />
          ))}
        </ul>
      )}
      {isOpen && <AddPasskeyDialog onClose={() => setOpen(false)} />}
    </SettingsTopic>
  )
}

function Hint({ state: { canHavePasskeys, passkeys } }: { state: SignInState }) {
  if (!canHavePasskeys) return 'Not available here: passkeys need a domain name and HTTPS.'
  if (!canUsePasskeys()) return 'This browser can’t use passkeys at this address. Use a current browser over HTTPS.'
  if (passkeys.length >= maxPasskeys) return `You have ${maxPasskeys} passkeys, the maximum. Remove one to add another.`
  return 'Sign in with your fingerprint, face or PIN. A passkey can’t be guessed or phished, and counts as a second factor.'
}

function PasskeyItem({ passkey, isLocked }: { passkey: Passkey; isLocked: boolean }) {
  const [doing, setDoing] = useState<'nothing' | 'rename' | 'remove'>('nothing')
  const stop = () => setDoing('nothing')
  const { name, keeper, isSynced, createdAt, lastUsedAt } = passkey
  return (
    <li className="px-4 py-3">
      {doing === 'rename' ? (
        <Rename passkey={passkey} onDone={stop} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="flex min-w-0 flex-1 basis-56 gap-3">
            <KeyRound aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
                {name}
                {isSynced && <Badge variant="outline">Synced</Badge>}
              </p>
              <p className="text-muted text-sm">
                {keeper && `${keeper} · `}Added <Ago at={createdAt} /> ·{' '}
                {lastUsedAt ? (
                  <>
                    used <Ago at={lastUsedAt} />
                  </>
                ) : (
                  'not used yet'
                )}
              </p>
            </div>
          </div>
          <div className="flex gap-1 max-sm:ml-4.75">
            <Button variant="quiet" size="sm" onClick={() => setDoing('rename')}>
              <span>
                Rename<span className="sr-only"> {name}</span>
              </span>
            </Button>
            <Button variant="quiet" size="sm" disabled={isLocked} onClick={() => setDoing('remove')}>
              <span>
                Remove<span className="sr-only"> {name}</span>
              </span>
            </Button>
          </div>
        </div>
      )}
      {doing === 'remove' && (
        <ProvenDialog
          title={`Remove “${name}”?`}
          confirmText="Remove passkey"
          pendingText="Removing..."
          variant="danger"
          onConfirm={async (password) => {
            await call(removePasskey, { params: { id: passkey.id }, body: { password } })
            toast({ title: 'Passkey removed' })
          }}
          onClose={stop}
        >
          <p className="text-muted">
            You won’t be able to sign in with it anymore. Your device or password manager may still offer it until you remove it there, too.
          </p>
        </ProvenDialog>
      )}
    </li>
  )
}

function Rename({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const client = useQueryClient()
  const { name, error, input, check, refuse } = usePasskeyName(passkey.name)
  const [isPending, setPending] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isPending || !check()) return
    setPending(true)
    try {
      await call(renamePasskey, { params: { id: passkey.id }, body: { name } })
      await afterSignInChange(client)
      onDone()
    } catch (failure) {
      refuse(fieldErrors(failure).name || messageOf(failure))
      setPending(false)
    }
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <Field label={`New name for ${passkey.name}`} error={error}>
        <Input {...input} autoFocus />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" pending={isPending} pendingText="Saving...">
          Save name
        </Button>
        <Button variant="secondary" size="sm" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const { name, error, input, check } = usePasskeyName(deviceWord(navigator.userAgent))

  async function add(password: string) {
    const answer = await makePasskey(await call(beginPasskey, { body: { password } }))
    await call(addPasskey, { body: { name, answer } })
    toast({ title: 'Passkey added', description: 'You can now sign in with it.' })
  }

  return (
    <ProvenDialog
      title="Add a passkey"
      confirmText="Continue"
      pendingText="Waiting for your device..."
      check={check}
      onConfirm={add}
      onClose={onClose}
    >
      <p className="text-muted text-sm">
        Your device will ask for your fingerprint, face or PIN, which never leave it. We only receive a key for this site.
      </p>
      <Field label="Name" hint="A name you’ll recognize it by." error={error}>
        <Input {...input} />
      </Field>
    </ProvenDialog>
  )
}

const words: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'My iPhone'],
  [/iPad/, 'My iPad'],
  [/Android.*Mobile/, 'My phone'],
  [/Android/, 'My tablet'],
  [/CrOS/, 'My Chromebook'],
  [/Windows/, 'My Windows computer'],
  [/Mac OS X/, 'My Mac'],
  [/Linux/, 'My Linux computer'],
]

/** A default name, derived from the device. */
const deviceWord = (userAgent: string): string => words.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'My device'

function usePasskeyName(start: string) {
  const field = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(start)
  const [error, setError] = useState('')

  function refuse(problem: string): void {
    setError(problem)
    field.current?.focus()
  }

  function check(): boolean {
    const problem = PasskeyName.safeParse(name).error?.issues[0]?.message
    if (problem) refuse(problem)
    return !problem
  }

  const input = {
    ref: field,
    autoComplete: 'off',
    maxLength: 60,
    value: name,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      setName(target.value)
      setError('')
    },
  }
  return { name, error, input, check, refuse }
}
