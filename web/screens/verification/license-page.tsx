import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, Clock, ShieldCheck, ShieldQuestion } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { MyBusiness } from '#contracts/businesses.ts'
import { requestVerification, withdrawVerification } from '#contracts/calls/verification.ts'
import { licenseDay } from '#contracts/time.ts'
import type { LicenseState, RegisterLicense, Verification } from '#contracts/verification.ts'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import { LicensePanel, VerifiedLicense } from '#web/entities/businesses/license-panel.tsx'
import { longDate } from '#web/entities/businesses/license-words.ts'
import { licenseStateOptions, refreshLicense } from '#web/entities/verification/verification.api.ts'
import { differenceSentence, expirySentence, requestedWords, statusWords } from '#web/entities/verification/verification-words.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted, possessive } from '#web/lib/format.ts'
import { daysBetween } from '#web/lib/time-words.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { LoadError } from '#web/ui/error-state.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { useRefocus } from '#web/ui/focus.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { Progress } from '#web/ui/progress.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { LicenseForm } from './license-form.tsx'

type LicensedBusiness = Pick<MyBusiness, 'id' | 'name' | 'slug' | 'role'>

type LicensePageProps = {
  business: LicensedBusiness
  proof: (request: Verification) => ReactNode
}

export function LicensePage({ business, proof }: LicensePageProps) {
  const { data, error, refetch, isFetching } = useQuery(licenseStateOptions(business.id))
  const { data: page } = useQuery(businessOptions(business.slug))
  const [wantsForm, setWantsForm] = useState(false)
  if (!data) {
    if (!error) return <LicenseSkeleton />
    return <LoadError title="The license couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  const { shown, pending, linked, history } = data
  const verifiedNumber = shown.status === 'verified' ? shown.licenseNumber : null
  const isOpen = pending === null
  // A business that stated the expiration date also has to state the renewed one.
  const isPressEnough = linked.length > 0 && !(shown.status === 'expired' && shown.expirySource === 'business')
  const hasForm = isOpen && (verifiedNumber !== null || !isPressEnough || wantsForm)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem] lg:gap-8">
      <div className="grid min-w-0 gap-6">
        <Status state={data} />
        {pending && pending.document === null && proof(pending)}
        {pending && <Pending request={pending} />}
        {isOpen && isPressEnough && (
          <Section
            title="In the register"
            text={
              verifiedNumber
                ? `The register lists these for ${business.name}. Your page shows one as verified.`
                : `The register lists this for ${business.name}.`
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
                    : 'Verify your license'
            }
            text={
              verifiedNumber
                ? 'A new verification will replace this one. Until then, nothing changes.'
                : 'We’ll check it against the public register. If it matches, prove that it’s yours: enter a code that we send to the contact in the register, or upload the license.'
            }
          >
            <LicenseForm key={history[0]?.id ?? ''} businessId={business.id} suggestion={data.suggestion} />
          </Section>
        )}
      </div>
      <div className="grid min-w-0 gap-6">
        <Section title="What everyone sees" text={`On ${possessive(business.name)} page, under License.`}>
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

const countdownDays = 90

function Status({ state: { shown, pending, history } }: { state: LicenseState }) {
  const heading = useRefocus<HTMLHeadingElement>(`${shown.status} ${shown.licenseNumber} ${pending?.id}`)
  const today = licenseDay(new Date())
  const isVerified = shown.status === 'verified'
  const isOver = shown.status === 'expired' || shown.status === 'revoked'
  const daysLeft = isVerified && shown.expiresOn ? daysBetween(today, shown.expiresOn) : null
  const isSoon = daysLeft !== null && daysLeft <= 60
  const Icon = isVerified ? ShieldCheck : isOver ? CircleAlert : ShieldQuestion
  const isUnproven = shown.status === 'none' && history[0]?.status === 'unproven'
  const title = {
    none: isUnproven ? 'Your license needs one more step' : 'Not verified yet',
    verified: 'Your license is verified',
    expired: 'Your license has expired',
    revoked: 'Your license is no longer verified',
  }[shown.status]
  const text = {
    none: isUnproven
      ? 'Prove that you control it. A match with the public register is no longer enough, because anyone can read the register.'
      : 'A verified license shows people that they can trust this page. Verification is free.',
    verified: expirySentence(shown.expiresOn, today),
    expired: `${expirySentence(shown.expiresOn, today)}. Your page no longer shows it as verified. Renew it below.`,
    revoked: shown.reason ?? 'It no longer matches the register.',
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
                ? 'We check it against the register every day, and email the owner and managers 60, 30 and 7 days before it expires.'
                : 'We check it against the register every day. The register doesn’t list an expiration date. Add it below, and we’ll remind you in time.'}
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
      toast({ title: 'Request withdrawn' })
      await refreshLicense(client)
    },
    onError: (error) => toast({ title: 'The request wasn’t withdrawn', description: messageOf(error), variant: 'destructive' }),
  })
  const { document } = request
  return (
    <Card asChild>
      <section aria-label="Request">
        <CardBody className="grid gap-4">
          <div className="flex items-start gap-3">
            <Clock aria-hidden="true" className="mt-1 size-5 shrink-0 text-muted" />
            <div className="min-w-0">
              <h2 className="text-xl">{document ? 'We’re reviewing your license' : 'Your request'}</h2>
              <p className="mt-1 text-muted text-sm">
                You sent it <Ago at={request.createdAt} />.{' '}
                {document ? 'Two members of our team will decide, and we’ll email you.' : 'We still need your proof.'}
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
                  PDF, {counted(document.pageCount ?? 0, 'page')}
                </a>
              </Fact>
            )}
          </Facts>
          <Button
            variant="secondary"
            className="justify-self-start"
            onClick={() => withdraw.mutate()}
            pending={withdraw.isPending}
            pendingText="Withdrawing..."
          >
            Withdraw request
          </Button>
        </CardBody>
      </section>
    </Card>
  )
}

/** The badge requires both a verified license and a plan. */
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
      The gold badge requires a verified license and a plan that includes it.{' '}
      {shown.status === 'verified' && business.role === 'owner' && (
        <Link to="/billing" search={{ business: business.slug }} className={textLink}>
          See the plans
        </Link>
      )}
    </p>
  )
}

const basisWords = { register: 'matched the register', code: 'proven by a code', document: 'proven by a document' } as const

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
            {each.basis && ` · ${basisWords[each.basis]}`}
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

type LinkedLicensesProps = { businessId: string; licenses: readonly RegisterLicense[]; verifiedNumber: string | null }

function LinkedLicenses({ businessId, licenses, verifiedNumber }: LinkedLicensesProps) {
  return (
    <ul className="grid gap-3">
      {licenses.map((license) => (
        <li key={license.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-input border border-line p-4">
          <div className="min-w-0 flex-1 basis-56">
            <p className="font-medium wrap-anywhere">{license.licenseNumber}</p>
            <p className="text-muted text-sm wrap-anywhere">
              {[license.businessName, license.licenseType ?? businessTypeLabels[license.businessType]].join(' · ')}
            </p>
          </div>
          <LicenseStatus
            license={license}
            businessId={businessId}
            isVerified={license.licenseNumber === verifiedNumber}
            replaces={verifiedNumber !== null}
          />
        </li>
      ))}
    </ul>
  )
}

type LicenseStatusProps = {
  license: RegisterLicense
  businessId: string
  isVerified: boolean
  /** True if another license is verified and would be replaced. */
  replaces: boolean
}

function LicenseStatus({ license, businessId, isVerified, replaces }: LicenseStatusProps) {
  const client = useQueryClient()
  const { licenseNumber, state, businessName, businessType, standing, status } = license
  const verify = useMutation({
    mutationFn: () =>
      call(requestVerification, {
        params: { id: businessId },
        body: { licenseNumber: licenseNumber ?? '', state, licenseName: businessName, businessType },
      }),
    onSuccess: async (verification) => {
      toast(requestedWords(verification))
      await refreshLicense(client)
    },
    onError: (error) => toast({ title: 'The license wasn’t verified', description: messageOf(error), variant: 'destructive' }),
  })
  if (isVerified) return <Badge variant="leaf">Verified</Badge>
  if (standing !== 'listed')
    return <Badge variant="clay">{standing === 'missing' ? 'No longer in the register' : (status ?? 'Not active')}</Badge>
  return (
    <Button
      size="sm"
      variant={replaces ? 'secondary' : 'primary'}
      onClick={() => verify.mutate()}
      pending={verify.isPending}
      pendingText="Checking..."
    >
      {replaces ? 'Use this one instead' : 'Verify'}
      <span className="sr-only"> {licenseNumber}</span>
    </Button>
  )
}
