import { Link, useRouter } from '@tanstack/react-router'
import { ArrowLeft, Check, Store, UserRound } from 'lucide-react'
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { type AccountType, type CurrentUser, confirmAge } from '#contracts/accounts.ts'
import { minimumAge } from '#contracts/age.ts'
import { takeAskedFor } from '#web/entities/accounts/asked-for.ts'
import { TermsNote } from '#web/entities/accounts/terms-note.tsx'
import { FormSkeleton } from '#web/forms/form-skeleton.tsx'
import { recall, remember } from '#web/forms/tab-memory.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { cacheUser, refreshCurrentUser, useCurrentUser } from '#web/lib/current-user.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { OnboardingFrame, StepHeading } from './onboarding-frame.tsx'

// Many visitors only see the gate and the selection, so the forms load later.
const loadBusinessForm = () => import('./business-form.tsx')
const loadPersonalForm = () => import('./personal-form.tsx')
const BusinessForm = lazy(() => loadBusinessForm().then((module) => ({ default: module.BusinessForm })))
const PersonalForm = lazy(() => loadPersonalForm().then((module) => ({ default: module.PersonalForm })))

type Step = 'age-gate' | 'selection' | AccountType

/** Stored per tab: the selection made before there was an account. */
const choiceKey = 'onboarding-choice'

/**
 * Onboarding: age gate, selection, profile. Visitors see it at '/' and continue to the sign-up form after the selection; with the new
 * account they return to the selected form. Other accounts with incomplete profiles get the selection at every address. At /onboarding,
 * people with a complete profile can change it.
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
    // On failure, rendering the form retries and reports the error.
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

type AccountChoiceProps = {
  follows: boolean
  /** The signed-in account's type, listed first; null for visitors, whose buttons lead to the sign-up form. */
  own: AccountType | null
  onChoose(type: AccountType): void
}

const choices: Record<AccountType, Pick<ChoiceProps, 'icon' | 'title' | 'description' | 'points'> & { signUp: string; signIn: string }> = {
  business: {
    icon: <Store />,
    title: 'Business Account',
    description: 'For farms, dispensaries and everyone who supports the trade.',
    points: ['A profile and listings', 'Posts for the people who follow you', 'A visible, verified license'],
    signUp: 'Sign Up as Business',
    signIn: 'Sign In (Business)',
  },
  consumer: {
    icon: <UserRound />,
    title: 'Personal Account',
    description: 'For anyone who wants to find and follow good places.',
    points: ['Licensed businesses near you', 'Favorites and reviews', 'Exclusive content and early access'],
    signUp: 'Sign Up as User',
    signIn: 'Sign In (User)',
  },
}

function AccountChoice({ follows, own, onChoose }: AccountChoiceProps) {
  const order: AccountType[] = own === 'consumer' ? ['consumer', 'business'] : ['business', 'consumer']
  return (
    <div className="grid gap-5 sm:gap-6">
      <div className="text-center">
        <StepHeading follows={follows}>What brings you here?</StepHeading>
      </div>
      <div className="grid gap-4 md:grid-cols-2 md:gap-5">
        {order.map((type) => {
          const { signUp, signIn, ...card } = choices[type]
          return (
            <Choice key={type} {...card} isOwn={type === own}>
              {own ? (
                <Button size="lg" variant={type === own ? 'primary' : 'secondary'} onClick={() => onChoose(type)}>
                  {signUp}
                </Button>
              ) : (
                <Button size="lg" asChild onClick={() => onChoose(type)}>
                  <Link to="/signup" search={{ accountType: type }}>
                    {signUp}
                  </Link>
                </Button>
              )}
              <Button size="lg" variant={own ? 'quiet' : 'secondary'} asChild>
                <a href={own ? '/api/login?switch=true' : '/api/login'}>{signIn}</a>
              </Button>
            </Choice>
          )
        })}
      </div>
    </div>
  )
}

type ChoiceProps = { icon: ReactNode; title: string; description: string; points: string[]; isOwn: boolean; children: ReactNode }

function Choice({ icon, title, description, points, isOwn, children }: ChoiceProps) {
  return (
    <section
      className={cx(
        'flex flex-col gap-3 rounded-card border bg-surface p-5 shadow-lift sm:gap-4 sm:p-7',
        isOwn ? 'border-leaf' : 'border-line',
      )}
    >
      <div className="flex items-center gap-3.5 sm:flex-col sm:items-start">
        <span aria-hidden="true" className="grid size-12 shrink-0 place-items-center rounded-full bg-leaf-soft text-leaf [&_svg]:size-6">
          {icon}
        </span>
        <h2 className="text-xl">{title}</h2>
        {isOwn && <Badge variant="leaf">Your account type</Badge>}
      </div>
      <p className="text-muted sm:-mt-2">{description}</p>
      {/* Without these, both choices fit on a phone screen. */}
      <ul className="hidden gap-2 text-[0.9375rem] sm:grid">
        {points.map((point) => (
          <li key={point} className="flex gap-2.5">
            <Check aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-leaf" />
            {point}
          </li>
        ))}
      </ul>
      <div className="mt-auto grid gap-2.5 pt-2">{children}</div>
    </section>
  )
}

function AgeGate({ onEnter }: { onEnter(): void }) {
  const [isConfirmed, setConfirmed] = useState(false)
  const enter = (event: FormEvent) => {
    event.preventDefault()
    if (isConfirmed) onEnter()
  }
  return (
    <form onSubmit={enter} className="grid gap-5 rounded-card border border-line bg-surface p-6 shadow-lift sm:p-8">
      <div>
        <h1 className="text-2xl">Age Verification Required</h1>
        <p className="mt-2 text-muted">You must be {minimumAge} years or older to access this platform.</p>
      </div>
      <Checkbox checked={isConfirmed} onChange={(event) => setConfirmed(event.target.checked)} className="rounded-input bg-sunk px-4 py-3">
        I confirm that I am {minimumAge} years or older
      </Checkbox>
      <Button type="submit" size="lg" disabled={!isConfirmed}>
        Enter {brand.name}
      </Button>
      <TermsNote action="entering" />
    </form>
  )
}

const key = 'age-confirmed'

/** Whether the age gate was passed in this browser, in any tab. False if storage is blocked. */
function hasConfirmedAgeHere(): boolean {
  try {
    return localStorage.getItem(key) === 'true'
  } catch {
    return false
  }
}

function confirmAgeHere(): void {
  try {
    localStorage.setItem(key, 'true')
  } catch {
    // The account stores it, too.
  }
}

/** On failure, the browser still remembers, and the next visit retries. */
const confirmAgeOfAccount = (): Promise<void> => call(confirmAge, {}).then(cacheUser, () => undefined)
