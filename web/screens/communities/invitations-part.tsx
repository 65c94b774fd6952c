import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link as LinkIcon, X } from 'lucide-react'
import { useState } from 'react'
import { inviteToCommunity, makeInvitationLink, revokeCommunityInvitation } from '#contracts/calls/community-members.ts'
import type { Community } from '#contracts/communities.ts'
import type { CommunityInvitation } from '#contracts/community-members.endpoints.ts'
import { maxInvitationDays } from '#contracts/limits.ts'
import { findPeopleToInvite, invitationsOptions, refreshInvitations } from '#web/entities/communities/communities.api.ts'
import { PersonField } from '#web/entities/people/person-field.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted, localDateFormat } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { Select } from '#web/ui/select.tsx'
import { shareLink } from '#web/ui/share-link.ts'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

const choices = [1, 3, 7, 14, maxInvitationDays]

export function InvitationsPart({ community }: { community: Community }) {
  const client = useQueryClient()
  const list = useInfiniteQuery(invitationsOptions(community.id))
  const [days, setDays] = useState(7)
  const [link, setLink] = useState<string | null>(null)
  const params = { id: community.id }
  const refresh = () => refreshInvitations(client, community.id)
  const onError = (error: Error) => {
    toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
    return refresh()
  }
  const invite = useMutation({
    mutationFn: (person: { id: string; name: string }) => call(inviteToCommunity, { params, body: { personId: person.id, days } }),
    onSuccess: (_, { name }) => {
      toast({ title: `${name} invited`, description: 'We’ve notified them. They’re listed below until they respond.' })
      return refresh()
    },
    onError,
  })
  const make = useMutation({
    mutationFn: () => call(makeInvitationLink, { params, body: { days } }),
    onSuccess: ({ token }) => {
      setLink(`${location.origin}/communities/invitations/${token}`)
      return refresh()
    },
    onError,
  })
  return (
    <section aria-labelledby="community-invitations" className="grid gap-3">
      <h2 id="community-invitations" className="text-xl">
        Invitations
      </h2>
      <Card className="overflow-visible!">
        <CardBody className="grid gap-5">
          <PersonField
            label="Invite someone"
            hint="Someone you follow or who follows you."
            loadOptions={findPeopleToInvite(community.id)}
            onSelect={(person) => invite.mutate(person)}
          />
          <div className="flex flex-wrap items-end gap-3">
            <Field label="Valid for" className="w-36">
              <Select value={days} onChange={(event) => setDays(Number(event.target.value))}>
                {choices.map((each) => (
                  <option key={each} value={each}>
                    {counted(each, 'day')}
                  </option>
                ))}
              </Select>
            </Field>
            <Button variant="secondary" onClick={() => make.mutate()} pending={make.isPending} pendingText="Creating a link...">
              <LinkIcon aria-hidden="true" />
              Create link
            </Button>
          </div>
          <div aria-live="polite" className="empty:hidden">
            {link && (
              <div className="grid gap-2 rounded-input bg-leaf-soft p-3.5">
                <p className="text-sm">Only one person can use this link. You won’t be able to see it again.</p>
                <div className="flex flex-wrap gap-2">
                  <Input
                    readOnly
                    aria-label="Invitation link"
                    value={link}
                    onFocus={(event) => event.target.select()}
                    className="min-w-0 flex-1 basis-56"
                  />
                  <Button onClick={() => void shareLink(link, community.name, 'Only one person can use it.')}>Copy link</Button>
                </div>
              </div>
            )}
          </div>
        </CardBody>
      </Card>
      <PagedList
        list={list}
        loadingLabel="Loading invitations..."
        skeleton={<SkeletonRow />}
        failure="The invitations couldn’t be loaded"
        cards="whole"
        empty={<ListNote title="No open invitations">Each invitation works once, until it expires.</ListNote>}
      >
        {(invitations) => (
          <Card asChild>
            <ul className="divide-y divide-line" aria-label="Open invitations">
              {invitations.map((invitation) => (
                <InvitationRow key={invitation.id} communityId={community.id} invitation={invitation} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}

const dayWords = localDateFormat({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })

function InvitationRow({ communityId, invitation }: { communityId: string; invitation: CommunityInvitation }) {
  const client = useQueryClient()
  const { id, person, invitedBy, expiresAt } = invitation
  const revoke = useMutation({
    mutationFn: () => call(revokeCommunityInvitation, { params: { id: communityId, invitationId: id } }),
    onSuccess: () => {
      toast({ title: 'Invitation canceled' })
      return refreshInvitations(client, communityId)
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  const whose = person ? person.name : 'A link'
  return (
    <li className="flex items-center gap-3.5 px-4 py-3 sm:px-5">
      {person ? (
        <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} />
      ) : (
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-sunk text-muted">
          <LinkIcon aria-hidden="true" className="size-4.5" />
        </span>
      )}
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{whose}</p>
        <p className="text-muted text-sm">
          {invitedBy ? `From ${invitedBy.name} · expires` : 'Expires'} {dayWords.format(new Date(expiresAt))}
        </p>
      </div>
      <IconButton
        label={`Cancel invitation: ${whose}`}
        size="sm"
        onClick={() => !revoke.isPending && revoke.mutate()}
        aria-disabled={revoke.isPending}
      >
        <X aria-hidden="true" />
      </IconButton>
    </li>
  )
}
