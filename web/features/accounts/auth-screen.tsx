// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { lazy, Suspense, useState } from 'react'
import { safeReturnTo } from '../../../contracts/return-to.ts'
import { boot, brand } from '../../lib/boot.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { LoadingScreen } from '../../ui/loading-screen.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx'
import { authHeading, refusalAt, rememberAskedFor } from './asked-for.ts'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { SignInForm } from './sign-in-form.tsx'

const loadSignUp = () => import('./sign-up-form.tsx')
/** Ahead of the press, and not for those who only sign in: it is half as much again as all else here. */
const prefetchSignUp = () => void loadSignUp().catch(() => undefined)
const SignUpForm = lazy(async () => ({ default: (await loadSignUp()).SignUpForm }))
// Few sites have a provider.
const OpenIdButton = lazy(async () => ({ default: (await import('./openid-button.tsx')).OpenIdButton }))
const OpenIdError = lazy(async () => ({ default: (await import('./openid-button.tsx')).OpenIdError }))
const CheckEmail = lazy(async () => ({ default: (await import('./check-email.tsx')).CheckEmail }))

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

  const refusal = refusalAt(returnTo)
  const openId = boot.openIdName && (
    <Suspense>
      <OpenIdButton returnTo={returnTo} provider={boot.openIdName} />
    </Suspense>
  )

  if (unconfirmed) {
    return (
      <AuthFrame>
        <Suspense fallback={<LoadingScreen />}>
          <CheckEmail email={unconfirmed} onBack={() => setUnconfirmed(null)} />
        </Suspense>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame>
      <AuthSheet title={authHeading(tab, returnTo, brand)}>
        {refusal && (
          <p className="rounded-input bg-sunk px-4 py-3 text-sm">
            <strong className="block font-semibold">{refusal.title}</strong>
            {refusal.text}
          </p>
        )}
        {error && boot.openIdName && (
          <Suspense>
            <OpenIdError code={error} provider={boot.openIdName} />
          </Suspense>
        )}
        <Tabs value={tab} onValueChange={(value) => setTab(value as typeof tab)}>
          <TabList className="mb-1">
            <Tab value="sign-in">Sign In</Tab>
            <Tab value="sign-up" onPointerEnter={prefetchSignUp} onFocus={prefetchSignUp}>
              Sign Up
            </Tab>
          </TabList>
          <TabPanel value="sign-in">
            {openId}
            <SignInForm onSignedIn={enter} onConfirmEmail={setUnconfirmed} />
            <PasskeySignIn onSignedIn={enter} />
          </TabPanel>
          <TabPanel value="sign-up">
            {openId}
            <Suspense fallback={<LoadingScreen />}>
              <SignUpForm returnTo={returnTo} onConfirmEmail={setUnconfirmed} />
            </Suspense>
          </TabPanel>
        </Tabs>
      </AuthSheet>
    </AuthFrame>
  )
}
