import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { MessageSquareText } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import { openClaim } from '#contracts/calls/claims.ts'
import { type Claim, type ClaimMethod, type ClaimOptions, NewClaim } from '#contracts/claims.ts'
import { refreshBusiness, refreshMyBusinesses } from '#web/entities/businesses/businesses.api.ts'
import { cacheClaim, claimIsOver, claimOptions, refreshClaim } from '#web/entities/claims/claims.api.ts'
import { DocumentField } from '#web/entities/verification/document-field.tsx'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { availableMethods, ClaimMethodForm, ClaimNote, ClosedClaim, CodeStep, WithdrawClaim } from './claim-steps.tsx'

export function ClaimScreen({ slug }: { slug: string }) {
  const { data, error, refetch, isFetching } = useQuery(claimOptions(slug))
  if (data) return <View slug={slug} options={data} />
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Frame>
        <EmptyState level={1} title="Business Not Found" description="This listing no longer exists. Search for yours, or register it.">
          <Button asChild>
            <Link to="/business/register" search={{}}>
              Register Business
            </Link>
          </Button>
        </EmptyState>
      </Frame>
    )
  }
  // Accounts created through OpenID may not have a birthday yet.
  if (error instanceof ApiError && error.code === 'birthday_required') {
    return (
      <Frame>
        <EmptyState level={1} title="Create your profile first" description="We need your birthday. Then open the listing and claim it.">
          <Button asChild>
            <Link to="/onboarding">Create your profile</Link>
          </Button>
        </EmptyState>
      </Frame>
    )
  }
  if (error) {
    return (
      <Frame>
        <LoadError level={1} title="The listing couldn’t be loaded" query={{ error, refetch, isFetching }} />
      </Frame>
    )
  }
  return (
    <Frame>
      <SkeletonGroup label="Loading the listing..." className="grid gap-6">
        <Skeleton className="h-9 w-3/5 rounded-full" />
        <Card>
          <CardBody>
            <SkeletonText lines={4} />
          </CardBody>
        </Card>
        <Skeleton className="h-60 rounded-card" />
      </SkeletonGroup>
    </Frame>
  )
}

const Frame = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto grid w-full max-w-feed gap-6 px-4 py-8 sm:px-6 sm:py-12">{children}</div>
)

function View({ slug, options }: { slug: string; options: ClaimOptions }) {
  const { business, isOwned, isOwnTeam, isClosed, claim } = options
  if (isOwnTeam) {
    return (
      <Frame>
        <EmptyState level={1} title={`You run ${business.name}`} description="You can already edit it.">
          <Button asChild>
            <Link to="/business-dashboard" search={{ business: business.slug }}>
              Open the dashboard
            </Link>
          </Button>
        </EmptyState>
      </Frame>
    )
  }
  if (isClosed) {
    return (
      <Frame>
        <EmptyState level={1} title="This business can’t be claimed" description="It’s a fictional business for demonstration.">
          <Button asChild variant="secondary">
            <Link to="/discover">Discover businesses</Link>
          </Button>
        </EmptyState>
      </Frame>
    )
  }
  return (
    <Frame>
      <PageHeader
        title={`Claim ${business.name}`}
        description="Prove that it’s yours. Then you can edit its page and menu and reply to reviews."
      />
      <ClaimedListing options={options} />
      {claim?.status === 'open' ? (
        <Step slug={slug} claim={claim} name={business.name} />
      ) : (
        <>
          {claim && <ClosedClaim claim={claim} />}
          {isOwned && (
            <ClaimNote title="Someone already owns this listing">
              If it’s yours, tell us. We’ll review your claim and contact both of you.
            </ClaimNote>
          )}
          <MethodForm key={claim?.id} slug={slug} options={options} />
        </>
      )}
    </Frame>
  )
}

function Step({ slug, claim, name }: { slug: string; claim: Claim; name: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  if (claim.method === 'review') return <ReviewStep slug={slug} claim={claim} />
  const optionsKey = claimOptions(slug).queryKey
  return (
    <CodeStep
      key={claim.id}
      claim={claim}
      optionsKey={optionsKey}
      onRight={async () => {
        await refreshMyBusinesses(client)
        void refreshBusiness(client, slug)
        await refreshCurrentUser()
        await navigate({ to: '/business-dashboard', search: { business: slug } })
        claimIsOver(client, optionsKey)
        toast({ title: `${name} is yours`, description: 'Edit its page and menu, and invite your team here.' })
      }}
    />
  )
}

function ClaimedListing({ options: { business, licenses } }: { options: ClaimOptions }) {
  return (
    <Card asChild>
      <section aria-label="The listing">
        <CardBody className="grid gap-3">
          <Facts>
            <Fact name="Type">{businessTypeLabels[business.type]}</Fact>
            <Fact name="Location">{[business.address, business.location].filter(Boolean).join(', ')}</Fact>
            <Fact name="License">{licenses.flatMap(({ licenseNumber }) => licenseNumber ?? []).join(', ')}</Fact>
            <Fact name="Authority">{[...new Set(licenses.flatMap(({ authority }) => authority ?? []))].join(', ')}</Fact>
          </Facts>
          <p className="text-sm">
            Not yours?{' '}
            <Link to="/business/register" search={{}} className={textLink}>
              Find or register another
            </Link>
          </p>
        </CardBody>
      </section>
    </Card>
  )
}

function ReviewStep({ slug, claim }: { slug: string; claim: Claim }) {
  return (
    <Card asChild>
      <section aria-labelledby="review">
        <CardBody className="grid gap-4 sm:p-6">
          <div>
            <h2 id="review" className="text-xl">
              We’re reviewing your claim
            </h2>
            <p className="mt-1.5 text-muted">
              You sent it <Ago at={claim.createdAt} />. We’ll email you as soon as we’ve decided.
              {claim.isDispute && ' Someone already owns the listing, so we’re contacting both of you.'}
            </p>
          </div>
          {claim.statement && (
            <blockquote className="border-line border-l-2 pl-4 text-muted wrap-anywhere whitespace-pre-line">{claim.statement}</blockquote>
          )}
          <div className="flex flex-wrap gap-3">
            <Button asChild variant="secondary" size="lg">
              <Link to="/">Go to your feed</Link>
            </Button>
            <WithdrawClaim optionsKey={claimOptions(slug).queryKey} claim={claim} text="Withdraw claim" />
          </div>
        </CardBody>
      </section>
    </Card>
  )
}

type Typed = { method: ClaimMethod; email: string; statement: string; documentId: string }

function MethodForm({ slug, options }: { slug: string; options: ClaimOptions }) {
  const { business } = options
  const client = useQueryClient()
  const ways = availableMethods(options, 'review')
  const memory = `draft.claim.${business.id}`
  const [typed, setTyped] = useState<Typed>(() => ({
    method: ways[0] as ClaimMethod,
    email: '',
    statement: '',
    documentId: '',
    ...(getTabItem(memory) as Partial<Typed> | undefined),
  }))
  useEffect(() => setTabItem(memory, typed), [memory, typed])
  const change = (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part }))

  const method = ways.includes(typed.method) ? typed.method : 'review'
  const { email, statement, documentId } = typed
  const checked = NewClaim.safeParse({ method, businessId: business.id, email, statement, documentId: documentId || null })
  const { queryKey } = claimOptions(slug)
  return (
    <ClaimMethodForm
      label="Claim"
      contacts={options}
      way={method}
      email={email}
      onWay={(way) => change({ method: way })}
      onEmail={(email) => change({ email })}
      check={() => Object.fromEntries((checked.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]).reverse())}
      send={async () => {
        const claim = await call(openClaim, { body: checked.data as NewClaim })
        removeTabItem(memory)
        cacheClaim(client, queryKey, claim)
        // A claim made during registration completes onboarding.
        await refreshCurrentUser()
      }}
      // Someone else may have claimed the listing.
      onFailure={() => void refreshClaim(client, queryKey)}
      other={{
        way: 'review',
        icon: <MessageSquareText aria-hidden="true" />,
        title: 'Ask us to review it',
        description: 'Tell us your role in the business, and someone from our team will review it.',
        submitText: 'Send for review',
        names: ['statement', 'documentId'],
        fields: ({ errors, clearErrors, onUploading, documentButton }) => (
          <>
            <Field
              label="What is your role in this business?"
              error={errors.statement}
              hint="Also tell us what we can check: the name on the license, a page that names you or a work number where we can reach you."
            >
              <Textarea
                rows={5}
                maxLength={2000}
                value={statement}
                onChange={(event) => {
                  clearErrors()
                  change({ statement: event.target.value })
                }}
              />
            </Field>
            <DocumentField
              legend="A document as a PDF, if you have one"
              hint="The license, a bill or a letter from the authority. Only our reviewers will see it, and we’ll delete it after the decision."
              id={documentId}
              onChange={(documentId) => {
                clearErrors()
                change({ documentId })
              }}
              onBusy={onUploading}
              error={errors.documentId}
              ref={documentButton}
            />
          </>
        ),
      }}
    />
  )
}
