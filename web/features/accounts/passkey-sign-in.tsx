import { beginPasskeySignIn, signInWithPasskey } from '../../../contracts/sign-in.ts'
import { call } from '../../lib/call.ts'
import { askForPasskey, canUsePasskeys } from '../../lib/passkeys.ts'
import { PasskeyButton } from './passkey-button.tsx'

/** Signing in without a password. Not there where the browser cannot. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  if (!canUsePasskeys()) return null
  async function signIn() {
    const answer = await askForPasskey(await call(beginPasskeySignIn, {}))
    await call(signInWithPasskey, { body: { answer } })
    await onSignedIn()
  }
  return (
    <PasskeyButton size="lg" onPress={signIn} className="mt-3">
      Continue with a passkey
    </PasskeyButton>
  )
}
