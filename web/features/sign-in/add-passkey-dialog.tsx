import { useRef, useState } from 'react'
import { addPasskey, beginPasskey, PasskeyName, type SignInState } from '../../../contracts/sign-in.ts'
import { call } from '../../lib/call.ts'
import { makePasskey } from '../../lib/passkeys.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toast-store.ts'
import { deviceWord } from './device-word.ts'
import { ProvenDialog } from './proven-dialog.tsx'

/** From the name over the password to the device's own question. */
export function AddPasskeyDialog({ state, onClose }: { state: SignInState; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(() => deviceWord(navigator.userAgent))
  const [error, setError] = useState('')

  function check() {
    const problem = PasskeyName.safeParse(name).error?.issues[0]?.message
    if (!problem) return true
    setError(problem)
    field.current?.focus()
    return false
  }

  async function add(password: string) {
    const answer = await makePasskey(await call(beginPasskey, { body: { password } }))
    await call(addPasskey, { body: { name, answer } })
    toast({ title: 'Passkey added', description: 'You can sign in with it from now on.' })
  }

  return (
    <ProvenDialog
      state={state}
      title="Add a passkey"
      confirmText="Continue"
      pendingText="Waiting for your device..."
      check={check}
      onConfirm={add}
      onClose={onClose}
    >
      <p className="text-muted text-sm">
        Your device asks for your finger, your face or its PIN. Those stay on the device: we get a key that fits this site alone.
      </p>
      <Field label="Name" hint="So that you know it again among others." error={error}>
        <Input
          ref={field}
          autoComplete="off"
          maxLength={60}
          value={name}
          onChange={({ target }) => {
            setName(target.value)
            setError('')
          }}
        />
      </Field>
    </ProvenDialog>
  )
}
