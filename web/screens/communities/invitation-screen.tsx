import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { isUuid } from '#contracts/addresses.ts'
import { acceptCommunityInvitation, declineCommunityInvitation } from '#contracts/calls/community-members.ts'
import type { Community } from '#contracts/communities.ts'
import type { CommunityInvitationState, ReceivedInvitation } from '#contracts/community-members.endpoints.ts'
import { invitationOptions, refreshMine, showCommunity } from '#web/entities/communities/communities.api.ts'
import { RuleList } from '#web/entities/communities/rule-list.tsx'
import { InvitationAnswer, InvitationOver, InvitationPage } from '#web/entities/invitations/invitation-page.tsx'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { CommunityBadges, CommunityPicture } from './community-parts.tsx'

export function InvitationScreen({ token }: { token: string }) {
  const query = useQuery(invitationOptions(token))
  return (
    <InvitationPage
      query={query}
      hasCover
      unknown={
        <Over
          title="Unknown invitation"
          words="The link may be incomplete, or the person who sent it may not be able to invite you. Ask for another one."
        />
      }
    >
      {(invitation) => <View token={token} invitation={invitation} />}
    </InvitationPage>
  )
}

const over: Record<Exclude<CommunityInvitationState, 'open' | 'member'>, { title: string; words: string }> = {
  used: { title: 'This invitation has already been used', words: 'An invitation works once. Ask the person who sent it for another one.' },
  expired: { title: 'This invitation has expired', words: 'Ask the person who sent it for another one.' },
  revoked: { title: 'This invitation was canceled', words: 'If that was a mistake, ask the person who sent it for another one.' },
}

function View({ token, invitation: { state, community, invitedBy } }: { token: string; invitation: ReceivedInvitation }) {
  if (state !== 'open' && state !== 'member') return <Over {...over[state]} />
  if (!community) return null
  return (
    <Card>
      <CommunityPicture community={community} className="h-28 sm:h-32" />
      <CardBody className="grid gap-5 sm:p-7">
        <div>
          <p className="text-muted">{state === 'member' ? 'You’re a member of' : `${invitedBy?.name ?? 'Someone'} invited you to`}</p>
          <h1 className="mt-0.5 text-2xl wrap-anywhere sm:text-3xl">{community.name}</h1>
          <div className="mt-2.5 flex flex-wrap items-center gap-x-2 gap-y-1.5">
            <CommunityBadges community={community} />
            <span className="text-muted text-sm tabular-nums">{counted(community.memberCount, 'member')}</span>
          </div>
        </div>
        <p className="whitespace-pre-line wrap-anywhere">{community.description}</p>
        {community.rules.length > 0 && (
          <section aria-labelledby="invitation-rules" className="grid gap-3">
            <h2 id="invitation-rules" className="text-lg">
              Rules for members
            </h2>
            <RuleList rules={community.rules} />
          </section>
        )}
        {state === 'open' ? <Answer token={token} community={community} /> : <OpenCommunity community={community} />}
      </CardBody>
    </Card>
  )
}

function Answer({ token, community }: { token: string; community: Community }) {
  const client = useQueryClient()
  const router = useRouter()
  const accept = useMutation({
    mutationFn: () => call(acceptCommunityInvitation, { params: { token } }),
    onSuccess: async (joined) => {
      showCommunity(client, joined)
      refreshMine(client)
      toast({ title: `Welcome to ${joined.name}` })
      await router.navigate({ to: '/communities/$id', params: { id: joined.slug } })
    },
  })
  const decline = useMutation({
    mutationFn: () => call(declineCommunityInvitation, { params: { token } }),
    onSuccess: async () => {
      toast({ title: 'Invitation declined', description: 'No one will be notified.' })
      refreshMine(client)
      await router.navigate({ to: '/communities', search: { tab: 'my' } })
    },
  })
  return (
    <InvitationAnswer
      accept={accept}
      acceptText={
        <>
          Join Community<span className="sr-only"> {community.name}</span>
        </>
      }
      error={accept.error ?? decline.error}
    >
      {isUuid(token) ? (
        <Button size="lg" variant="quiet" onClick={() => decline.mutate()} pending={decline.isPending}>
          Decline
        </Button>
      ) : (
        <Button size="lg" variant="quiet" asChild>
          <Link to="/communities">Not now</Link>
        </Button>
      )}
    </InvitationAnswer>
  )
}

const OpenCommunity = ({ community }: { community: Community }) => (
  <Button asChild size="lg" className="justify-self-start">
    <Link to="/communities/$id" params={{ id: community.slug }}>
      Open the community
    </Link>
  </Button>
)

const Over = ({ title, words }: { title: string; words: string }) => (
  <InvitationOver title={title} link={<Link to="/communities">Discover communities</Link>}>
    <p>{words}</p>
  </InvitationOver>
)
