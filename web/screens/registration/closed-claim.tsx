import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { ShieldQuestion } from 'lucide-react'
import type { ReactNode } from 'react'
import { withdrawClaim } from '#contracts/calls/claims.ts'
import type { Claim } from '#contracts/claims.ts'
import { refreshClaim } from '#web/entities/claims/claims.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast-store.ts'

/** Why the previous claim or code ended; renders nothing if the person withdrew it. */
export function ClosedClaim({ claim: { status, closedBecause, reason, verificationId } }: { claim: Claim }) {
  const isLicense = verificationId !== null
  if (status === 'rejected') {
    return <ClaimNote title={isLicense ? "We couldn't prove it by phone" : "We couldn't confirm your claim"}>{reason}</ClaimNote>
  }
  if (closedBecause === 'attempts') {
    const instead = isLicense ? 'Choose another way, or send us the license.' : 'Start again, or ask us to review it.'
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

/** Withdraws the viewer's claim; a new one can start at once. `optionsKey` is the key of the query that contains it. */
export function GiveUp({ optionsKey, claim, text }: { optionsKey: QueryKey; claim: Claim; text: string }) {
  const client = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => call(withdrawClaim, { params: { id: claim.id } }),
    onSuccess: () => refreshClaim(client, optionsKey),
    onError: (error) => void toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <Button variant="quiet" size="lg" onClick={() => withdraw.mutate()} pending={withdraw.isPending}>
      {text}
    </Button>
  )
}
