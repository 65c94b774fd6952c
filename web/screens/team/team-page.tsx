import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Crown, LogOut, UserMinus, UserRoundCog } from 'lucide-react'
import { useRef, useState } from 'react'
import { useController, useForm } from 'react-hook-form'
import { listBlockedByBusiness } from '#contracts/calls/people.ts'
import {
  changeTeamRole,
  inviteToTeam,
  removeFromTeam,
  resendInvitation,
  revokeInvitation,
  transferBusiness,
} from '#contracts/calls/team.ts'
import type { Person } from '#contracts/people.ts'
import type { TeamMember } from '#contracts/team.ts'
import { type HelperRole, NewInvitation, type Team, type TeamInvitation } from '#contracts/team.ts'
import { type Named, useBlockForBusiness } from '#web/entities/businesses/block-business.ts'
import { refreshMyBusinesses } from '#web/entities/businesses/businesses.api.ts'
import { MemberRow, PersonRow, Rows } from '#web/entities/people/people-list.tsx'
import { EmailField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { isSignedOut, showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, pagesOptions } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { localDateFormat } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { FormError } from '#web/ui/field.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { EmptyNote } from '#web/ui/notice.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { roleHelp, roleNames } from './role-words.ts'
import { cacheTeam, refreshTeam, teamOptions } from './team.api.ts'

type OfTeam = { id: string; slug: string; name: string }

export function TeamPage({ business }: { business: OfTeam }) {
  const { data: team, error, refetch, isFetching } = useQuery(teamOptions(business.id))
  if (team) return <TeamView business={business} team={team} />
  if (error) {
    return <LoadError title="The team couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  return (
    <Card className="max-w-feed">
      <SkeletonGroup label="Loading the team..." className="divide-y divide-line px-4 sm:px-5">
        <SkeletonRow />
        <SkeletonRow />
        <SkeletonRow />
      </SkeletonGroup>
    </Card>
  )
}

function TeamView({ business, team }: { business: OfTeam; team: Team }) {
  const { members, invitations, abilities } = team
  return (
    <div className="grid items-start gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid gap-8">
        <section aria-labelledby="members" className="grid gap-3">
          <h2 id="members" className="text-xl">
            {members.length === 1 ? 'Just you so far' : `${members.length} people`}
          </h2>
          <Card asChild>
            <ul className="divide-y divide-line">
              {members.map((member) => (
                <TeamMemberRow key={member.id} business={business} member={member} canLeave={abilities.leave} />
              ))}
            </ul>
          </Card>
        </section>
        {invitations.length > 0 && <InvitationList businessId={business.id} invitations={invitations} />}
      </div>
      {abilities.invite.length > 0 && (
        <div className="lg:row-span-2">
          <InviteForm businessId={business.id} roles={abilities.invite} />
        </div>
      )}
      {abilities.block && <BlockedPeople business={business} />}
    </div>
  )
}

const blockedOptions = (businessId: string) => pagesOptions(listBlockedByBusiness, { params: { id: businessId } })

function BlockedPeople({ business }: { business: Named }) {
  const list = useInfiniteQuery(blockedOptions(business.id))
  return (
    <section aria-labelledby="blocked" className="grid gap-3">
      <div>
        <h2 id="blocked" className="text-xl">
          Blocked people
        </h2>
        <p className="mt-1 text-muted text-sm">They can’t message {business.name}, comment on its posts, follow it or subscribe to it.</p>
      </div>
      <PagedList
        list={list}
        loadingLabel="Loading blocked people..."
        skeleton={<SkeletonRow />}
        failure="The blocked people couldn’t be loaded"
        empty={<EmptyNote>No blocked people. You can block someone from their comment, review or message.</EmptyNote>}
      >
        {(people) => (
          <Rows>
            {people.map((person) => (
              <BlockedPerson key={person.id} business={business} person={person} />
            ))}
          </Rows>
        )}
      </PagedList>
    </section>
  )
}

function BlockedPerson({ business, person }: { business: Named; person: Person }) {
  const { setBlocked, isPending } = useBlockForBusiness(business, person)
  return (
    <PersonRow person={person}>
      <Button variant="secondary" size="sm" onClick={() => setBlocked(false)} pending={isPending} pendingText="Unblocking...">
        <span>
          Unblock<span className="sr-only"> {person.name}</span>
        </span>
      </Button>
    </PersonRow>
  )
}

const day = localDateFormat({ month: 'long', day: 'numeric' })

function InvitationList({ businessId, invitations }: { businessId: string; invitations: readonly TeamInvitation[] }) {
  return (
    <section aria-labelledby="invitations" className="grid gap-3">
      <h2 id="invitations" className="text-xl">
        Invited
      </h2>
      <Card asChild>
        <ul className="divide-y divide-line">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} businessId={businessId} invitation={invitation} />
          ))}
        </ul>
      </Card>
    </section>
  )
}

function InvitationRow({ businessId, invitation }: { businessId: string; invitation: TeamInvitation }) {
  const { email, role, invitedBy, expiresAt, isExpired, canChange } = invitation
  const client = useQueryClient()
  const params = { id: businessId, invitationId: invitation.id }
  const confirm = (title: string) => (team: Team) => {
    cacheTeam(client, team)
    toast({ title, description: email })
  }
  const onError = (error: Error) => void toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' })
  const resend = useMutation({ mutationFn: () => call(resendInvitation, { params }), onSuccess: confirm('Invitation resent'), onError })
  const revoke = useMutation({ mutationFn: () => call(revokeInvitation, { params }), onSuccess: confirm('Invitation canceled'), onError })
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium wrap-anywhere">{email}</p>
        <p className="text-muted text-sm">
          {roleNames[role]}
          {invitedBy && ` · by ${invitedBy}`}
          {!isExpired && ` · expires ${day.format(new Date(expiresAt))}`}
        </p>
      </div>
      {isExpired && <Badge variant="clay">Expired</Badge>}
      {canChange && (
        <div className="flex gap-2">
          <Button variant="secondary" size="sm" onClick={() => resend.mutate()} pending={resend.isPending} pendingText="Sending...">
            <span>
              Resend<span className="sr-only"> to {email}</span>
            </span>
          </Button>
          <Button variant="quiet" size="sm" onClick={() => revoke.mutate()} pending={revoke.isPending} pendingText="Canceling...">
            <span>
              Cancel invitation<span className="sr-only"> to {email}</span>
            </span>
          </Button>
        </div>
      )}
    </li>
  )
}

type Values = { email: string; role: HelperRole }

function InviteForm({ businessId, roles }: { businessId: string; roles: readonly HelperRole[] }) {
  const client = useQueryClient()
  const subject = `invite.${businessId}`
  const empty: Values = { email: '', role: 'staff' }
  const form = useForm<Values>({
    defaultValues: withDraft(subject, empty),
    resolver: standardSchemaResolver(NewInvitation),
    mode: 'onTouched',
  })
  const dropDraft = useDraft(form, subject)
  const role = useController({ control: form.control, name: 'role' })

  const submit = form.handleSubmit(async (body) => {
    try {
      cacheTeam(client, await call(inviteToTeam, { params: { id: businessId }, body }))
      toast({ title: 'Invitation sent', description: `The link we emailed to ${body.email} works once and expires in 7 days.` })
      form.reset({ ...empty, role: body.role })
      dropDraft({ staysOpen: true })
    } catch (error) {
      const rest = showServerErrors(form, error, ['email', 'role'])
      if (rest) form.setError('root', { message: rest })
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <Card asChild>
      <section aria-labelledby="invite">
        <CardBody className="grid gap-4">
          <div>
            <h2 id="invite" className="text-xl">
              Invite someone
            </h2>
            <p className="mt-1 text-muted text-sm">We’ll email them a link. It works with an account that uses the same address.</p>
          </div>
          <form noValidate onSubmit={submit} aria-label="Invitation" className="grid gap-4">
            <EmailField control={form.control} name="email" autoComplete="off" />
            {roles.length > 1 ? (
              <RadioCards legend="Role" error={role.fieldState.error?.message} className="gap-2! sm:grid-flow-row!">
                {roles.map((each) => (
                  <RadioCard
                    key={each}
                    name="role"
                    value={each}
                    title={roleNames[each]}
                    description={roleHelp[each]}
                    checked={role.field.value === each}
                    onChange={() => role.field.onChange(each)}
                    className="p-3!"
                  />
                ))}
              </RadioCards>
            ) : (
              <p className="text-muted text-sm">Staff {roleHelp.staff.toLowerCase()}. The owner can invite managers.</p>
            )}
            <FormError>{form.formState.errors.root?.message}</FormError>
            <Button type="submit" pending={form.formState.isSubmitting} pendingText="Sending...">
              Send invitation
            </Button>
          </form>
        </CardBody>
      </section>
    </Card>
  )
}

type TeamMemberRowProps = { business: { id: string; name: string }; member: TeamMember; canLeave: boolean }

function TeamMemberRow({ business, member, canLeave }: TeamMemberRowProps) {
  const { name, role, isSelf, abilities } = member
  const [dialog, setDialog] = useState<'remove' | 'transfer' | null>(null)
  const actions = useMemberActions(business, member, () => setDialog(null))
  const mayLeave = isSelf && canLeave
  const other: HelperRole = role === 'manager' ? 'staff' : 'manager'
  return (
    <MemberRow
      person={member}
      isSelf={isSelf}
      since={member.since}
      badge={<Badge variant={role === 'owner' ? 'leaf' : 'neutral'}>{roleNames[role]}</Badge>}
      menu={
        mayLeave || abilities.changeRole || abilities.remove || abilities.makeOwner
          ? {
              label: isSelf ? 'Your role on the team' : `Change ${name}`,
              items: (
                <>
                  {abilities.changeRole && (
                    <MenuItem onSelect={() => actions.change.mutate(other)}>
                      <UserRoundCog aria-hidden="true" />
                      Make {other === 'manager' ? 'a manager' : 'staff'}
                    </MenuItem>
                  )}
                  {abilities.makeOwner && (
                    <MenuItem onSelect={() => setDialog('transfer')}>
                      <Crown aria-hidden="true" />
                      Transfer ownership
                    </MenuItem>
                  )}
                  {abilities.remove && (
                    <MenuItem danger onSelect={() => setDialog('remove')}>
                      <UserMinus aria-hidden="true" />
                      Remove from the team
                    </MenuItem>
                  )}
                  {mayLeave && (
                    <MenuItem danger onSelect={() => setDialog('remove')}>
                      <LogOut aria-hidden="true" />
                      Leave the team
                    </MenuItem>
                  )}
                </>
              ),
            }
          : null
      }
    >
      <ConfirmDialog
        open={dialog === 'remove'}
        onOpenChange={(open) => setDialog(open ? 'remove' : null)}
        title={isSelf ? `Leave ${business.name}?` : `Remove ${name}?`}
        confirmText={isSelf ? 'Leave the team' : 'Remove from the team'}
        onConfirm={() => actions.remove.mutate()}
        pending={actions.remove.isPending}
        pendingText={isSelf ? 'Leaving...' : 'Removing...'}
      >
        {isSelf
          ? 'You won’t be able to see or change its dashboard anymore unless someone invites you again.'
          : 'They won’t be able to see or change the business’s dashboard anymore. What they wrote for it will be kept, and invitations they sent will be canceled.'}
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'transfer'}
        onOpenChange={(open) => setDialog(open ? 'transfer' : null)}
        title={`Transfer ${business.name} to ${name}?`}
        confirmText="Transfer ownership"
        onConfirm={actions.startTransfer}
        pending={actions.isTransferring}
        pendingText="Transferring..."
      >
        They’ll be the owner, and you’ll be a manager. They’ll control the team, the plans and the business’s earnings. If you pay for its
        plans, they stay billed to you until one of you cancels them. Only they can transfer it back.
      </ConfirmDialog>
    </MemberRow>
  )
}

function useMemberActions(business: { id: string; name: string }, member: TeamMember, onDone: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const params = { id: business.id, userId: member.id }
  const onError = (error: Error) => {
    onDone()
    toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' })
    // Someone else may have changed the team in the meantime.
    void refreshTeam(client)
  }
  const change = useMutation({
    mutationFn: (role: HelperRole) => call(changeTeamRole, { params, body: { role } }),
    onSuccess: (team, role) => {
      cacheTeam(client, team)
      toast({ title: `${member.name} is now ${role === 'manager' ? 'a manager' : 'staff'}` })
    },
    onError,
  })
  const isSent = useRef(false)
  const transfer = useMutation({
    mutationFn: () => call(transferBusiness, { params: { id: business.id }, body: { userId: member.id } }),
    onSuccess: (team) => {
      onDone()
      cacheTeam(client, team)
      toast({ title: `${member.name} is now the owner`, description: 'You’re now a manager.' })
      return refreshMyBusinesses(client)
    },
    onError,
    onSettled: () => {
      isSent.current = false
    },
  })
  /** Sends one request, even if the second tap of a double tap comes before the next render. */
  const startTransfer = () => {
    if (isSent.current) return
    isSent.current = true
    transfer.mutate()
  }
  const remove = useMutation({
    mutationFn: () => call(removeFromTeam, { params }),
    onSuccess: async () => {
      onDone()
      if (!member.isSelf) {
        toast({ title: `${member.name} removed from the team` })
        return refreshTeam(client)
      }
      toast({ title: `You left ${business.name}` })
      await navigate({ to: '/business-dashboard', search: {} })
      client.removeQueries({ queryKey: teamOptions(business.id).queryKey })
      return refreshMyBusinesses(client)
    },
    onError,
  })
  return { change, startTransfer, isTransferring: transfer.isPending, remove }
}
