import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { businessTypeLabels } from '../../../contracts/business-types.ts'
import { approvalsNeeded, type WaitingVerification } from '../../../contracts/verification.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { PagedList } from '../../ui/paged-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { registerSentence } from '../businesses/license-words.ts'
import { stateName } from '../businesses/state-names.ts'
import { LicenseDecision } from './license-decision.tsx'
import { waitingVerificationsOptions } from './verification.api.ts'
import { differenceSentence, sideBySide } from './verification-words.ts'

/** For moderators: licenses with a document to review. The oldest first. */
export function LicenseQueue() {
  const list = useInfiniteQuery(waitingVerificationsOptions)
  const start = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <h3 ref={start} tabIndex={-1} className="sr-only">
        Waiting, the oldest first
      </h3>
      <PagedList
        list={list}
        loadingLabel="Loading licenses..."
        skeleton={<Skeleton className="h-72 rounded-card" />}
        failure="The licenses could not be loaded"
        empty={
          <EmptyState
            level={3}
            title="No license is waiting"
            description="Licenses with a document to review will be here, the oldest first."
          />
        }
      >
        {(requests) => (
          <ul className="grid gap-4">
            {requests.map((request) => (
              <li key={request.verification.id}>
                <WaitingCard request={request} onDecided={() => start.current?.focus()} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  )
}

type WaitingCardProps = {
  request: WaitingVerification
  /** The card may be about to leave the list, and the focus with it. */
  onDecided: () => void
}

function WaitingCard({ request, onDecided }: WaitingCardProps) {
  const { verification, business, requestedBy, register, holder, approvals } = request
  const { document, differences } = verification
  return (
    <Card asChild>
      <article aria-label={`License of ${business.name}`}>
        <CardBody className="grid gap-4">
          <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
            <div className="min-w-0">
              <h3 className="text-lg wrap-anywhere">
                <Link
                  to="/business/$id"
                  params={{ id: business.slug }}
                  className="touch-target rounded-tag hover:underline hover:underline-offset-3"
                >
                  {business.name}
                </Link>
              </h3>
              <p className="text-muted text-sm">
                {[businessTypeLabels[business.type], business.location].filter(Boolean).join(' · ')}
                {requestedBy && (
                  <>
                    {' · asked by '}
                    <Link to="/people/$id" params={{ id: requestedBy.id }} className={textLink}>
                      {requestedBy.name}
                    </Link>
                  </>
                )}
              </p>
            </div>
            <div className="flex flex-wrap items-center gap-2 text-sm">
              {holder && <Badge variant="clay">Dispute</Badge>}
              <Badge variant={approvals.length > 0 ? 'leaf' : 'outline'}>
                {approvals.length} of {approvalsNeeded} approved
              </Badge>
              <Ago at={verification.createdAt} className="text-muted" />
            </div>
          </header>
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
            {register
              ? `${registerSentence(register)} Status there: ${register.status ?? 'none stated'}.`
              : 'The register has no such row.'}
          </p>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            {document?.documentUrl ? (
              <Button asChild variant="secondary" size="sm">
                <a href={document.documentUrl} download>
                  Open the document ({document.pageCount === 1 ? '1 page' : `${document.pageCount} pages`})
                </a>
              </Button>
            ) : (
              <p className="text-clay text-sm">The document is gone.</p>
            )}
            {approvals.length > 0 && (
              <p className="text-muted text-sm">
                Approved by {approvals.map(({ person }) => person.name).join(', ')} <Ago at={approvals[0]?.approvedAt ?? ''} />
              </p>
            )}
          </div>
          <LicenseDecision request={request} onDecided={onDecided} />
        </CardBody>
      </article>
    </Card>
  )
}

function Comparison({ request }: { request: WaitingVerification }) {
  const rows = sideBySide(request, { type: (type) => businessTypeLabels[type], state: stateName })
  return (
    <table className="w-full text-left text-sm">
      <caption className="sr-only">What the business states, and what the register has</caption>
      <thead>
        <tr className="border-line border-b text-muted">
          <th scope="col" className="py-2 pr-4 font-normal">
            <span className="sr-only">What</span>
          </th>
          <th scope="col" className="py-2 pr-4 font-normal">
            Stated
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
