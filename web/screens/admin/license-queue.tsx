import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { getWaiting } from '#contracts/admin.ts'
import { businessTypeLabels } from '#contracts/business-types.ts'
import { approvalsNeeded, approveVerification, rejectVerification, type WaitingVerification } from '#contracts/verification.ts'
import { registerSentence } from '#web/entities/businesses/license-words.ts'
import { waitingVerificationsOptions } from '#web/entities/verification/verification.api.ts'
import { differenceSentence, sideBySide } from '#web/entities/verification/verification-words.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { stateName } from '#web/lib/state-names.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { toast } from '#web/ui/toast-store.ts'

/** For moderators: licenses with documents to review, oldest first. */
export function LicenseQueue() {
  const list = useInfiniteQuery(waitingVerificationsOptions)
  const start = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <h3 ref={start} tabIndex={-1} className="sr-only">
        Pending, oldest first
      </h3>
      <PagedList
        list={list}
        loadingLabel="Loading licenses..."
        skeleton={<Skeleton className="h-72 rounded-card" />}
        failure="The licenses could not be loaded"
        empty={
          <EmptyState level={3} title="No pending licenses" description="Licenses with a document to review appear here, oldest first." />
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
  /** Called before the card may leave the list, to move the focus. */
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
                    {' · requested by '}
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
            {register ? `${registerSentence(register)} Status: ${register.status ?? 'not listed'}.` : 'The register has no matching entry.'}
          </p>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            {document?.documentUrl ? (
              <Button asChild variant="secondary" size="sm">
                <a href={document.documentUrl} download>
                  Open the document ({document.pageCount === 1 ? '1 page' : `${document.pageCount} pages`})
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
        </CardBody>
      </article>
    </Card>
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

type LicenseDecisionProps = {
  request: WaitingVerification
  /** Called to refetch the list, which the decided request has left. */
  onDecided: () => void
}

/** Approve or reject with a reason. Approval takes two people, rejection one. */
function LicenseDecision({ request, onDecided }: LicenseDecisionProps) {
  const { verification, business, approvals, mayApprove, mayReject, holder } = request
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(null)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const reload = () =>
    Promise.all([waitingVerificationsOptions.queryKey, [getWaiting.path]].map((queryKey) => client.invalidateQueries({ queryKey })))
  const onError = (error: Error) => {
    setDialog(null)
    toast({ title: 'Nothing was decided', description: messageOf(error), variant: 'destructive' })
    void reload()
  }
  const params = { id: verification.id }
  const approve = useMutation({
    mutationFn: () => call(approveVerification, { params }),
    onSuccess: async ({ isVerified }) => {
      setDialog(null)
      toast({ title: isVerified ? 'License verified' : 'Approved: one more approval needed', description: business.name })
      await reload()
      onDecided()
    },
    onError,
  })
  const reject = useMutation({
    mutationFn: () => call(rejectVerification, { params, body: { reason } }),
    onSuccess: async () => {
      setDialog(null)
      toast({ title: 'License rejected', description: business.name })
      await reload()
      onDecided()
    },
    onError,
  })

  function sendReason(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (reason.trim() === '') {
      event.currentTarget.querySelector('textarea')?.focus()
      return setMissing(true)
    }
    if (!reject.isPending) reject.mutate()
  }

  if (!mayReject) return <p className="text-muted text-sm">You’re on this business’s team, so others decide.</p>
  const isLast = approvals.length === approvalsNeeded - 1
  const formId = `reject-${verification.id}`
  return (
    <div className="flex flex-wrap items-center gap-3">
      {mayApprove ? (
        <Button onClick={() => setDialog('approve')}>Approve</Button>
      ) : (
        <p className="text-muted text-sm">You approved it. Someone else must approve it, too.</p>
      )}
      <Button variant="secondary" onClick={() => setDialog('reject')}>
        Reject
      </Button>
      <Dialog open={dialog === 'approve'} onOpenChange={(open) => setDialog(open ? 'approve' : null)}>
        <DialogContent
          title={`Approve the license of ${business.name}?`}
          actions={
            <>
              <DialogCancel />
              <Button onClick={() => approve.mutate()} pending={approve.isPending} pendingText="Approving...">
                Approve
              </Button>
            </>
          }
        >
          <p className="text-muted">
            {isLast
              ? `You’re the second to approve. Its page shows the license as verified right away.${holder?.isVerified ? ` ${holder.name} loses it.` : ''}`
              : 'You’re the first of two. Nothing changes until someone else approves it, too.'}
          </p>
        </DialogContent>
      </Dialog>
      <Dialog open={dialog === 'reject'} onOpenChange={(open) => setDialog(open ? 'reject' : null)}>
        <DialogContent
          title={`Reject the license of ${business.name}?`}
          actions={
            <>
              <DialogCancel />
              <Button type="submit" form={formId} variant="danger" pending={reject.isPending} pendingText="Rejecting...">
                Reject
              </Button>
            </>
          }
        >
          <form id={formId} noValidate onSubmit={sendReason}>
            <Field label="Reason" hint="We’ll email it to the owner and managers." error={missing && 'Enter a reason'}>
              <Textarea
                rows={4}
                maxLength={500}
                value={reason}
                onChange={(event) => {
                  setReason(event.target.value)
                  setMissing(false)
                }}
              />
            </Field>
          </form>
        </DialogContent>
      </Dialog>
    </div>
  )
}
