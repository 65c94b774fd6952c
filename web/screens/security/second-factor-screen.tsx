import { showSecondFactor } from '#contracts/calls/second-factor.ts'
import { CodeForm } from '#web/entities/security/code-form.tsx'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { WayOut } from '#web/ui/way-out.tsx'

/** Replaces every page until the session has passed its second factor. The requested page then appears in place. */
export default function SecondFactorScreen() {
  const user = useCurrentUser()
  return (
    <div className="mx-auto max-w-[29rem] px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
      <WayOut />
      <section className="rounded-card border border-line bg-surface p-5 sm:p-8">
        <h1 className="text-2xl">Enter your code</h1>
        <p className="mt-2 mb-5 text-muted wrap-anywhere">
          {user?.email} has a second factor. Enter the code your authenticator app shows for {brand.name}.
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
        Lost both the app and the recovery codes? Write to {brand.supportEmail} from your account’s email address.
      </p>
    </div>
  )
}
