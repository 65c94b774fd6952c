import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, Clock, ShieldCheck, ShieldQuestion } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { utcDate } from '../../../contracts/age.ts'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { approvalsNeeded, type LicenseState, type Verification, withdrawVerification } from '../../../contracts/verification.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useRefocus } from '../../ui/use-refocus.ts'
import { businessOptions } from '../businesses/businesses.api.ts'
import { LicensePanel } from '../businesses/license-panel.tsx'
import { longDate } from '../businesses/license-words.ts'
import { VerifiedLicense } from '../businesses/verified-license.tsx'
import { LicenseForm } from './license-form.tsx'
import { LinkedLicenses } from './linked-licenses.tsx'
import { licenseStateOptions, refreshLicense } from './verification.api.ts'
import { daysUntil, differenceSentence, expirySentence, statusWords } from './verification-words.ts'

type LicensedBusiness = Pick<MyBusiness, 'id' | 'name' | 'slug' | 'role'>

/** How the license of a business stands, and what to do about it. */
export function LicensePage({ business }: { business: LicensedBusiness }) {
  const { data, error, refetch, isFetching } = useQuery(licenseStateOptions(business.id))
  const { data: page } = useQuery(businessOptions(business.slug))
  const [wantsForm, setWantsForm] = useState(false)
  if (!data) {
    if (!error) return <LicenseSkeleton />
    return (
      <ErrorState
        title="The license could not be loaded"
        description={messageOf(error)}
        onRetry={() => void refetch()}
        pending={isFetching}
      />
    )
  }
  const { shown, pending, linked, history } = data
  const verifiedNumber = shown.status === 'verified' ? shown.licenseNumber : null
  const isOpen = pending === null
  // Who said when it ends has to say when the renewed one does.
  const isPressEnough = linked.length > 0 && !(shown.status === 'expired' && shown.expirySource === 'business')
  const hasForm = isOpen && (verifiedNumber !== null || !isPressEnough || wantsForm)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem] lg:gap-8">
      <div className="grid min-w-0 gap-6">
        <Status state={data} />
        {pending && <Pending request={pending} />}
        {isOpen && isPressEnough && (
          <Section
            title="In the register"
            text={
              verifiedNumber
                ? `What the register has for ${business.name}. Your page shows one as verified.`
                : `The register has this for ${business.name}. One press is enough.`
            }
          >
            <LinkedLicenses businessId={business.id} licenses={linked} verifiedNumber={verifiedNumber} />
          </Section>
        )}
        {isOpen && !hasForm && (
          <Button variant="secondary" className="justify-self-start" onClick={() => setWantsForm(true)}>
            Verify another license
          </Button>
        )}
        {hasForm && (
          <Section
            title={
              verifiedNumber
                ? 'Renew, or use another license'
                : isPressEnough
                  ? 'Another license'
                  : shown.status === 'expired'
                    ? 'Renew'
                    : 'Have your license verified'
            }
            text={
              verifiedNumber
                ? 'A new verification takes the place of this one; until then nothing changes.'
                : 'We hold it against the public register. Where that says the same, it is verified at once.'
            }
          >
            <LicenseForm key={history[0]?.id ?? ''} businessId={business.id} suggestion={data.suggestion} />
          </Section>
        )}
      </div>
      <div className="grid min-w-0 gap-6">
        <Section title="What everybody sees" text={`On the page of ${business.name}, under License.`}>
          {page ? <LicensePanel business={page} /> : <VerifiedLicense verification={shown} />}
          <BadgeNote state={data} business={business} />
        </Section>
        {history.length > 0 && (
          <Section title="History">
            <History verifications={history} />
          </Section>
        )}
      </div>
    </div>
  )
}

function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <Card asChild>
      <section aria-label={title}>
        <CardBody className="grid gap-4">
          <div>
            <h2 className="text-xl">{title}</h2>
            {text && <p className="mt-1 text-muted text-sm">{text}</p>}
          </div>
          {children}
        </CardBody>
      </section>
    </Card>
  )
}

/** A quarter of a year before it ends the bar begins to move. */
const countdownDays = 90

function Status({ state: { shown, pending } }: { state: LicenseState }) {
  const heading = useRefocus<HTMLHeadingElement>(`${shown.status} ${shown.licenseNumber} ${pending?.id}`)
  const today = utcDate(new Date())
  const isVerified = shown.status === 'verified'
  const isOver = shown.status === 'expired' || shown.status === 'revoked'
  const daysLeft = isVerified && shown.expiresOn ? daysUntil(shown.expiresOn, today) : null
  const isSoon = daysLeft !== null && daysLeft <= 60
  const Icon = isVerified ? ShieldCheck : isOver ? CircleAlert : ShieldQuestion
  const title = {
    none: 'Not verified yet',
    verified: 'Your license is verified',
    expired: 'Your license has expired',
    revoked: 'Your license is not verified any more',
  }[shown.status]
  const text = {
    none: 'A verified license tells people that they can trust what they find here. It is free.',
    verified: expirySentence(shown.expiresOn, today),
    expired: `${expirySentence(shown.expiresOn, today)}. Your page does not show it as verified any more. Renew it below.`,
    revoked: shown.reason ?? 'The register says otherwise now.',
  }[shown.status]
  return (
    <Card asChild>
      <section aria-label="Status">
        <CardBody className="grid gap-4 sm:p-6">
          <div className="flex items-start gap-4">
            <span
              className={cx(
                'grid size-12 shrink-0 place-items-center rounded-full',
                isVerified ? 'bg-leaf-soft text-leaf' : isOver ? 'bg-clay-soft text-clay' : 'bg-sunk text-muted',
              )}
            >
              <Icon aria-hidden="true" className="size-6" />
            </span>
            <div className="min-w-0">
              <h2 ref={heading} tabIndex={-1} className="scroll-mt-24 text-xl">
                {title}
              </h2>
              <p className={cx('mt-1', isSoon ? 'font-medium text-clay' : 'text-muted')}>{text}</p>
            </div>
          </div>
          {daysLeft !== null && daysLeft <= countdownDays && (
            <Progress label="Days left" value={Math.max(0, daysLeft)} max={countdownDays} />
          )}
          {isVerified && (
            <p className="text-muted text-sm">
              {shown.expiresOn
                ? 'We hold it against the register every day, and mail the owner and managers 60, 30 and 7 days before it expires.'
                : 'We hold it against the register every day. Nobody states when it expires; tell us the day below, and we remind you in time.'}
            </p>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

function Pending({ request }: { request: Verification }) {
  const client = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => call(withdrawVerification, { params: { id: request.id } }),
    onSuccess: async () => {
      toast({ title: 'Taken back' })
      await refreshLicense(client)
    },
    onError: (error) => toast({ title: 'The request was not taken back', description: messageOf(error), variant: 'destructive' }),
  })
  const { document } = request
  return (
    <Card asChild>
      <section aria-label="Request">
        <CardBody className="grid gap-4">
          <div className="flex items-start gap-3">
            <Clock aria-hidden="true" className="mt-1 size-5 shrink-0 text-muted" />
            <div className="min-w-0">
              <h2 className="text-xl">We are looking into it</h2>
              <p className="mt-1 text-muted text-sm">
                You sent it <Ago at={request.createdAt} />. {approvalsNeeded === 2 ? 'Two' : approvalsNeeded} of us decide, and we mail you.
              </p>
            </div>
          </div>
          <ul className="grid gap-1.5 text-sm">
            {request.differences.map((each) => (
              <li key={each} className="border-line border-l-2 pl-3">
                {differenceSentence[each]}
              </li>
            ))}
          </ul>
          <Facts>
            <Fact name="Number">{request.licenseNumber}</Fact>
            <Fact name="Name">{request.licenseName}</Fact>
            {document?.documentUrl && (
              <Fact name="Document">
                <a href={document.documentUrl} className={textLink} download>
                  PDF, {document.pageCount === 1 ? '1 page' : `${document.pageCount} pages`}
                </a>
              </Fact>
            )}
          </Facts>
          <Button
            variant="secondary"
            className="justify-self-start"
            onClick={() => withdraw.mutate()}
            pending={withdraw.isPending}
            pendingText="Taking it back..."
          >
            Take it back
          </Button>
        </CardBody>
      </section>
    </Card>
  )
}

/** Money alone never buys the badge, and a license alone does not bring it either. */
function BadgeNote({ state: { hasVerifiedBadge, shown }, business }: { state: LicenseState; business: LicensedBusiness }) {
  if (hasVerifiedBadge) {
    return (
      <p className="flex flex-wrap items-center gap-2 border-line border-t pt-4 text-muted text-sm">
        <Badge variant="verified">Verified</Badge> The gold badge is on your page and cards.
      </p>
    )
  }
  return (
    <p className="border-line border-t pt-4 text-muted text-sm">
      The gold badge on your page and cards comes with a plan that has it and a verified license, both together.{' '}
      {shown.status === 'verified' && business.role === 'owner' && (
        <Link to="/billing" search={{ business: business.slug }} className={textLink}>
          See the plans
        </Link>
      )}
    </p>
  )
}

function History({ verifications }: { verifications: readonly Verification[] }) {
  return (
    <ol className="grid gap-4">
      {verifications.map((each) => (
        <li key={each.id} className="grid gap-1 text-sm not-first:border-line not-first:border-t not-first:pt-4">
          <p className="flex flex-wrap items-center justify-between gap-2">
            <span className="font-medium wrap-anywhere">{each.licenseNumber}</span>
            <Badge variant={statusWords[each.status].variant}>{statusWords[each.status].text}</Badge>
          </p>
          <p className="text-muted">
            {longDate((each.endedAt ?? each.verifiedAt ?? each.createdAt).slice(0, 10))}
            {each.basis && ` · ${each.basis === 'register' ? 'by the register' : 'by its document'}`}
          </p>
          {each.reason && <p className="wrap-anywhere">{each.reason}</p>}
        </li>
      ))}
    </ol>
  )
}

const LicenseSkeleton = () => (
  <SkeletonGroup label="Loading the license..." className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem] lg:gap-8">
    <div className="grid gap-6">
      <Skeleton className="h-28 rounded-card" />
      <Skeleton className="h-96 rounded-card" />
    </div>
    <Skeleton className="h-64 rounded-card" />
  </SkeletonGroup>
)
