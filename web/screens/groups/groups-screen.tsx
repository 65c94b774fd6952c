import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { createGroup, removeGroupRole, renameGroup, setGroupRole } from '#contracts/calls/groups.ts'
import { getTeam } from '#contracts/calls/team.ts'
import type { BusinessGroup, GroupMember } from '#contracts/groups.endpoints.ts'
import type { HelperRole } from '#contracts/team.ts'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { PersonRow } from '#web/entities/people/people-list.tsx'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { counted, possessive } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field, FieldGroup, FormError } from '#web/ui/field.tsx'
import { useRestoredFocus } from '#web/ui/focus.ts'
import { Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { GroupOverview } from './group-overview.tsx'
import { groupMembersOptions, groupsOptions, refreshGroups } from './groups.api.ts'

export function GroupsScreen({ wanted }: { wanted: string | undefined }) {
  const list = useInfiniteQuery(groupsOptions)
  const { data: businesses = [] } = useQuery(myBusinessesOptions)
  const groups = list.data?.pages.flatMap(({ items }) => items) ?? []
  const group = wanted === undefined ? groups[0] : groups.find(({ id }) => id === wanted)
  const owned = businesses.filter(({ role }) => role === 'owner')
  const [isAdding, setAdding] = useState(false)
  const screen = useRestoredFocus<HTMLDivElement>(isAdding ? 'new' : 'group')
  return (
    <div {...screen} className="mx-auto max-w-page px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      {list.isPending ? (
        <SkeletonGroup label="Loading your shops..." className="grid gap-5">
          <Skeleton className="h-9 w-64" />
          <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
            <Skeleton className="h-72 rounded-card" />
            <Skeleton className="h-72 rounded-card" />
          </div>
        </SkeletonGroup>
      ) : !list.data ? (
        <LoadError level={1} title="Your shops couldn’t be loaded" query={list} />
      ) : group && !isAdding ? (
        <>
          <Heading group={group} />
          {(groups.length > 1 || owned.length > group.businessCount) && (
            <nav aria-label="Groups" className="mt-4 flex flex-wrap gap-2">
              {groups.length > 1 &&
                groups.map(({ id, name }) => (
                  <Link
                    key={id}
                    to="/business-dashboard/groups"
                    search={{ group: id }}
                    aria-current={id === group.id ? 'page' : undefined}
                    className={chipClass(id === group.id)}
                  >
                    {name}
                  </Link>
                ))}
              <Button variant="quiet" size="sm" onClick={() => setAdding(true)}>
                New group
              </Button>
            </nav>
          )}
          <GroupOverview key={group.id} group={group} owned={owned} />
          {group.isOwner && <GroupPeople key={`people-${group.id}`} group={group} />}
        </>
      ) : wanted !== undefined && !isAdding ? (
        <EmptyState
          level={1}
          title="Group not found"
          description="This group may no longer exist, or you may no longer work at any of its shops."
        >
          <Button asChild variant="secondary">
            <Link to="/business-dashboard">Dashboard</Link>
          </Button>
        </EmptyState>
      ) : owned.length > 0 ? (
        <>
          <PageHeader
            title="Run your shops together"
            description="With a group, you can see on one page what each of your shops needs, copy hours between them and give people a role at all of them. Each shop still has its own page, plan and payments."
          />
          <NewGroup owned={owned} onDone={() => setAdding(false)} onCancel={isAdding ? () => setAdding(false) : null} />
        </>
      ) : (
        <EmptyState level={1} title="No groups yet" description="The owner of several businesses can combine them into a group.">
          <Button asChild variant="secondary">
            <Link to="/business-dashboard">Dashboard</Link>
          </Button>
        </EmptyState>
      )}
    </div>
  )
}

function Heading({ group }: { group: BusinessGroup }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <PageHeader title={group.name} description="Each shop’s plans are bought and billed separately.">
      {group.isOwner && (
        <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
          <Pencil aria-hidden="true" />
          Rename
        </Button>
      )}
      {isOpen && <RenameDialog group={group} onClose={() => setOpen(false)} />}
    </PageHeader>
  )
}

function RenameDialog({ group, onClose }: { group: BusinessGroup; onClose: () => void }) {
  const client = useQueryClient()
  const [name, setName] = useState(group.name)
  const rename = useMutation({
    mutationFn: () => call(renameGroup, { params: { id: group.id }, body: { name: name.trim() } }),
    onSuccess: async () => {
      await refreshGroups(client)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim()) rename.mutate()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Rename the group"
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form="rename-group" pending={rename.isPending} pendingText="Saving...">
              Save
            </Button>
          </>
        }
      >
        <form id="rename-group" noValidate onSubmit={submit}>
          <Field label="Name" error={rename.error && messageOf(rename.error)}>
            <Input value={name} maxLength={80} autoComplete="off" onChange={(event) => setName(event.target.value)} />
          </Field>
        </form>
      </DialogContent>
    </Dialog>
  )
}

type NewGroupProps = { owned: readonly MyBusiness[]; onDone: () => void; onCancel: (() => void) | null }

function NewGroup({ owned, onDone, onCancel }: NewGroupProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(onCancel ? [] : owned.map(({ id }) => id)))
  const [wasSent, setSent] = useState(false)
  const businessIds = owned.flatMap(({ id }) => (chosen.has(id) ? [id] : []))
  const create = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), businessIds }
      return call(createGroup, { body }, { idempotencyKey: creationKey('group', body) })
    },
    onSuccess: async (group) => {
      dropCreationKey('group')
      await refreshGroups(client)
      toast({ title: `“${group.name}” created` })
      onDone()
      await navigate({ to: '/business-dashboard/groups', search: { group: group.id }, replace: true })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSent(true)
    if (name.trim() && businessIds.length > 0) create.mutate()
  }
  const toggle = (id: string, isOn: boolean) =>
    setChosen((before) => {
      const next = new Set(before)
      if (isOn) next.add(id)
      else next.delete(id)
      return next
    })
  return (
    <Card className="mt-6 max-w-xl">
      <CardBody className="sm:p-6">
        <form noValidate onSubmit={submit} className="grid justify-items-start gap-5">
          <Field label="Group name" className="w-full" error={wasSent && !name.trim() && 'Name the group'}>
            <Input value={name} maxLength={80} autoComplete="off" onChange={(event) => setName(event.target.value)} />
          </Field>
          <FieldGroup
            legend="Shops"
            hint="You can add or remove shops at any time."
            error={wasSent && businessIds.length === 0 && 'Choose a shop'}
          >
            {owned.map(({ id, label }) => (
              <Checkbox key={id} checked={chosen.has(id)} onChange={({ target }) => toggle(id, target.checked)}>
                {label}
              </Checkbox>
            ))}
          </FieldGroup>
          {create.error && <FormError>{messageOf(create.error)}</FormError>}
          <div className="flex gap-3">
            <Button type="submit" pending={create.isPending} pendingText="Creating...">
              Create group
            </Button>
            {onCancel && (
              <Button variant="secondary" onClick={onCancel}>
                Cancel
              </Button>
            )}
          </div>
        </form>
      </CardBody>
    </Card>
  )
}

function GroupPeople({ group }: { group: BusinessGroup }) {
  const list = useInfiniteQuery({ ...groupMembersOptions(group.id), refetchOnMount: 'always' })
  return (
    <section aria-labelledby="group-people" className="mt-10 grid max-w-feed gap-3">
      <div>
        <h2 id="group-people" className="text-xl">
          People
        </h2>
        <p className="mt-1 max-w-text text-muted text-sm">
          A role at all shops includes shops you add later. A role at an individual shop, set on{' '}
          <Link to="/business-dashboard/team" className={textLink}>
            its team page
          </Link>
          , takes precedence there.
        </p>
      </div>
      <PagedList
        list={list}
        loadingLabel="Loading people..."
        skeleton={<SkeletonRow />}
        failure="The people couldn’t be loaded"
        cards="whole"
        empty={
          <ListNote title="Just you so far">Invite people on a shop’s team page. You can then give them a role at all shops here.</ListNote>
        }
      >
        {(members) => (
          <Card asChild>
            <ul className="divide-y divide-line">
              {members.map((member) => (
                <MemberRow key={member.id} group={group} member={member} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}

function MemberRow({ group, member }: { group: BusinessGroup; member: GroupMember }) {
  const client = useQueryClient()
  const params = { id: group.id, userId: member.id }
  const change = useMutation({
    mutationFn: async (role: HelperRole | null) => {
      await (role === null ? call(removeGroupRole, { params }) : call(setGroupRole, { params, body: { role } }))
    },
    onSuccess: async () => {
      toast({ title: `${possessive(member.name)} role saved` })
      await Promise.all([refreshGroups(client), refreshCalls(client, [getTeam])])
    },
    onError: (error) => toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
  })
  const own = member.businesses.filter(({ isFromGroup }) => !isFromGroup).length
  return (
    <PersonRow person={member} detail={own > 0 ? `Separate role at ${counted(own, 'shop')}` : 'At all shops'}>
      <Select
        aria-label={`${possessive(member.name)} role at all shops`}
        value={member.role ?? ''}
        // While saving, the select isn't `disabled`, which would make it lose focus.
        aria-disabled={change.isPending}
        onChange={({ target }) => !change.isPending && change.mutate((target.value || null) as HelperRole | null)}
        className="w-full sm:w-56"
      >
        <option value="">Individual shops only</option>
        <option value="manager">Manager at all shops</option>
        <option value="staff">Staff at all shops</option>
      </Select>
    </PersonRow>
  )
}
