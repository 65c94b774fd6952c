import { LogOut } from 'lucide-react'
import { showSecondFactor } from '../../../contracts/second-factor.ts'
import { brand } from '../../lib/boot.ts'
import { call } from '../../lib/call.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { signOutUrl } from '../layout/server-urls.ts'
import { CodeForm } from './code-form.tsx'

/** What stands at every address until a session has shown its second factor; what was asked for appears in its place then. */
export default function SecondFactorScreen() {
  const user = useCurrentUser()
  return (
    <div className="mx-auto max-w-[29rem] px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
      <div className="mb-8 flex items-center justify-between gap-4">
        <p className="flex items-center gap-2.5 font-display text-lg">
          <BrandMark />
          {brand.name}
        </p>
        <a href={signOutUrl} className={buttonClass('secondary', 'md')}>
          <LogOut aria-hidden="true" />
          Sign Out
        </a>
      </div>
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
