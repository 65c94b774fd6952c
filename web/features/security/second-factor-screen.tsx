import { showSecondFactor } from '../../../contracts/second-factor.ts'
import { brand } from '../../lib/boot.ts'
import { call } from '../../lib/call.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { WayOut } from '../layout/way-out.tsx'
import { CodeForm } from './code-form.tsx'

/** What stands at every address until a session has shown its second factor; what was asked for appears in its place then. */
export default function SecondFactorScreen() {
  const user = useCurrentUser()
  return (
    <div className="mx-auto max-w-[29rem] px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
      <WayOut />
      <section className="rounded-card border border-line bg-surface p-5 sm:p-8">
        <h1 className="text-2xl">Enter your code</h1>
        <p className="mt-2 mb-5 text-muted wrap-anywhere">
          {user?.email} has a second factor. Your authenticator app shows a code for {brand.name}.
        </p>
        <CodeForm
          send={({ code }) => call(showSecondFactor, { body: { code } })}
          changesSession
          takesRecoveryCode
          buttonText="Continue"
          pendingText="Checking..."
        />
      </section>
      <p className="mt-4 text-muted text-sm">
        Lost both the app and the recovery codes? Write to {brand.supportEmail} from the address of your account.
      </p>
    </div>
  )
}
