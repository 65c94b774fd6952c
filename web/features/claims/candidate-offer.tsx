import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Store } from 'lucide-react'
import { businessTypeLabels } from '../../../contracts/business-types.ts'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { Button } from '../../ui/button.tsx'
import { questionOf, type Typed } from './candidate-question.ts'
import { candidatesOptions } from './claims.api.ts'
import { useSettled } from './use-settled.ts'

type CandidateOfferProps = {
  typed: Typed
  /** For somebody who has no account yet: the claim comes after it. Without it, the claim begins at once. */
  onPick?: (business: BusinessSummary) => void
}

/** Offers to claim the listing that the register has already, instead of making it twice. Shows nothing while there is none. */
export function CandidateOffer({ typed, onPick }: CandidateOfferProps) {
  const { licenseNumber = '', name = '', place = '' } = typed
  const settled = useSettled(`${licenseNumber}\n${name}\n${place}`, 500).split('\n')
  const question = questionOf({ licenseNumber: settled[0] ?? '', name: settled[1] ?? '', place: settled[2] ?? '' })
  const { data } = useQuery({
    ...candidatesOptions(question ?? {}),
    enabled: question !== null,
    placeholderData: keepPreviousData,
  })
  // That the register could not be asked is no reason to keep somebody from registering.
  const candidates = question === null ? [] : (data ?? [])
  return (
    <div role="status" className="empty:hidden">
      {candidates.length > 0 && (
        <section aria-label="Is this yours?" className="grid gap-3 rounded-input bg-leaf-soft p-4">
          <div>
            <h3 className="text-lg">Is this yours?</h3>
            <p className="mt-0.5 text-sm">
              {candidates.length === 1
                ? 'It is listed here already, from the public register.'
                : 'These are listed here already, from the public register.'}{' '}
              Claim yours instead of making it twice.
            </p>
          </div>
          <ul className="grid gap-2">
            {candidates.map(({ business }) => (
              <Candidate key={business.id} business={business} onPick={onPick} />
            ))}
          </ul>
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
