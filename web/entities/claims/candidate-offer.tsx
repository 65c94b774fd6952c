import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Store } from 'lucide-react'
import { type Ref, useState } from 'react'
import { flushSync } from 'react-dom'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { Button } from '#web/ui/button.tsx'
import { useStableWhilePressed } from '#web/ui/use-stable-while-pressed.ts'
import { candidatesOptions, questionOf, type Typed } from './claims.api.ts'

const questionFrom = (typed: string) => {
  const [licenseNumber = '', name = '', place = ''] = typed.split('\n')
  return questionOf({ licenseNumber, name, place })
}

export function useCandidates({ licenseNumber = '', name = '', place = '' }: Typed) {
  const client = useQueryClient()
  const typed = `${licenseNumber}\n${name}\n${place}`
  const settled = useDebounced(typed, 500)
  // Set on submit, which doesn't wait for the debounce.
  const [asked, setAsked] = useState<string | null>(null)
  const [declined, setDeclined] = useState<readonly string[]>([])
  const question = questionFrom(asked === typed ? typed : settled)
  const { data, isLoading } = useQuery({
    ...candidatesOptions(question ?? {}),
    enabled: question !== null,
    placeholderData: keepPreviousData,
  })
  const found = question === null ? undefined : data
  const stable = useStableWhilePressed(found)
  const undecided = (businesses: readonly BusinessSummary[]) => businesses.filter(({ id }) => !declined.includes(id))
  // People can register even if the lookup fails.
  const candidates = undecided(((asked === typed ? found : stable) ?? []).map(({ business }) => business))
  return {
    candidates,
    isLoading,
    decline: () => setDeclined([...declined, ...candidates.map(({ id }) => id)]),
    /** True if a listing matches the current values and wasn't declined. Resolves once the listing is rendered. */
    async isOpen(): Promise<boolean> {
      const now = questionFrom(typed)
      const matches = now ? await client.fetchQuery(candidatesOptions(now)).catch(() => []) : []
      flushSync(() => setAsked(typed))
      return undecided(matches.map(({ business }) => business)).length > 0
    },
  }
}

type CandidateOfferProps = {
  candidates: readonly BusinessSummary[]
  /** Sign-up passes this to claim the listing after creating the account. Without it, the claim starts immediately. */
  onPick?: (business: BusinessSummary) => void
  onDecline?: () => void
  isDue?: boolean
  ref?: Ref<HTMLElement>
}

export function CandidateOffer({ candidates, onPick, onDecline, isDue = false, ref }: CandidateOfferProps) {
  const decline = candidates.length === 1 ? 'This isn’t my business' : 'None of these is my business'
  return (
    <div role="status" className="empty:hidden">
      {candidates.length > 0 && (
        <section
          ref={ref}
          tabIndex={-1}
          aria-label="Is this your business?"
          className="grid scroll-mt-24 gap-3 rounded-input bg-leaf-soft p-4"
        >
          <div>
            <h2 className="text-lg">Is this your business?</h2>
            <p className="mt-0.5 text-sm">
              {candidates.length === 1
                ? 'The public register already lists this business. Claim it instead of creating a duplicate.'
                : 'The public register already lists these businesses. Claim yours instead of creating a duplicate.'}
            </p>
            {isDue && (
              <p className="mt-1.5 font-medium text-clay text-sm">
                Claim {candidates.length === 1 ? 'it' : 'yours'}, or choose “{decline}” to create a new page.
              </p>
            )}
          </div>
          <ul className="grid gap-2">
            {candidates.map((business) => (
              <Candidate key={business.id} business={business} onPick={onPick} />
            ))}
          </ul>
          {onDecline && (
            <Button variant="secondary" size="sm" className="justify-self-start" onClick={onDecline}>
              {decline}
            </Button>
          )}
        </section>
      )}
    </div>
  )
}

function Candidate({ business, onPick }: { business: BusinessSummary; onPick: CandidateOfferProps['onPick'] }) {
  const { name, type, location, address } = business
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-input border border-line bg-surface p-3">
      <Store aria-hidden="true" className="size-5 shrink-0 text-leaf" />
      <div className="min-w-0 flex-1 basis-44">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-muted text-sm">{[businessTypeLabels[type], address, location].filter(Boolean).join(' · ')}</p>
      </div>
      {onPick ? (
        <Button size="sm" variant="secondary" onClick={() => onPick(business)}>
          <span>
            This is mine<span className="sr-only"> {name}</span>
          </span>
        </Button>
      ) : (
        <Button size="sm" asChild>
          <Link to="/business/register" search={{ claim: business.slug }}>
            Claim it<span className="sr-only"> {name}</span>
          </Link>
        </Button>
      )}
    </li>
  )
}
