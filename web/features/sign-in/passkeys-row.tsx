import { useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { mostPasskeys, type Passkey, removePasskey, renamePasskey, type SignInState } from '../../../contracts/sign-in.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { canUsePasskeys } from '../../lib/can-use-passkeys.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { SettingsTopic } from '../../ui/settings-topic.tsx'
import { toast } from '../../ui/toast-store.ts'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { ProvenDialog } from './proven-dialog.tsx'
import { afterSignInChange } from './sign-in.api.ts'
import { usePasskeyName } from './use-passkey-name.ts'

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
        passkeys.length < mostPasskeys && (
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
  if (!canHavePasskeys) return 'Not possible here: this site has no name of its own, or no HTTPS.'
  if (!canUsePasskeys()) return 'This browser cannot use passkeys at this address. Use a current one, over HTTPS.'
  if (passkeys.length >= mostPasskeys) return `You have ${mostPasskeys}, which is as many as there may be. Remove one to add another.`
  return 'Sign in with your finger, your face or a PIN. A passkey cannot be guessed or given away on a false page, and counts as a second factor.'
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
            It does not sign in here any more. Your device or password manager may go on offering it until you remove it there, too.
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
      refuse((failure instanceof ApiError && failure.fields.name) || messageOf(failure))
      setPending(false)
    }
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <Field label={`New name for ${passkey.name}`} error={error}>
        {/* The button that had the focus is gone. */}
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
