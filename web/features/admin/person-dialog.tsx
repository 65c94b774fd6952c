import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Role } from '../../../contracts/accounts.ts'
import { type AdminPersonDetail, changeRole, listPeople, signOutEverywhere } from '../../../contracts/admin.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { localDateFormat, numberFormat } from '../../lib/format.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { personOptions } from './admin.api.ts'
import { PersonBadges, roleNames } from './person-badges.tsx'
import { rowLink } from './row-link.ts'

/** One person as an admin sees them. What was decided about them is with their cases, in the queue of reports. */
export function PersonDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(personOptions(id))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={query.data?.name ?? 'Person'} description="This look is written into the audit log." size="md">
        <Loaded
          query={query}
          loadingLabel="Loading the person..."
          skeleton={<Skeleton className="h-56" />}
          failure="The person could not be loaded"
        >
          {(person) => <Detail person={person} />}
        </Loaded>
      </DialogContent>
    </Dialog>
  )
}

const number = numberFormat({})

function Detail({ person }: { person: AdminPersonDetail }) {
  const { counts, businesses, standing } = person
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap gap-1.5 empty:hidden">
        <PersonBadges person={person} />
      </div>
      <Facts>
        <Fact name="Email">
          {person.email}
          {!person.isEmailVerified && <span className="text-muted"> (not confirmed)</span>}
        </Fact>
        <Fact name="Role">{roleNames[person.role]}</Fact>
        <Fact name="Joined">
          <Ago at={person.createdAt} />
        </Fact>
        <Fact name="Signs in with">
          {person.signsInWith.map((way) => (way === 'password' ? 'a password' : 'OpenID')).join(' and ') || 'nothing'}
          {person.hasSecondFactor ? ', and a second factor' : ''}
        </Fact>
        <Fact name="Sessions">
          {number.format(person.sessionsCount)}
          {person.lastSeenAt && (
            <>
              , last used <Ago at={person.lastSeenAt} />
            </>
          )}
        </Fact>
        {standing.mutedUntil && <Fact name="Muted until">{moment.format(new Date(standing.mutedUntil))}</Fact>}
        {standing.suspendedUntil && <Fact name="Suspended until">{moment.format(new Date(standing.suspendedUntil))}</Fact>}
        <Fact name="Posts">{number.format(counts.posts)}</Fact>
        <Fact name="Followers">{number.format(counts.followers)}</Fact>
        <Fact name="Cases">
          {number.format(counts.cases)}, {number.format(counts.deeds)} {counts.deeds === 1 ? 'decision stands' : 'decisions stand'}
        </Fact>
        <Fact name="Id">
          <span className="font-mono text-xs select-all">{person.id}</span>
        </Fact>
      </Facts>
      {businesses.length > 0 && (
        <section aria-label="Businesses">
          <h3 className="mb-2 font-medium">Businesses</h3>
          <ul className="grid gap-1.5 pointer-coarse:gap-0">
            {businesses.map((business) => (
              <li key={business.id} className="flex flex-wrap items-center gap-2">
                <Link to="/business/$id" params={{ id: business.slug }} className={rowLink}>
                  {business.name}
                </Link>
                <Badge variant="outline">{business.role}</Badge>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="flex flex-wrap gap-x-5 gap-y-2 pointer-coarse:gap-y-0">
        <Link to="/people/$id" params={{ id: person.id }} className={rowLink}>
          Profile
        </Link>
        <Link to="/admin" search={{ tab: 'audit', actor: person.id }} className={rowLink}>
          What they did
        </Link>
        <Link to="/admin" search={{ tab: 'audit', subject: person.id }} className={rowLink}>
          What was done about them
        </Link>
      </p>
      <Deeds person={person} />
    </div>
  )
}

const moment = localDateFormat({ dateStyle: 'medium', timeStyle: 'short' })

/** What each role means for whoever gets it, in the question before it is given. */
const roleMeans: Record<Role, string> = {
  member: 'They keep their account and lose what the role let them do, at once.',
  moderator: 'They decide reports, appeals, claims and licenses, once they have set up a second factor.',
  admin: 'They see and change everything here, your own role included, once they have set up a second factor.',
}

function Deeds({ person }: { person: AdminPersonDetail }) {
  const client = useQueryClient()
  const [asking, ask] = useState<Role | 'sign-out' | null>(null)
  const done = async (title: string) => {
    ask(null)
    toast({ title, description: person.name })
    await client.invalidateQueries({ queryKey: personOptions(person.id).queryKey })
    await client.invalidateQueries({ queryKey: [listPeople.path] })
  }
  const onError = (error: Error) => {
    ask(null)
    toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' })
  }
  const params = { id: person.id }
  const role = useMutation({
    mutationFn: (given: Role) => call(changeRole, { params, body: { role: given } }),
    onSuccess: (_answer, given) => done(`Role changed: ${roleNames[given]}`),
    onError,
  })
  const signOut = useMutation({
    mutationFn: () => call(signOutEverywhere, { params }),
    onSuccess: ({ ended }) => done(`Signed out: ${ended} ${ended === 1 ? 'session' : 'sessions'}`),
    onError,
  })
  const title =
    asking === 'sign-out' ? `Sign ${person.name} out everywhere?` : `Make ${person.name} ${asking === 'admin' ? 'an' : 'a'} ${asking}?`
  return (
    <div className="flex flex-wrap gap-3 border-line border-t pt-5">
      {person.mayGive.map((given) => (
        <Button key={given} variant="secondary" onClick={() => ask(given)}>
          Make {given === 'admin' ? 'an' : 'a'} {given}
        </Button>
      ))}
      {person.sessionsCount > 0 && (
        <Button variant="secondary" onClick={() => ask('sign-out')}>
          Sign out everywhere
        </Button>
      )}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => !open && ask(null)}
        title={title}
        confirmText={asking === 'sign-out' ? 'Sign out' : 'Change the role'}
        onConfirm={() => (asking === 'sign-out' ? signOut.mutate() : asking && role.mutate(asking))}
        pending={role.isPending || signOut.isPending}
        pendingText="One moment..."
      >
        {asking === 'sign-out'
          ? 'Every device of theirs has to sign in again. Do it when an account seems to be in wrong hands.'
          : asking && roleMeans[asking]}
      </ConfirmDialog>
    </div>
  )
}
