import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { acceptCommunityInvitation, declineCommunityInvitation, type ReceivedInvitation } from '../../../contracts/community-members.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { counted } from '../../lib/counted.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { MorePages } from '../../ui/more-pages.tsx'
import { toast } from '../../ui/toast-store.ts'
import { receivedInvitationsOptions, refreshMine, showCommunity } from './communities.api.ts'
import { CommunityPicture } from './community-picture.tsx'
import { visibilityNames } from './community-words.ts'

type Received = ReceivedInvitation & { id: string }

/** The invitations that name the viewer; nothing where there are none. */
export function ReceivedInvitations() {
  const list = useInfiniteQuery(receivedInvitationsOptions)
  const invitations = (list.data?.pages ?? []).flatMap((page) => page.items)
  if (invitations.length === 0) return null
  return (
    <section aria-labelledby="received-invitations" className="grid gap-3">
      <h2 id="received-invitations" className="text-xl">
        You are invited
      </h2>
      <Card asChild>
        <ul className="divide-y divide-line">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      </Card>
      <MorePages list={list} />
    </section>
  )
}

function InvitationRow({ invitation: { id, community, invitedBy } }: { invitation: Received }) {
  const client = useQueryClient()
  const router = useRouter()
  const onError = (error: Error) => {
    toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
    refreshMine(client)
  }
  const accept = useMutation({
    mutationFn: () => call(acceptCommunityInvitation, { params: { token: id } }),
    onSuccess: async (joined) => {
      showCommunity(client, joined)
      refreshMine(client)
      await router.navigate({ to: '/communities/$id', params: { id: joined.slug } })
    },
    onError,
  })
  const decline = useMutation({
    mutationFn: () => call(declineCommunityInvitation, { params: { token: id } }),
    onSuccess: () => {
      toast({ title: 'Invitation declined', description: 'Nobody is told.' })
      refreshMine(client)
    },
    onError,
  })
  if (!community) return null
  const by = invitedBy ? `${invitedBy.name} invites you` : 'You are invited'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 p-3 sm:px-5 sm:py-4">
      <CommunityPicture community={community} className="h-14 w-20! shrink-0 rounded-input" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">{community.name}</p>
        <p className="text-muted text-sm wrap-anywhere">
          {`${by} · ${visibilityNames[community.visibility]} · ${counted(community.memberCount, 'member')}`}
        </p>
      </div>
      <div className="flex gap-2">
        <Button onClick={() => accept.mutate()} pending={accept.isPending} pendingText="Joining...">
          Accept<span className="sr-only"> the invitation to {community.name}</span>
        </Button>
        <Button variant="quiet" onClick={() => decline.mutate()} pending={decline.isPending}>
          Decline<span className="sr-only"> the invitation to {community.name}</span>
        </Button>
      </div>
    </li>
  )
}
