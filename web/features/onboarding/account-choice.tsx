import { Link } from '@tanstack/react-router'
import { Check, Store, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AccountType } from '../../../contracts/accounts.ts'
import { Button } from '../../ui/button.tsx'
import { StepHeading } from './onboarding-frame.tsx'

type AccountChoiceProps = {
  follows: boolean
  /**
   * Null for somebody who is signed out: there is no account yet to give a profile to, so the buttons lead to the sign-up form, and the
   * profile follows when they come back with an account. Somebody signed in goes on to the form, and needs no buttons to sign in.
   */
  onChoose: ((type: AccountType) => void) | null
}

/** Business or personal. */
export function AccountChoice({ follows, onChoose }: AccountChoiceProps) {
  const signUp = (type: AccountType, label: string) =>
    onChoose ? (
      <Button size="lg" onClick={() => onChoose(type)}>
        {label}
      </Button>
    ) : (
      <Button size="lg" asChild>
        <Link to="/signup" search={{ accountType: type }}>
          {label}
        </Link>
      </Button>
    )
  const signIn = (label: string) =>
    !onChoose && (
      <Button size="lg" variant="secondary" asChild>
        <a href="/api/login">{label}</a>
      </Button>
    )
  return (
    <div className="grid gap-5 sm:gap-6">
      <div className="text-center">
        <StepHeading follows={follows}>What brings you here?</StepHeading>
      </div>
      <div className="grid gap-4 md:grid-cols-2 md:gap-5">
        <Choice
          icon={<Store />}
          title="Business Account"
          description="For farms, dispensaries and everyone who supports the trade."
          points={['A profile and listings', 'Posts for the people who follow you', 'Your license, checked in the open']}
        >
          {signUp('business', 'Sign Up as Business')}
          {signIn('Sign In (Business)')}
        </Choice>
        <Choice
          icon={<UserRound />}
          title="Personal Account"
          description="For everyone who wants to find good places and keep up with them."
          points={['Licensed businesses near you', 'Favorites and reviews', 'Exclusive content and early access']}
        >
          {signUp('consumer', 'Sign Up as User')}
          {signIn('Sign In (User)')}
        </Choice>
      </div>
    </div>
  )
}

type ChoiceProps = { icon: ReactNode; title: string; description: string; points: string[]; children: ReactNode }

function Choice({ icon, title, description, points, children }: ChoiceProps) {
  return (
    <section className="flex flex-col gap-3 rounded-card border border-line bg-surface p-5 shadow-lift sm:gap-4 sm:p-7">
      <div className="flex items-center gap-3.5 sm:flex-col sm:items-start">
        <span aria-hidden="true" className="grid size-12 shrink-0 place-items-center rounded-full bg-leaf-soft text-leaf [&_svg]:size-6">
          {icon}
        </span>
        <h2 className="text-xl">{title}</h2>
      </div>
      <p className="text-muted sm:-mt-2">{description}</p>
      {/* On a phone both choices fit on one screen without these. */}
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
