import { ShieldQuestion } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Claim } from '../../../contracts/claims.ts'

/** Why the claim or the code before is over; nothing where the person ended it. */
export function ClosedClaim({ claim: { status, closedBecause, reason, verificationId } }: { claim: Claim }) {
  const isLicense = verificationId !== null
  if (status === 'rejected') {
    return <ClaimNote title={isLicense ? "We couldn't prove it by phone" : "We couldn't confirm your claim"}>{reason}</ClaimNote>
  }
  if (closedBecause === 'attempts') {
    const instead = isLicense ? 'Choose a way again, or send us the license.' : 'Start again, or ask us to review it.'
    return <ClaimNote title="The code was wrong five times">{instead}</ClaimNote>
  }
  if (closedBecause === 'expired') return <ClaimNote title="The code expired">Start again.</ClaimNote>
  return null
}

export function ClaimNote({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className="flex gap-3 rounded-input bg-clay-soft p-4 text-sm">
      <ShieldQuestion aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-clay" />
      <span>
        <strong className="block font-semibold">{title}</strong>
        {children}
      </span>
    </p>
  )
}
