import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { beginPasskeySignIn, signInWithPasskey } from '../../../contracts/sign-in.ts'
import { call } from '../../lib/call.ts'
import { askForPasskey, canUsePasskeys, passkeyProblem } from '../../lib/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'

/** Signing in without a password: the device asks for a finger, a face or a PIN. Not there where the browser cannot. */
export function PasskeyButton({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  if (!canUsePasskeys()) return null

  async function signIn() {
    setPending(true)
    setProblem(null)
    try {
      const answer = await askForPasskey(await call(beginPasskeySignIn, {}))
      await call(signInWithPasskey, { body: { answer } })
      await onSignedIn()
    } catch (error) {
      setProblem(passkeyProblem(error))
    }
    setPending(false)
  }

  return (
    <div className="mt-3 grid gap-2.5">
      <Button variant="secondary" size="lg" pending={isPending} pendingText="Waiting for your device..." onClick={() => void signIn()}>
        <KeyRound aria-hidden="true" />
        Continue with a passkey
      </Button>
      {problem && (
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
      )}
    </div>
  )
}
