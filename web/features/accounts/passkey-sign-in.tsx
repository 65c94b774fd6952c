// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useSyncExternalStore } from 'react'
import { beginPasskeySignIn, signInWithPasskey } from '../../../contracts/sign-in.ts'
import { call } from '../../lib/call.ts'
import { canUsePasskeys } from '../../lib/can-use-passkeys.ts'
import { PasskeyButton } from './passkey-button.tsx'

const neverChanges = () => () => {}

/** Signing in without a password. Not there where the browser cannot. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  // The server, which draws the screen ahead, does not know the browser: most can.
  const isOffered = useSyncExternalStore(neverChanges, canUsePasskeys, () => true)
  if (!isOffered) return null
  async function signIn() {
    const { askForPasskey } = await import('../../lib/passkeys.ts')
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
