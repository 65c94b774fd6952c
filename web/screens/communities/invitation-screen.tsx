import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { MailX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Community } from '#contracts/communities.ts'
import {
  acceptCommunityInvitation,
  type CommunityInvitationState,
  declineCommunityInvitation,
  type ReceivedInvitation,
} from '#contracts/community-members.ts'
import { isUuid } from '#contracts/uuid.ts'
import { invitationOptions, refreshMine, showCommunity } from '#web/entities/communities/communities.api.ts'
import { CommunityPicture } from '#web/entities/communities/community-picture.tsx'
import { RuleList } from '#web/entities/communities/rule-list.tsx'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/grammar.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { CommunityBadges } from './community-badges.tsx'

/** Accepts an invitation, from a link or by name. */
export function InvitationScreen({ token }: { token: string }) {
  const { data: invitation, error, refetch, isFetching } = useQuery(invitationOptions(token))
  return (
    <div className="mx-auto w-full max-w-xl px-4 py-8 sm:px-6 sm:py-14">
      {invitation ? (
        <View token={token} invitation={invitation} />
      ) : error ? (
        error instanceof ApiError && (error.status === 404 || error.status === 400) ? (
          <Over title="Unknown invitation">
            <p>The link may be incomplete, or the person who sent it can’t invite you. Ask for another one.</p>
          </Over>
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
        <SkeletonGroup label="Loading your invitation..." className="overflow-hidden rounded-card border border-line bg-surface">
          <Skeleton shape="picture" className="h-28" />
          <div className="grid gap-4 p-5 sm:p-7">
            <Skeleton className="h-7 w-4/5 rounded-full" />
            <SkeletonText lines={3} />
            <Skeleton className="h-12 w-40" />
          </div>
        </SkeletonGroup>
      )}
    </div>
  )
}

const over: Record<Exclude<CommunityInvitationState, 'open' | 'member'>, { title: string; words: string }> = {
  used: { title: 'This invitation has already been used', words: 'An invitation works once. Ask the person who sent it for another one.' },
  expired: { title: 'This invitation has expired', words: 'Ask the person who sent it for another one.' },
  revoked: { title: 'This invitation was canceled', words: 'If that was a mistake, ask the person who sent it.' },
}

function View({ token, invitation: { state, community, invitedBy } }: { token: string; invitation: ReceivedInvitation }) {
  if (state !== 'open' && state !== 'member') {
    return (
      <Over title={over[state].title}>
        <p>{over[state].words}</p>
      </Over>
    )
  }
  if (!community) return null
  return (
    <Card>
      <CommunityPicture community={community} className="h-28 sm:h-32" />
      <CardBody className="grid gap-5 sm:p-7">
        <div>
          <p className="text-muted">{state === 'member' ? 'You’re a member of' : `${invitedBy?.name ?? 'Someone'} invites you to`}</p>
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
      toast({ title: 'Invitation declined', description: 'No one is notified.' })
      refreshMine(client)
      await router.navigate({ to: '/communities', search: { tab: 'my' } })
    },
  })
  const error = accept.error ?? decline.error
  return (
    <div className="grid gap-3">
      {error && (
        <div role="alert">
          <FieldError>{messageOf(error)}</FieldError>
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        <Button size="lg" onClick={() => accept.mutate()} pending={accept.isPending} pendingText="Joining...">
          Join Community<span className="sr-only"> {community.name}</span>
        </Button>
        {isUuid(token) ? (
          <Button size="lg" variant="quiet" onClick={() => decline.mutate()} pending={decline.isPending}>
            Decline
          </Button>
        ) : (
          <Button size="lg" variant="quiet" asChild>
            <Link to="/communities">Not now</Link>
          </Button>
        )}
      </div>
    </div>
  )
}

const OpenCommunity = ({ community }: { community: Community }) => (
  <Button asChild size="lg" className="justify-self-start">
    <Link to="/communities/$id" params={{ id: community.slug }}>
      Open the community
    </Link>
  </Button>
)

const Over = ({ title, children }: { title: string; children: ReactNode }) => (
  <Notice icon={<MailX />} tone="clay" title={title}>
    {children}
    <Button asChild variant="secondary" className="mt-2">
      <Link to="/communities">Discover communities</Link>
    </Button>
  </Notice>
)
