import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { removeGroupRole, setGroupRole } from '#contracts/calls/groups.ts'
import { getTeam } from '#contracts/calls/team.ts'
import type { BusinessGroup, GroupMember } from '#contracts/groups.endpoints.ts'
import type { HelperRole } from '#contracts/team.ts'
import { PersonRow } from '#web/entities/people/people-list.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Card } from '#web/ui/card.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { Select } from '#web/ui/select.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { groupMembersOptions, refreshGroups } from './groups.api.ts'

/** Everyone on the teams of a group's businesses, with a role for all of them or for single ones. */
export function GroupPeople({ group }: { group: BusinessGroup }) {
  const list = useInfiniteQuery({ ...groupMembersOptions(group.id), refetchOnMount: 'always' })
  return (
    <section aria-labelledby="group-people" className="mt-10 grid max-w-feed gap-3">
      <div>
        <h2 id="group-people" className="text-xl">
          People
        </h2>
        <p className="mt-1 max-w-text text-muted text-sm">
          A role at all shops also holds at shops you add later. A role at a single shop, set on{' '}
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
          <ListNote title="Just you so far">
            Invite people on the team page of a shop. You can then give them a role at all shops here.
          </ListNote>
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
      toast({ title: `Role of ${member.name} saved` })
      await Promise.all([refreshGroups(client), refreshCalls(client, [getTeam])])
    },
    onError: (error) => toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
  })
  const own = member.businesses.filter(({ isFromGroup }) => !isFromGroup).length
  return (
    <PersonRow person={member} detail={own > 0 ? `Own role at ${counted(own, 'shop')}` : 'At all shops'}>
      <Select
        aria-label={`Role of ${member.name} at all shops`}
        value={member.role ?? ''}
        disabled={change.isPending}
        onChange={({ target }) => change.mutate((target.value || null) as HelperRole | null)}
        className="w-56"
      >
        <option value="">Only single shops</option>
        <option value="manager">Manager at all shops</option>
        <option value="staff">Staff at all shops</option>
      </Select>
    </PersonRow>
  )
}
