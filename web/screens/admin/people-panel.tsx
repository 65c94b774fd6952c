import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Role } from '#contracts/accounts.ts'
import type { AdminPerson, AdminPersonDetail } from '#contracts/admin.endpoints.ts'
import { changeRole, signOutEverywhere } from '#contracts/calls/admin.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted, formatList, localDateFormat, numberFormat } from '#web/lib/format.ts'
import { Ago, useNow } from '#web/ui/ago.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog, Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { cardLink } from '#web/ui/link-styles.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton, SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { peopleOptions, personOptions, refreshPeople } from './admin.api.ts'
import type { PanelProps } from './admin-search.ts'
import { rowLink, SearchBox } from './search-box.tsx'

/** Opening an account reveals its email, so the audit log records that. */
export function PeoplePanel({ search, onSearch }: PanelProps) {
  const list = useInfiniteQuery(peopleOptions(search.q === undefined ? {} : { q: search.q }))
  return (
    <div className="grid gap-5">
      <SearchBox
        label="Find people"
        hint="Search by part of a name or email address, or by ID."
        value={search.q}
        onSearch={(q) => onSearch({ q })}
      />
      <PagedList
        list={list}
        loadingLabel="Loading people..."
        skeleton={<SkeletonRow />}
        failure="The people couldn’t be loaded"
        cards="whole"
        empty={<ListNote title="No one found">No name or email address contains “{search.q}”.</ListNote>}
      >
        {(people) => (
          <Card asChild>
            <ul>
              {people.map((person) => (
                <PersonRow key={person.id} person={person} onOpen={() => onSearch({ ...search, person: person.id })} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
      {search.person && <PersonDialog id={search.person} onClose={() => onSearch({ ...search, person: undefined })} />}
    </div>
  )
}

function PersonRow({ person, onOpen }: { person: AdminPerson; onOpen: () => void }) {
  return (
    <li className="relative flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t p-4 transition-colors first:border-t-0 hover:bg-sunk/60">
      <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} />
      <div className="min-w-0 flex-1">
        <button type="button" onClick={onOpen} className={`${cardLink} max-w-full truncate text-left font-medium`}>
          {person.name}
        </button>
        <p className="text-muted text-sm">
          Joined <Ago at={person.createdAt} />
        </p>
      </div>
      <div className="flex basis-full flex-wrap gap-1.5 pl-13 empty:hidden sm:basis-auto sm:justify-end sm:pl-0">
        <PersonBadges person={person} />
      </div>
    </li>
  )
}

function PersonDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(personOptions(id))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent isInAddress title={query.data?.name ?? 'Person'} description="Viewing this is recorded in the audit log." size="md">
        <Loaded
          query={query}
          loadingLabel="Loading the person..."
          skeleton={<Skeleton className="h-56" />}
          failure="The person couldn’t be loaded"
        >
          {(person) => <Detail person={person} />}
        </Loaded>
      </DialogContent>
    </Dialog>
  )
}

const number = numberFormat({})

const methodNames: Record<AdminPersonDetail['signsInWith'][number], string> = {
  password: 'a password',
  passkey: 'a passkey',
  openid: 'OpenID',
}

function Detail({ person }: { person: AdminPersonDetail }) {
  const { counts, businesses, accountStatus } = person
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
          {formatList(person.signsInWith.map((method) => methodNames[method])) || 'nothing'}
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
        {accountStatus.mutedUntil && <Fact name="Muted until">{moment.format(new Date(accountStatus.mutedUntil))}</Fact>}
        {accountStatus.suspendedUntil && <Fact name="Suspended until">{moment.format(new Date(accountStatus.suspendedUntil))}</Fact>}
        <Fact name="Posts">{number.format(counts.posts)}</Fact>
        <Fact name="Followers">{number.format(counts.followers)}</Fact>
        <Fact name="Cases">
          {number.format(counts.cases)}, {counted(counts.decisions, 'active decision')}
        </Fact>
        <Fact name="ID">
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
          Their actions
        </Link>
        <Link to="/admin" search={{ tab: 'audit', subject: person.id }} className={rowLink}>
          Actions on their account
        </Link>
      </p>
      <Decisions person={person} />
    </div>
  )
}

const moment = localDateFormat({ dateStyle: 'medium', timeStyle: 'short' })

const roleMeans: Record<Role, string> = {
  member: 'They’ll keep their account but lose the permissions of their current role right away.',
  moderator: 'They’ll decide reports, appeals, claims and licenses once they have a second factor.',
  admin: 'They’ll be able to see and change everything here, including your role, once they have a second factor.',
}

function Decisions({ person }: { person: AdminPersonDetail }) {
  const client = useQueryClient()
  const [asking, ask] = useState<Role | 'sign-out' | null>(null)
  const done = async (title: string) => {
    ask(null)
    toast({ title, description: person.name })
    await refreshPeople(client)
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
    onSuccess: ({ ended }) => done(`Signed out: ${counted(ended, 'session')}`),
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
        confirmText={asking === 'sign-out' ? 'Sign out' : 'Change role'}
        onConfirm={() => (asking === 'sign-out' ? signOut.mutate() : asking && role.mutate(asking))}
        pending={role.isPending || signOut.isPending}
        pendingText="One moment..."
      >
        {asking === 'sign-out'
          ? 'They’ll have to sign in again on every device. Do this if someone else may be using the account.'
          : asking && roleMeans[asking]}
      </ConfirmDialog>
    </div>
  )
}

const roleNames: Record<Role, string> = { member: 'Member', moderator: 'Moderator', admin: 'Admin' }

function PersonBadges({ person: { role, accountStatus, hasSecondFactor, isDemo } }: { person: AdminPerson }) {
  const now = useNow()
  const lasts = (end: string | null) => end !== null && Date.parse(end) > now
  return (
    <>
      {role !== 'member' && <Badge variant="leaf">{roleNames[role]}</Badge>}
      {role !== 'member' && !hasSecondFactor && <Badge variant="clay">No second factor</Badge>}
      {accountStatus.isBanned ? (
        <Badge variant="clay">Banned</Badge>
      ) : (
        lasts(accountStatus.suspendedUntil) && <Badge variant="clay">Suspended</Badge>
      )}
      {lasts(accountStatus.mutedUntil) && <Badge variant="clay">Muted</Badge>}
      {isDemo && <Badge variant="outline">Demo</Badge>}
    </>
  )
}
