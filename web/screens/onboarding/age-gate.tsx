import { ageGatePath, minimumAge } from '#contracts/age.ts'
import { TermsNote } from '#web/entities/accounts/profile-fields.tsx'
import { brand } from '#web/lib/boot.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { connectAgeGate } from './age-gate-form.ts'
import { OnboardingFrame } from './onboarding-frame.tsx'

type AgeGateProps = {
  /** Called instead of sending the form, for people with an account. */
  onEnter?: () => void
}

/** The age gate of a visitor, a form that works without scripts, or of an account. */
export function AgeGate({ onEnter }: AgeGateProps) {
  return (
    <OnboardingFrame width="gate">
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
