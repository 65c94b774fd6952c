import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { MailCheck, MailX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { acceptInvitation, type getInvitation } from '#contracts/team.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { asRole, roleHelp } from './role-words.ts'
import { invitationOptions, refreshBusinesses } from './team.api.ts'

type Invitation = ResponseOf<typeof getInvitation>

export function InvitationScreen({ token }: { token: string }) {
  const { data: invitation, error, refetch, isFetching } = useQuery(invitationOptions(token))
  return (
    <div className="mx-auto w-full max-w-lg px-4 py-8 sm:px-6 sm:py-14">
      {invitation ? (
        <View token={token} invitation={invitation} />
      ) : error ? (
        isUnknown(error) ? (
          <Notice icon={<MailX />} tone="clay" title="This link no longer works">
            <p>Open the link in the latest email. Each new email replaces the older link. If there isn’t one, ask for a new invitation.</p>
            <Home />
          </Notice>
        ) : (
          <ErrorState
            level={1}
            title="The invitation could not be loaded"
            description={messageOf(error)}
            onRetry={() => void refetch()}
            pending={isFetching}
          />
        )
      ) : (
        <SkeletonGroup label="Loading your invitation..." className="grid gap-4 rounded-card border border-line bg-surface p-5 sm:p-8">
          <Skeleton shape="circle" className="size-14" />
          <Skeleton className="h-7 w-4/5 rounded-full" />
          <SkeletonText lines={3} />
          <Skeleton className="h-12 w-40" />
        </SkeletonGroup>
      )}
    </div>
  )
}

const isUnknown = (error: Error): boolean => error instanceof ApiError && error.status === 404

function View({ token, invitation }: { token: string; invitation: Invitation }) {
  const user = useCurrentUser()
  const { state, business, sentTo } = invitation
  switch (state) {
    case 'open':
      return <Open token={token} invitation={invitation} />
    case 'other_address':
      return (
        <Notice icon={<MailX />} tone="clay" title="This invitation is for another address">
          <p>
            It was sent to <strong className="font-semibold text-ink">{sentTo}</strong>, but you’re signed in as{' '}
            <strong className="font-semibold text-ink wrap-anywhere">{user?.email}</strong>.
          </p>
          <p>Sign out, then open the link again. Sign in with that address’s account, or create one.</p>
          <Button asChild className="mt-2">
            <a href="/api/logout">Sign Out</a>
          </Button>
        </Notice>
      )
    case 'accepted':
      return (
        <Over title="This invitation has already been used">
          <p>An invitation works once. If you used it, {business.name} is in your dashboard.</p>
          <Dashboard slug={business.slug} />
        </Over>
      )
    case 'expired':
      return (
        <Over title="This invitation has expired">
          <p>An invitation works for 7 days. Ask {invitation.invitedBy ?? `the team of ${business.name}`} for another one.</p>
          <Home />
        </Over>
      )
    case 'revoked':
      return (
        <Over title="This invitation was canceled">
          <p>If that was a mistake, ask {invitation.invitedBy ?? `the team of ${business.name}`} for another one.</p>
          <Home />
        </Over>
      )
  }
}

function Open({ token, invitation: { business, role, invitedBy } }: { token: string; invitation: Invitation }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const accept = useMutation({
    mutationFn: () => call(acceptInvitation, { params: { token } }),
    onSuccess: async () => {
      toast({ title: `Welcome to the team of ${business.name}` })
      await refreshBusinesses(client)
      await navigate({ to: '/business-dashboard/team', search: { business: business.slug } })
    },
  })
  return (
    <section className="grid justify-items-start gap-4 rounded-card border border-line bg-surface p-5 sm:p-8">
      <Avatar id={business.id} name={business.name} imageUrl={business.imageUrl} size="lg" />
      <div>
        <h1 className="text-2xl text-balance wrap-anywhere">Help run {business.name}</h1>
        <p className="mt-2 text-muted">
          {invitedBy ?? 'The owner'} invites you to the team as {asRole[role]}: {roleHelp[role].toLowerCase()}.
        </p>
        <p className="mt-2 text-muted">
          The rest of the team sees your name. What you write for the business on {brand.name} appears as {business.name}.
        </p>
      </div>
      {accept.error && (
        <div role="alert">
          <FieldError>{messageOf(accept.error)}</FieldError>
        </div>
      )}
      <div className="mt-1 flex flex-wrap gap-3">
        <Button size="lg" onClick={() => accept.mutate()} pending={accept.isPending} pendingText="Joining...">
          <MailCheck aria-hidden="true" />
          Accept invitation
        </Button>
        <Button size="lg" variant="quiet" asChild>
          <Link to="/">Not now</Link>
        </Button>
      </div>
    </section>
  )
}

const Over = ({ title, children }: { title: string; children: ReactNode }) => (
  <Notice icon={<MailX />} tone="clay" title={title}>
    {children}
  </Notice>
)

const Home = () => (
  <Button asChild variant="secondary" className="mt-2">
    <Link to="/">Go to your feed</Link>
  </Button>
)

const Dashboard = ({ slug }: { slug: string }) => (
  <Button asChild variant="secondary" className="mt-2">
    <Link to="/business-dashboard" search={{ business: slug }}>
      Open the dashboard
    </Link>
  </Button>
)
