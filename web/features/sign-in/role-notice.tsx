import { Link } from '@tanstack/react-router'
import { showSecondFactor } from '../../../contracts/second-factor.ts'
import type { SignInState } from '../../../contracts/sign-in.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { CodeForm } from '../security/code-form.tsx'
import { ShowPasskey } from './proof.tsx'

/** Moderators and admins change how they sign in only once the second factor was shown. */
export function RoleNotice({ state }: { state: SignInState }) {
  return (
    <section aria-labelledby="role-notice" className="mb-5 grid gap-4 rounded-input bg-sunk p-4 sm:p-5">
      <div>
        <h3 id="role-notice" className="font-medium font-text text-base">
          Show your second factor first
        </h3>
        <p className="mt-0.5 max-w-text text-muted text-sm">
          Your account has a role. How it signs in can be changed once the second factor was shown, which lasts for twelve hours.
        </p>
      </div>
      {state.passkeys.length > 0 && <ShowPasskey text="Show a passkey" />}
      {state.hasSecondFactor ? (
        <CodeForm
          send={({ code }) => call(showSecondFactor, { body: { code } })}
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
