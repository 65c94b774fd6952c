import { useRouter } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { AccountType, CurrentUser } from '#contracts/accounts.ts'
import { ageCookie } from '#contracts/age.ts'
import { confirmAge } from '#contracts/calls/accounts.ts'
import { chosenAccountType, consumeReturnTo, isRegistering } from '#web/entities/accounts/asked-for.ts'
import { FormSkeleton } from '#web/forms/form-skeleton.tsx'
import { call } from '#web/lib/call.ts'
import { cacheUser, refreshCurrentUser, useCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { setCookie } from '#web/ui/theme.ts'
import { AccountChoice, AgeGate, OnboardingFrame, StartPage, StepHeading } from './start-page.tsx'

// The first two steps don't need the forms.
const loadBusinessForm = () => import('./business-form.tsx')
const loadPersonalForm = () => import('./personal-form.tsx')
const BusinessForm = lazy(() => loadBusinessForm().then((module) => ({ default: module.BusinessForm })))
const PersonalForm = lazy(() => loadPersonalForm().then((module) => ({ default: module.PersonalForm })))

type Step = 'age-gate' | 'selection' | AccountType

/**
 * Has the age gate, the choice of an account type and the profile forms. Visitors start at '/' and continue to sign-up after the choice.
 * With the new account, they return to the form for their type. Other members with incomplete profiles get the choice at every address
 * except public pages. At /onboarding, people can change a complete profile.
 */
export default function OnboardingScreen() {
  const user = useCurrentUser()
  return user ? <Steps key={user.id} user={user} /> : <StartPage hasPassedAgeGate={hasPassedAgeGate()} />
}

function Steps({ user }: { user: CurrentUser }) {
  const router = useRouter()
  const { hasCompletedOnboarding: isThrough, hasConfirmedAge, role, userType } = user
  // Admins created on the command line don't choose a type.
  const [start] = useState<Step>(() => (isThrough || role !== 'member' || chosenAccountType() === userType ? userType : 'selection'))
  const [step, setStep] = useState<Step>(() => (isThrough || hasConfirmedAge || hasPassedAgeGate() ? start : 'age-gate'))
  const [follows, setFollows] = useState(false)
  const goTo = (next: Step) => {
    setStep(next)
    setFollows(true)
  }

  useEffect(() => {
    const ahead = userType === 'business' ? loadBusinessForm() : loadPersonalForm()
    ahead.catch(() => undefined)
  }, [userType])

  const isUnconfirmed = !isThrough && !hasConfirmedAge && step !== 'age-gate'
  useEffect(() => {
    if (isUnconfirmed) void confirmAgeOfAccount()
  }, [isUnconfirmed])

  async function finish() {
    await refreshCurrentUser()
    const next = consumeReturnTo()
    // In the `business` step, the viewer has already registered the business.
    router.history.push(step === 'business' && isRegistering(next) ? '/' : next)
  }

  if (step === 'age-gate') {
    const enter = () => {
      rememberAgeGate()
      goTo(start)
    }
    return <AgeGate onEnter={enter} />
  }
  const footer = isThrough ? undefined : <SignedInAs email={user.email} />
  if (step === 'selection') {
    return (
      <OnboardingFrame width="choice" plain={isThrough} footer={footer}>
        <AccountChoice follows={follows} account={{ type: userType, onChoose: goTo }} />
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

const businessHelp = 'This is what people will see when they find you. You can change it later.'
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

const hasPassedAgeGate = () => document.cookie.split('; ').some((each) => each.startsWith(`${ageCookie}=`))

/** The server does the same for visitors; see server/app/pages.ts. */
const rememberAgeGate = (): void => setCookie(ageCookie, 'true')

const confirmAgeOfAccount = (): Promise<void> => call(confirmAge, {}).then(cacheUser, () => undefined)
