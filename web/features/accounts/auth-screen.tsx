import { useState } from 'react'
import { safeReturnTo } from '../../../contracts/return-to.ts'
import { brand } from '../../lib/boot.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx'
import { authHeading, rememberAskedFor } from './asked-for.ts'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'
import { CheckEmail } from './check-email.tsx'
import { OpenIdButton, OpenIdError } from './openid-button.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

type AuthScreenProps = {
  returnTo?: string | undefined
  /** The code of an OpenID sign-in that failed. */
  error?: string | undefined
}

/**
 * The page /auth, and what stands at any other address for somebody who is signed out. In the first case `returnTo` comes from the address
 * and the root leads there once somebody is signed in; in the second it is the address itself, and the page appears in place.
 */
export default function AuthScreen({ returnTo: given, error }: AuthScreenProps) {
  const returnTo = safeReturnTo(given) ?? '/'
  const [tab, setTab] = useState<'sign-in' | 'sign-up'>('sign-in')
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)

  async function enter() {
    const user = await refreshCurrentUser()
    if (user && !user.hasCompletedOnboarding) rememberAskedFor(returnTo)
  }

  if (unconfirmed) {
    return (
      <AuthFrame>
        <CheckEmail email={unconfirmed} onBack={() => setUnconfirmed(null)} />
      </AuthFrame>
    )
  }
  return (
    <AuthFrame>
      <AuthSheet title={authHeading(tab, returnTo, brand)}>
        <OpenIdError code={error} />
        <Tabs value={tab} onValueChange={(value) => setTab(value as typeof tab)}>
          <TabList className="mb-1">
            <Tab value="sign-in">Sign In</Tab>
            <Tab value="sign-up">Sign Up</Tab>
          </TabList>
          <TabPanel value="sign-in">
            <OpenIdButton returnTo={returnTo} />
            <SignInForm onSignedIn={enter} onConfirmEmail={setUnconfirmed} />
          </TabPanel>
          <TabPanel value="sign-up">
            <OpenIdButton returnTo={returnTo} />
            <SignUpForm returnTo={returnTo} onConfirmEmail={setUnconfirmed} />
          </TabPanel>
        </Tabs>
      </AuthSheet>
    </AuthFrame>
  )
}
