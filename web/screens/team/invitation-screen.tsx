import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { MailCheck, MailX } from 'lucide-react'
import { acceptInvitation, getInvitation } from '#contracts/calls/team.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { refreshMyBusinesses } from '#web/entities/businesses/businesses.api.ts'
import { InvitationAnswer, InvitationOver, InvitationPage } from '#web/entities/invitations/invitation-page.tsx'
import { brand } from '#web/lib/boot.ts'
import { call, expireCalls } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { asRole, roleHelp } from './role-words.ts'
import { invitationOptions } from './team.api.ts'

type Invitation = ResponseOf<typeof getInvitation>

export function InvitationScreen({ token }: { token: string }) {
  const query = useQuery(invitationOptions(token))
  return (
    <InvitationPage
      query={query}
      unknown={
        <InvitationOver title="This link no longer works" link={home}>
          <p>
            Each new email replaces the previous link, so open the one in the latest email. If that doesn’t help, ask for a new invitation.
          </p>
        </InvitationOver>
      }
    >
      {(invitation) => <View token={token} invitation={invitation} />}
    </InvitationPage>
  )
}

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
          <p>Sign out, then open the link again. Sign in to the account with that address, or create one.</p>
          <Button asChild className="mt-2">
            <a href="/api/logout">Sign Out</a>
          </Button>
        </Notice>
      )
    case 'accepted':
      return (
        <InvitationOver
          title="This invitation has already been used"
          link={
            <Link to="/business-dashboard" search={{ business: business.slug }}>
              Open the dashboard
            </Link>
          }
        >
          <p>An invitation works once. If you used it, {business.name} is in your dashboard.</p>
        </InvitationOver>
      )
    case 'expired':
      return (
        <InvitationOver title="This invitation has expired" link={home}>
          <p>An invitation works for 7 days. Ask {invitation.invitedBy ?? `the ${business.name} team`} for another one.</p>
        </InvitationOver>
      )
    case 'revoked':
      return (
        <InvitationOver title="This invitation was canceled" link={home}>
          <p>If that was a mistake, ask {invitation.invitedBy ?? `the ${business.name} team`} for another one.</p>
        </InvitationOver>
      )
  }
}

function Open({ token, invitation: { business, role, invitedBy } }: { token: string; invitation: Invitation }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const accept = useMutation({
    mutationFn: () => call(acceptInvitation, { params: { token } }),
    onSuccess: async () => {
      toast({ title: `Welcome to the ${business.name} team` })
      expireCalls(client, [getInvitation])
      await refreshMyBusinesses(client)
      await navigate({ to: '/business-dashboard/team', search: { business: business.slug } })
    },
  })
  return (
    <section className="grid justify-items-start gap-4 rounded-card border border-line bg-surface p-5 sm:p-8">
      <Avatar id={business.id} name={business.name} imageUrl={business.imageUrl} size="lg" />
      <div>
        <h1 className="text-2xl text-balance wrap-anywhere">Help run {business.name}</h1>
        <p className="mt-2 text-muted">
          {invitedBy ?? business.name} invited you to the team as {asRole[role]}. You {roleHelp[role].toLowerCase()}.
        </p>
        <p className="mt-2 text-muted">
          The rest of the team will see your name. What you write for the business on {brand.name} will appear as {business.name}. A team
          can’t review its own business, so if you’ve reviewed it, your review will be removed.
        </p>
      </div>
      <InvitationAnswer
        accept={accept}
        acceptText={
          <>
            <MailCheck aria-hidden="true" />
            Accept invitation
          </>
        }
        error={accept.error}
      >
        <Button size="lg" variant="quiet" asChild>
          <Link to="/">Not now</Link>
        </Button>
      </InvitationAnswer>
    </section>
  )
}

const home = <Link to="/">Go to your feed</Link>
