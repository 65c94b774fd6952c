import { Link } from '@tanstack/react-router'
import { brand } from '#web/lib/boot.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { AccountChoice } from './account-choice.tsx'
import { AgeGate } from './age-gate.tsx'
import { OnboardingFrame } from './onboarding-frame.tsx'

/** What visitors see at '/': the age gate, then the choice of an account, which leads to the sign-up form. */
export function StartPage({ hasPassedAgeGate }: { hasPassedAgeGate: boolean }) {
  if (!hasPassedAgeGate) return <AgeGate />
  return (
    <OnboardingFrame width="choice" footer={<AboutUs />}>
      <AccountChoice />
    </OnboardingFrame>
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
