import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { phoneLink } from '#contracts/addresses.ts'
import { approveClaim, rejectClaim } from '#contracts/calls/claims.ts'
import type { WaitingClaim } from '#contracts/claims.ts'
import { refreshClaimQueue, waitingClaimsOptions } from '#web/entities/claims/claims.api.ts'
import { call } from '#web/lib/call.ts'
import { counted, localDateFormat } from '#web/lib/format.ts'
import { stateName } from '#web/lib/state-names.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { ReviewCard, ReviewDecision, ReviewQueue } from './review-queue.tsx'

export function ClaimQueue() {
  const list = useInfiniteQuery(waitingClaimsOptions)
  return (
    <ReviewQueue
      list={list}
      what="claims"
      empty="Claims that need a call or a review appear here. Claims proven by an emailed code don’t, and you won’t see your own."
      idOf={({ id }) => id}
    >
      {(claim, onDecided) => <WaitingCard claim={claim} onDecided={onDecided} />}
    </ReviewQueue>
  )
}

const statuses = { muted: 'Claimant muted', suspended: 'Claimant suspended', banned: 'Claimant banned' }

type WaitingCardProps = { claim: WaitingClaim; onDecided: () => void }

function WaitingCard({ claim, onDecided }: WaitingCardProps) {
  const { business, claimant, licenses, proves, method, isDispute, owner, statement } = claim
  // A register may list the same number several times.
  const numbers = [
    ...new Set(
      licenses.flatMap(({ licenseNumber, authority }) => (licenseNumber ? [[licenseNumber, authority].filter(Boolean).join(', ')] : [])),
    ),
  ]
  return (
    <ReviewCard
      label={proves ? `License for ${business.name}` : `Claim on ${business.name}`}
      business={business}
      subtitle={[business.address, business.location].filter(Boolean).join(', ')}
      createdAt={claim.createdAt}
      badges={
        <>
          {isDispute && <Badge variant="clay">Dispute</Badge>}
          {proves && <Badge variant="leaf">License proof</Badge>}
          {!claim.isEmailConfirmed && <Badge variant="clay">Email not confirmed</Badge>}
          {claim.accountStatus && <Badge variant="clay">{statuses[claim.accountStatus]}</Badge>}
          <Badge variant="outline">{method === 'phone' ? 'Call' : 'Review'}</Badge>
        </>
      }
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5 text-sm">
        <Fact name={proves ? 'Requested by' : 'Claimed by'}>
          <Link to="/people/$id" params={{ id: claimant.id }} className={textLink}>
            {claimant.name}
          </Link>
          , joined <Ago at={claim.memberSince} />
        </Fact>
        {owner && !proves && <Fact name="Owned by">{owner.name}</Fact>}
        {proves ? (
          <Fact name="License">
            {proves.licenseNumber}, {proves.licenseName}, {stateName(proves.state)}
          </Fact>
        ) : (
          <Fact name={numbers.length > 1 ? 'Licenses' : 'License'}>{numbers.join(' · ') || 'None in the register'}</Fact>
        )}
        {business.website && <Fact name="Website">{business.website}</Fact>}
      </dl>
      {claim.phone && claim.code && (
        <CallBox phone={claim.phone} code={claim.code} attemptsLeft={claim.attemptsLeft} until={claim.codeExpiresAt} />
      )}
      {statement && <blockquote className="border-line border-l-2 pl-4 wrap-anywhere whitespace-pre-line">{statement}</blockquote>}
      {claim.document?.documentUrl && (
        <p className="text-sm">
          <a href={claim.document.documentUrl} target="_blank" rel="noreferrer" className={textLink}>
            Open the document
          </a>{' '}
          <span className="text-muted">
            (PDF
            {claim.document.pageCount !== null && `, ${counted(claim.document.pageCount, 'page')}`})
          </span>
        </p>
      )}
      <Decision claim={claim} onDecided={onDecided} />
    </ReviewCard>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="font-normal! text-muted">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
)

type CallBoxProps = { phone: string; code: string; attemptsLeft: number; until: string | null }
const day = localDateFormat({ month: 'long', day: 'numeric' })

function CallBox({ phone, code, attemptsLeft, until }: CallBoxProps) {
  return (
    <div className="grid gap-3 rounded-input bg-sunk p-4 sm:grid-cols-[auto_auto_minmax(0,1fr)] sm:items-center sm:gap-x-8">
      <p>
        <span className="block text-muted text-sm">Call</span>
        <a href={phoneLink(phone)} className={`${textLink} font-semibold text-lg whitespace-nowrap`}>
          {phone}
        </a>
      </p>
      <p>
        <span className="block text-muted text-sm">Read out</span>
        <span className="font-mono text-xl tracking-[0.15em] tabular-nums">{code}</span>
      </p>
      <p className="text-muted text-sm">
        Read it only to someone who answers at this number, never to someone who calls you. {attemptsLeft}{' '}
        {attemptsLeft === 1 ? 'try' : 'tries'} left
        {until && `, until ${day.format(new Date(until))}`}.
      </p>
    </div>
  )
}

function Decision({ claim, onDecided }: WaitingCardProps) {
  const client = useQueryClient()
  const { business, claimant, proves, method, isDispute } = claim
  const params = { id: claim.id }
  return (
    <ReviewDecision
      name={business.name}
      approve={
        method === 'review'
          ? {
              title: `Make ${claimant.name} the owner of ${business.name}?`,
              words: isDispute
                ? 'They’ll control its page, menu and posts, and everyone on its current team will be removed. We’ll email everyone involved.'
                : 'They’ll control its page, menu and posts. We’ll email them.',
              isDanger: isDispute,
              async send() {
                await call(approveClaim, { params })
                return 'Claim approved'
              },
            }
          : null
      }
      reject={{
        title: proves ? `Reject the request to prove license ${proves.licenseNumber} by phone?` : `Reject the claim on ${business.name}?`,
        hint: `We’ll email it to ${claimant.name}.`,
        done: 'Claim rejected',
        send: (reason) => call(rejectClaim, { params, body: { reason } }),
      }}
      refresh={() => refreshClaimQueue(client)}
      onDecided={onDecided}
    />
  )
}
