import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountType } from '../../../contracts/accounts.ts'
import { boot, brand } from '../../lib/boot.ts'
import { textLink } from '../../ui/link-styles.ts'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'
import { CheckEmail } from './check-email.tsx'
import { OpenIdButton } from './openid-button.tsx'
import { SignUpForm } from './sign-up-form.tsx'

/** The page /signup: the sign-up form alone, for the account type that was chosen before. */
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
