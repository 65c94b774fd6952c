import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Community } from '../../../contracts/communities.ts'
import { acceptCommunityRequest, type CommunityRequest, declineCommunityRequest } from '../../../contracts/community-members.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Ago } from '../../ui/ago.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ListNote, PagedList } from '../../ui/paged-list.tsx'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { refreshMembers, requestsOptions } from './communities.api.ts'

/** Who asks to be let in, the first who asked first. */
export function RequestsPart({ community }: { community: Community }) {
  const list = useInfiniteQuery(requestsOptions(community.id))
  return (
    <section aria-labelledby="community-requests" className="grid gap-3">
      <h2 id="community-requests" className="text-xl">
        Requests
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading requests..."
        skeleton={<SkeletonRow />}
        failure="The requests could not be loaded"
        cards="whole"
        empty={<ListNote title="Nobody is waiting">Whoever asks to join stands here until you decide.</ListNote>}
      >
        {(requests) => (
          <Card asChild>
            <ul className="divide-y divide-line">
              {requests.map((request) => (
                <RequestRow key={request.person.id} communityId={community.id} request={request} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}

function RequestRow({ communityId, request: { person, message, createdAt } }: { communityId: string; request: CommunityRequest }) {
  const client = useQueryClient()
  const decide = useMutation({
    mutationFn: (isAccepted: boolean) =>
      call(isAccepted ? acceptCommunityRequest : declineCommunityRequest, { params: { id: communityId, personId: person.id } }),
    onSuccess: (_, isAccepted) => {
      toast(
        isAccepted
          ? { title: `${person.name} is in`, description: 'They are told.' }
          : { title: 'Request declined', description: 'Nobody is told. They may ask again.' },
      )
      return refreshMembers(client, communityId)
    },
    onError: (error) => {
      toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
      return refreshMembers(client, communityId)
    },
  })
  return (
    <li className="flex flex-wrap items-start gap-x-3.5 gap-y-3 px-4 py-3.5 sm:px-5">
      <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} />
      <div className="min-w-0 flex-1 basis-52">
        <p className="wrap-anywhere">
          <Link
            to="/people/$id"
            params={{ id: person.id }}
            className="touch-target rounded-tag font-medium hover:underline hover:underline-offset-3"
          >
            {person.name}
          </Link>{' '}
          <span className="text-muted text-sm">
            <Ago at={createdAt} />
          </span>
        </p>
        {message && <p className="mt-1 text-sm whitespace-pre-line wrap-anywhere">{message}</p>}
      </div>
      <div className="flex gap-2">
        <Button onClick={() => decide.mutate(true)} pending={decide.isPending && decide.variables}>
          Accept<span className="sr-only"> {person.name}</span>
        </Button>
        <Button variant="secondary" onClick={() => decide.mutate(false)} pending={decide.isPending && !decide.variables}>
          Decline<span className="sr-only"> {person.name}</span>
        </Button>
      </div>
    </li>
  )
}
