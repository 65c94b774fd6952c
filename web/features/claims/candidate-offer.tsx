import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Store } from 'lucide-react'
import { type Ref, useState } from 'react'
import { flushSync } from 'react-dom'
import { businessTypeLabels } from '../../../contracts/business-types.ts'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { Button } from '../../ui/button.tsx'
import { questionOf, type Typed } from './candidate-question.ts'
import { candidatesOptions } from './claims.api.ts'
import { useSettled } from './use-settled.ts'

const questionFrom = (typed: string) => {
  const [licenseNumber = '', name = '', place = ''] = typed.split('\n')
  return questionOf({ licenseNumber, name, place })
}

/** The unclaimed listings that what is typed could mean, but for those that the person says are not theirs. */
export function useCandidates({ licenseNumber = '', name = '', place = '' }: Typed) {
  const client = useQueryClient()
  const typed = `${licenseNumber}\n${name}\n${place}`
  const settled = useSettled(typed, 500)
  // A form that is sent does not wait for the typing to rest.
  const [asked, setAsked] = useState<string | null>(null)
  const [declined, setDeclined] = useState<readonly string[]>([])
  const question = questionFrom(asked === typed ? typed : settled)
  const { data } = useQuery({ ...candidatesOptions(question ?? {}), enabled: question !== null, placeholderData: keepPreviousData })
  const undecided = (businesses: readonly BusinessSummary[]) => businesses.filter(({ id }) => !declined.includes(id))
  // That the register could not be asked is no reason to keep anyone from registering.
  const candidates = undecided(question === null ? [] : (data ?? []).map(({ business }) => business))
  return {
    candidates,
    /** These are not the person's business: they are not offered again. */
    decline: () => setDeclined([...declined, ...candidates.map(({ id }) => id)]),
    /** Whether what is typed now has a listing that the person has not decided about. It is on the page then. */
    async isOpen(): Promise<boolean> {
      const now = questionFrom(typed)
      const found = now ? await client.fetchQuery(candidatesOptions(now)).catch(() => []) : []
      flushSync(() => setAsked(typed))
      return undecided(found.map(({ business }) => business)).length > 0
    },
  }
}

type CandidateOfferProps = {
  candidates: readonly BusinessSummary[]
  /** Without an account yet, the claim comes after it. Without this, the claim begins at once. */
  onPick?: (business: BusinessSummary) => void
  onDecline?: () => void
  /** The form was sent while the offer is open. */
  isDue?: boolean
  ref?: Ref<HTMLElement>
}

/** Offers to claim the listing that the register has already, before a duplicate is created. Shows nothing while there is none. */
export function CandidateOffer({ candidates, onPick, onDecline, isDue = false, ref }: CandidateOfferProps) {
  const decline = candidates.length === 1 ? "This isn't my business" : 'None of these is my business'
  return (
    <div role="status" className="empty:hidden">
      {candidates.length > 0 && (
        <section ref={ref} tabIndex={-1} aria-label="Is this yours?" className="grid scroll-mt-24 gap-3 rounded-input bg-leaf-soft p-4">
          <div>
            <h2 className="text-lg">Is this yours?</h2>
            <p className="mt-0.5 text-sm">
              {candidates.length === 1
                ? 'The public register lists this business already. Claim it instead of creating a duplicate.'
                : 'The public register lists these businesses already. Claim yours instead of creating a duplicate.'}
            </p>
            {isDue && <p className="mt-1.5 font-medium text-clay text-sm">Claim it, or choose “{decline}” to create a new page.</p>}
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
