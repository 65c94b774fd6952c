import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { getWaiting } from '#contracts/admin.ts'
import { approveClaim, rejectClaim, type WaitingClaim } from '#contracts/claims.ts'
import { waitingClaimsOptions } from '#web/entities/claims/claims.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { localDateFormat } from '#web/lib/format.ts'
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

/** For moderators: claims to call about and decide, oldest first. */
export function ClaimQueue() {
  const list = useInfiniteQuery(waitingClaimsOptions)
  const start = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <h3 ref={start} tabIndex={-1} className="sr-only">
        Pending, oldest first
      </h3>
      <PagedList
        list={list}
        loadingLabel="Loading claims..."
        skeleton={<Skeleton className="h-52 rounded-card" />}
        failure="The claims could not be loaded"
        empty={
          <EmptyState
            level={3}
            title="No pending claims"
            description="Claims that need a call or a review appear here. Claims proven by an emailed code need neither, and you never see your own."
          />
        }
      >
        {(claims) => (
          <ul className="grid gap-4">
            {claims.map((claim) => (
              <li key={claim.id}>
                <WaitingCard claim={claim} onDecided={() => start.current?.focus()} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  )
}

type WaitingCardProps = {
  claim: WaitingClaim
  /** Called before the card leaves the list, to move the focus. */
  onDecided: () => void
}

function WaitingCard({ claim, onDecided }: WaitingCardProps) {
  const { business, claimant, licenses, proves, method, isDispute, owner, statement } = claim
  // A register may list a number several times.
  const numbers = [
    ...new Set(
      licenses.flatMap(({ licenseNumber, authority }) => (licenseNumber ? [[licenseNumber, authority].filter(Boolean).join(', ')] : [])),
    ),
  ]
  return (
    <Card asChild>
      <article aria-label={proves ? `License of ${business.name}` : `Claim on ${business.name}`}>
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
              <p className="text-muted text-sm">{[business.address, business.location].filter(Boolean).join(', ')}</p>
            </div>
            <div className="flex flex-wrap items-center gap-2 text-sm">
              {isDispute && <Badge variant="clay">Dispute</Badge>}
              {proves && <Badge variant="leaf">License proof</Badge>}
              <Badge variant="outline">{method === 'phone' ? 'Call' : 'Review'}</Badge>
              <Ago at={claim.createdAt} className="text-muted" />
            </div>
          </header>
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
                {claim.document.pageCount !== null && `, ${claim.document.pageCount} ${claim.document.pageCount === 1 ? 'page' : 'pages'}`})
              </span>
            </p>
          )}
          <Decision claim={claim} onDecided={onDecided} />
        </CardBody>
      </article>
    </Card>
  )
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
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
        <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className={`${textLink} font-semibold text-lg whitespace-nowrap`}>
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
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(null)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const reload = () =>
    Promise.all([waitingClaimsOptions.queryKey, [getWaiting.path]].map((queryKey) => client.invalidateQueries({ queryKey })))
  const done = (title: string) => async () => {
    setDialog(null)
    toast({ title, description: claim.business.name })
    await reload()
    onDecided()
  }
  const onError = (error: Error) => {
    setDialog(null)
    toast({ title: 'Nothing was decided', description: messageOf(error), variant: 'destructive' })
    void reload()
  }
  const params = { id: claim.id }
  const approve = useMutation({ mutationFn: () => call(approveClaim, { params }), onSuccess: done('Claim approved'), onError })
  const reject = useMutation({
    mutationFn: () => call(rejectClaim, { params, body: { reason } }),
    onSuccess: done('Claim rejected'),
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

  const formId = `reject-${claim.id}`
  return (
    <div className="flex flex-wrap gap-3">
      {claim.method === 'review' && <Button onClick={() => setDialog('approve')}>Approve</Button>}
      <Button variant="secondary" onClick={() => setDialog('reject')}>
        Reject
      </Button>
      <Dialog open={dialog === 'approve'} onOpenChange={(open) => setDialog(open ? 'approve' : null)}>
        <DialogContent
          title={`Give ${claim.business.name} to ${claim.claimant.name}?`}
          actions={
            <>
              <DialogCancel />
              <Button
                variant={claim.isDispute ? 'danger' : 'primary'}
                onClick={() => approve.mutate()}
                pending={approve.isPending}
                pendingText="Approving..."
              >
                Approve
              </Button>
            </>
          }
        >
          <p className="text-muted">
            {claim.isDispute
              ? 'They become its owner, and everyone on its current team is removed. We’ll email all of them.'
              : 'They become its owner and control its page, menu and posts. We’ll email them.'}
          </p>
        </DialogContent>
      </Dialog>
      <Dialog open={dialog === 'reject'} onOpenChange={(open) => setDialog(open ? 'reject' : null)}>
        <DialogContent
          title={claim.proves ? `Reject the call to prove ${claim.proves.licenseNumber}?` : `Reject the claim on ${claim.business.name}?`}
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
            <Field label="Reason" hint={`We’ll email it to ${claim.claimant.name}.`} error={missing && 'Enter a reason'}>
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
