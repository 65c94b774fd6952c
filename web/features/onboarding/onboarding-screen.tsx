import { Link, useRouter } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { AccountType, CurrentUser } from '../../../contracts/accounts.ts'
import { brand } from '../../lib/boot.ts'
import { refreshCurrentUser, useCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { takeAskedFor } from '../accounts/asked-for.ts'
import { recall, remember } from '../accounts/tab-memory.ts'
import { AccountChoice } from './account-choice.tsx'
import { AgeGate } from './age-gate.tsx'
import { confirmAgeHere, confirmAgeOfAccount, hasConfirmedAgeHere } from './confirmed-age.ts'
import { FormSkeleton } from './form-skeleton.tsx'
import { OnboardingFrame, StepHeading } from './onboarding-frame.tsx'

// Visitors meet the gate and the selection first, and many of them nothing more: the forms and what they are made of come after.
const loadBusinessForm = () => import('./business-form.tsx')
const loadPersonalForm = () => import('./personal-form.tsx')
const BusinessForm = lazy(() => loadBusinessForm().then((module) => ({ default: module.BusinessForm })))
const PersonalForm = lazy(() => loadPersonalForm().then((module) => ({ default: module.PersonalForm })))

type Step = 'age-gate' | 'selection' | AccountType

/** In this tab: what was chosen before there was an account. */
const choiceKey = 'onboarding-choice'

/**
 * The way in: age gate, selection, profile. Visitors meet it at '/'; they leave it for the sign-up form after the selection, and with the
 * new account they go on to the form that they chose. Everyone else whose account is not complete meets the selection, at every address.
 * At /onboarding people who are through can change what they said.
 */
export default function OnboardingScreen() {
  const user = useCurrentUser()
  return <Steps key={user?.id ?? 'visitor'} user={user} />
}

function Steps({ user }: { user: CurrentUser | null }) {
  const router = useRouter()
  const isThrough = user?.hasCompletedOnboarding === true
  const [start] = useState<Step>(() => (user && (isThrough || recall(choiceKey) === user.userType) ? user.userType : 'selection'))
  const [step, setStep] = useState<Step>(() => (isThrough || user?.hasConfirmedAge || hasConfirmedAgeHere() ? start : 'age-gate'))
  const [follows, setFollows] = useState(false)
  const goTo = (next: Step) => {
    setStep(next)
    setFollows(true)
  }

  const userType = user?.userType
  useEffect(() => {
    if (!userType) return
    // Should it not arrive, showing the form tries again and tells.
    const ahead = userType === 'business' ? loadBusinessForm() : loadPersonalForm()
    ahead.catch(() => undefined)
  }, [userType])

  const isConfirmedHereAlone = user !== null && !isThrough && !user.hasConfirmedAge && step !== 'age-gate'
  useEffect(() => {
    if (isConfirmedHereAlone) void confirmAgeOfAccount()
  }, [isConfirmedHereAlone])

  async function finish() {
    await refreshCurrentUser()
    router.history.push(takeAskedFor())
  }

  if (step === 'age-gate') {
    const enter = () => {
      confirmAgeHere()
      goTo(start)
    }
    return (
      <OnboardingFrame width="gate">
        <AgeGate onEnter={enter} />
      </OnboardingFrame>
    )
  }
  const footer = isThrough ? undefined : user ? <SignedInAs email={user.email} /> : <AboutUs />
  if (step === 'selection' || !user) {
    return (
      <OnboardingFrame width="choice" plain={isThrough} footer={footer}>
        <AccountChoice follows={follows} own={user?.userType ?? null} onChoose={user ? goTo : (type) => remember(choiceKey, type)} />
      </OnboardingFrame>
    )
  }
  const back = (
    <Button variant="quiet" size="lg" onClick={() => goTo('selection')}>
      <ArrowLeft aria-hidden="true" />
      Back
    </Button>
  )
  return (
    <OnboardingFrame width="form" plain={isThrough} footer={footer}>
      {step === 'business' ? (
        <Sheet follows={follows} title={isThrough ? 'Add a business' : 'Set up your business'} description={businessHelp}>
          <BusinessForm user={user} type={user.businessType ?? 'farm'} onCreated={finish} back={back} />
        </Sheet>
      ) : (
        <Sheet follows={follows} title={isThrough ? 'Your profile' : 'Create your profile'} description={personalHelp}>
          <PersonalForm user={user} onSaved={finish} back={back} />
        </Sheet>
      )}
    </OnboardingFrame>
  )
}

const businessHelp = 'This is what people see when they find you. You can change it later.'
const personalHelp = 'You decide what others see. You can change it later.'

type SheetProps = { follows: boolean; title: string; description: string; children: ReactNode }

function Sheet({ follows, title, description, children }: SheetProps) {
  return (
    <section className="rounded-card border border-line bg-surface p-5 shadow-lift sm:p-8">
      <StepHeading follows={follows}>{title}</StepHeading>
      <p className="mt-1.5 mb-6 text-muted">{description}</p>
      <Suspense fallback={<FormSkeleton />}>{children}</Suspense>
    </section>
  )
}

function SignedInAs({ email }: { email: string }) {
  return (
    <>
      Signed in as {email}.{' '}
      <a href="/api/logout" className={textLink}>
        Sign Out
      </a>
    </>
  )
}

function AboutUs() {
  return (
    <>
      New here?{' '}
      <Link to="/landing" className={textLink}>
        See what {brand.name} is about
      </Link>
    </>
  )
}
