import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { businessTypeLabels } from '#contracts/business-types.ts'
import { approveVerification, rejectVerification } from '#contracts/calls/verification.ts'
import { approvalsNeeded } from '#contracts/limits.ts'
import type { WaitingVerification } from '#contracts/verification.ts'
import { registerSentence } from '#web/entities/businesses/license-words.ts'
import { refreshLicenseQueue, waitingVerificationsOptions } from '#web/entities/verification/verification.api.ts'
import { differenceSentence, sideBySide } from '#web/entities/verification/verification-words.ts'
import { call } from '#web/lib/call.ts'
import { counted, possessive } from '#web/lib/format.ts'
import { stateName } from '#web/lib/state-names.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { ReviewCard, ReviewDecision, ReviewQueue } from './review-queue.tsx'

export function LicenseQueue() {
  const list = useInfiniteQuery(waitingVerificationsOptions)
  return (
    <ReviewQueue
      list={list}
      what="licenses"
      empty="Licenses with a document to review appear here, oldest first."
      idOf={({ verification }) => verification.id}
    >
      {(request, onDecided) => <WaitingCard request={request} onDecided={onDecided} />}
    </ReviewQueue>
  )
}

type WaitingCardProps = { request: WaitingVerification; onDecided: () => void }

function WaitingCard({ request, onDecided }: WaitingCardProps) {
  const { verification, business, requestedBy, register, holder, approvals } = request
  const { document, differences } = verification
  return (
    <ReviewCard
      label={`License for ${business.name}`}
      business={business}
      subtitle={
        <>
          {[businessTypeLabels[business.type], business.location].filter(Boolean).join(' · ')}
          {requestedBy && (
            <>
              {' · requested by '}
              <Link to="/people/$id" params={{ id: requestedBy.id }} className={textLink}>
                {requestedBy.name}
              </Link>
            </>
          )}
        </>
      }
      createdAt={verification.createdAt}
      badges={
        <>
          {holder && <Badge variant="clay">Dispute</Badge>}
          <Badge variant={approvals.length > 0 ? 'leaf' : 'outline'}>
            {approvals.length} of {approvalsNeeded} approved
          </Badge>
        </>
      }
    >
      <ul className="grid gap-1.5 text-sm">
        {differences.map((each) => (
          <li key={each} className="border-clay border-l-2 pl-3">
            {differenceSentence[each]}
            {holder && ((each === 'holder' && holder.isVerified) || (each === 'listing' && !holder.isVerified)) && (
              <>
                {' '}
                <Link to="/business/$id" params={{ id: holder.slug }} className={textLink}>
                  {holder.name}
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
      <Comparison request={request} />
      <p className="text-muted text-sm">
        {register ? `${registerSentence(register)} Status: ${register.status ?? 'not listed'}.` : 'The register has no matching entry.'}
      </p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        {document?.documentUrl ? (
          <Button asChild variant="secondary" size="sm">
            <a href={document.documentUrl} download>
              Download the document ({counted(document.pageCount ?? 0, 'page')})
            </a>
          </Button>
        ) : (
          <p className="text-clay text-sm">The document was deleted.</p>
        )}
        {approvals.length > 0 && (
          <p className="text-muted text-sm">
            Approved by {approvals.map(({ person }) => person.name).join(', ')} <Ago at={approvals[0]?.approvedAt ?? ''} />
          </p>
        )}
      </div>
      <LicenseDecision request={request} onDecided={onDecided} />
    </ReviewCard>
  )
}

function Comparison({ request }: { request: WaitingVerification }) {
  const rows = sideBySide(request, { type: (type) => businessTypeLabels[type], state: stateName })
  return (
    <table className="w-full text-left text-sm">
      <caption className="sr-only">License details from the business and the register</caption>
      <thead>
        <tr className="border-line border-b text-muted">
          <th scope="col" className="py-2 pr-4 font-normal">
            <span className="sr-only">Field</span>
          </th>
          <th scope="col" className="py-2 pr-4 font-normal">
            Entered
          </th>
          <th scope="col" className="py-2 font-normal">
            Register
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, stated, register, differs }) => (
          <tr key={name} className="border-line not-last:border-b align-top">
            <th scope="row" className="w-18 py-2 pr-3 font-normal text-muted">
              {name}
            </th>
            <td className="py-2 pr-4 wrap-anywhere">{stated}</td>
            <td className={differs ? 'py-2 font-medium text-clay wrap-anywhere' : 'py-2 wrap-anywhere'}>
              {register ?? 'Nothing'}
              {differs && register && <span className="sr-only"> (differs)</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Approval takes two people, rejection one. */
function LicenseDecision({ request, onDecided }: WaitingCardProps) {
  const { verification, business, approvals, mayApprove, mayReject, holder } = request
  const client = useQueryClient()
  if (!mayReject)
    return <p className="text-muted text-sm">You are or were on the team of a business involved, so someone else must decide.</p>
  const params = { id: verification.id }
  const isLast = approvals.length === approvalsNeeded - 1
  return (
    <ReviewDecision
      name={business.name}
      approve={
        mayApprove
          ? {
              title: `Approve ${possessive(business.name)} license?`,
              words: isLast
                ? `You’re the second to approve. Its page will show the license as verified right away.${holder?.isVerified ? ` ${holder.name} will lose it.` : ''}`
                : 'You’re the first of two. Nothing changes until a second person approves it.',
              async send() {
                const { isVerified } = await call(approveVerification, { params })
                return isVerified ? 'License verified' : 'Approved: one more approval needed'
              },
            }
          : null
      }
      {...(!mayApprove && { note: 'You approved this license. A second person must approve it, too.' })}
      reject={{
        title: `Reject ${possessive(business.name)} license?`,
        hint: 'We’ll email it to the owner and managers.',
        done: 'License rejected',
        send: (reason) => call(rejectVerification, { params, body: { reason } }),
      }}
      refresh={() => refreshLicenseQueue(client)}
      onDecided={onDecided}
    />
  )
}
