import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountType } from '#contracts/accounts.ts'
import { CheckEmail } from '#web/entities/accounts/check-email.tsx'
import { boot, brand } from '#web/lib/boot.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'
import { OpenIdButton } from './openid-button.tsx'
import { SignUpForm } from './sign-up-form.tsx'

/** The page /signup: the sign-up form for an account type chosen earlier. */
export default function SignUpScreen({ accountType }: { accountType?: AccountType | undefined }) {
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  return (
    <AuthFrame>
      {unconfirmed ? (
        <CheckEmail email={unconfirmed} onBack={() => setUnconfirmed(null)} />
      ) : (
        <AuthSheet
          title={`Join ${brand.name}`}
          description={
            <>
              Already have an account?{' '}
              <Link to="/auth" className={textLink}>
                Sign in
              </Link>
            </>
          }
        >
          {boot.openIdName && <OpenIdButton returnTo="/" provider={boot.openIdName} />}
          <SignUpForm accountType={accountType} returnTo="/" onConfirmEmail={setUnconfirmed} />
        </AuthSheet>
      )}
    </AuthFrame>
  )
}
