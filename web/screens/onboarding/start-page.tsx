import { Link } from '@tanstack/react-router'
import { Check, Store, UserRound } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import type { AccountType } from '#contracts/accounts.ts'
import { ageGatePath, minimumAge } from '#contracts/age.ts'
import { type PlaceCount, placesPath } from '#contracts/visitor-pages.ts'
import { MorningHills } from '#web/entities/accounts/morning-hills.tsx'
import { TermsNote } from '#web/entities/accounts/profile-fields.tsx'
import { brand } from '#web/lib/boot.ts'
import { Badge } from '#web/ui/badge.tsx'
import { BrandMark } from '#web/ui/brand-mark.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { connectAgeGate } from './age-gate-form.ts'

/** For visitors at '/'. Choosing an account type leads to the sign-up form. */
export function StartPage({ hasPassedAgeGate, cities = [] }: { hasPassedAgeGate: boolean; cities?: readonly PlaceCount[] }) {
  const places = cities.length > 0 && <Places cities={cities} />
  if (!hasPassedAgeGate) return <AgeGate footer={places} />
  return (
    <OnboardingFrame
      width="choice"
      footer={
        <>
          <AboutUs />
          {places && <span className="mt-1.5 block">{places}</span>}
        </>
      }
    >
      <AccountChoice />
    </OnboardingFrame>
  )
}

const citiesShown = 4

/** Plain links, because these pages aren't part of the app. Anyone can see the shops. */
function Places({ cities }: { cities: readonly PlaceCount[] }) {
  return (
    // Touch targets are 44 px high, so closer lines would cover one city's link with another's.
    <span className="block pointer-coarse:leading-11">
      Find an open shop:{' '}
      {cities.slice(0, citiesShown).map(({ name, path }) => (
        <Fragment key={path}>
          <span className="whitespace-nowrap">
            <a href={`${path}?sort=open`} className={`${textLink} touch-target`}>
              {name}
            </a>{' '}
            ·
          </span>{' '}
        </Fragment>
      ))}
      <a href={placesPath()} className={`${textLink} touch-target whitespace-nowrap`}>
        All places
      </a>
    </span>
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

type AgeGateProps = {
  /** Set for people with an account. Replaces submitting the form. */
  onEnter?: () => void
  footer?: ReactNode
}

/** Works without scripts, for visitors. */
export function AgeGate({ onEnter, footer }: AgeGateProps) {
  return (
    <OnboardingFrame width="gate" footer={footer}>
      <form
        ref={connectAgeGate}
        method="post"
        action={ageGatePath}
        data-age-gate=""
        onSubmit={(event) => {
          if (!onEnter) return
          event.preventDefault()
          onEnter()
        }}
        className="grid gap-5 rounded-card border border-line bg-surface p-6 shadow-lift sm:p-8"
      >
        <div>
          <h1 className="text-2xl">Age Verification Required</h1>
          <p className="mt-2 text-muted">You must be {minimumAge} years or older to access this platform.</p>
        </div>
        <Checkbox name="confirmed" required autoComplete="off" className="rounded-input bg-sunk px-4 py-3">
          I confirm that I am {minimumAge} years or older
        </Checkbox>
        <Button type="submit" size="lg">
          Enter {brand.name}
        </Button>
        <TermsNote action="entering" />
      </form>
    </OnboardingFrame>
  )
}

type AccountChoiceProps = {
  follows?: boolean
  /** The account's type comes first. Without an account, the buttons lead to sign-up and sign-in. */
  account?: { type: AccountType; onChoose(type: AccountType): void }
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
    description: 'For anyone who wants to find and follow good businesses.',
    points: ['Licensed businesses near you', 'Favorites and reviews', 'Exclusive content and early access'],
    signUp: 'Sign Up as User',
    signIn: 'Sign In (User)',
  },
}

export function AccountChoice({ follows = false, account }: AccountChoiceProps) {
  const order: AccountType[] = account?.type === 'consumer' ? ['consumer', 'business'] : ['business', 'consumer']
  return (
    <div className="grid gap-5 sm:gap-6">
      <div className="text-center">
        <StepHeading follows={follows}>What brings you here?</StepHeading>
      </div>
      <div className="grid gap-4 md:grid-cols-2 md:gap-5">
        {order.map((type) => {
          const { signUp, signIn, ...card } = choices[type]
          return (
            <Choice key={type} {...card} isOwn={type === account?.type}>
              {account ? (
                <Button size="lg" variant={type === account.type ? 'primary' : 'secondary'} onClick={() => account.onChoose(type)}>
                  {signUp}
                </Button>
              ) : (
                <Button size="lg" asChild>
                  <Link to="/signup" search={{ accountType: type }}>
                    {signUp}
                  </Link>
                </Button>
              )}
              <Button size="lg" variant={account ? 'quiet' : 'secondary'} asChild>
                <a href={account ? '/api/login?switch=true' : '/api/login'}>{signIn}</a>
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
      {/* Without this list, both choices fit on a phone's screen. */}
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

const widths = { gate: 'max-w-[29rem]', choice: 'max-w-[50rem]', form: 'max-w-[42.5rem]' }

type OnboardingFrameProps = {
  width: keyof typeof widths
  plain?: boolean
  footer?: ReactNode
  children: ReactNode
}

/** Shows the brand, because onboarding has no header. `plain` omits it, for people who have completed onboarding and see the header. */
export function OnboardingFrame({ width, plain = false, footer, children }: OnboardingFrameProps) {
  const height = plain ? 'min-h-[70dvh]' : 'min-h-dvh'
  return (
    <div className={cx('relative isolate overflow-clip', height)}>
      <div
        data-cover="farm"
        aria-hidden="true"
        className="absolute inset-0 -z-1 bg-linear-to-b from-25% from-ground to-(--cover-sky) to-75%"
      >
        <div className="absolute inset-x-0 bottom-0 h-[min(100%,clamp(20rem,64dvh,40rem))]">
          <MorningHills />
        </div>
      </div>
      <div className={cx('mx-auto flex w-full flex-col justify-center gap-6 px-4 py-8 sm:gap-8 sm:px-6 sm:py-10', height, widths[width])}>
        {!plain && (
          <div className="grid justify-items-center gap-2 text-center">
            <p className="flex items-center gap-2.5 font-display text-2xl">
              <BrandMark className="size-9" />
              {brand.name}
            </p>
            <p className="text-muted">{brand.tagline}</p>
          </div>
        )}
        {children}
        {footer && <p className="self-center rounded-card bg-surface/90 px-4 py-2 text-center text-muted text-sm">{footer}</p>}
      </div>
    </div>
  )
}

/** Takes focus after another step, so screen readers announce the change. */
export function StepHeading({ follows, children }: { follows: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (follows) heading.current?.focus()
  }, [follows])
  return (
    <h1 ref={heading} tabIndex={-1} className="text-2xl">
      {children}
    </h1>
  )
}
