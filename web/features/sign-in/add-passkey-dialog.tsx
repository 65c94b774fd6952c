import { addPasskey, beginPasskey } from '../../../contracts/sign-in.ts'
import { call } from '../../lib/call.ts'
import { makePasskey } from '../../lib/passkeys.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toast-store.ts'
import { deviceWord } from './device-word.ts'
import { ProvenDialog } from './proven-dialog.tsx'
import { usePasskeyName } from './use-passkey-name.ts'

/** From the name over the password to the device's own question. */
export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const { name, error, input, check } = usePasskeyName(deviceWord(navigator.userAgent))

  async function add(password: string) {
    const answer = await makePasskey(await call(beginPasskey, { body: { password } }))
    await call(addPasskey, { body: { name, answer } })
    toast({ title: 'Passkey added', description: 'You can sign in with it from now on.' })
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
        Your device asks for your finger, your face or its PIN. Those stay on the device: we get a key that fits this site alone.
      </p>
      <Field label="Name" hint="So that you know it again among others." error={error}>
        <Input {...input} />
      </Field>
    </ProvenDialog>
  )
}
