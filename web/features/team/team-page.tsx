import { useQuery } from '@tanstack/react-query'
import type { Team } from '../../../contracts/team.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonGroup, SkeletonRow } from '../../ui/skeleton.tsx'
import { BlockedPeople } from './blocked-people.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteForm } from './invite-form.tsx'
import { MemberRow } from './member-row.tsx'
import { teamOptions } from './team.api.ts'

type OfTeam = { id: string; slug: string; name: string }

/** Who runs a business, and who is invited to. */
export function TeamPage({ business }: { business: OfTeam }) {
  const { data: team, error, refetch, isFetching } = useQuery(teamOptions(business.id))
  if (team) return <TeamView business={business} team={team} />
  if (error) {
    return (
      <ErrorState title="The team could not be loaded" description={messageOf(error)} onRetry={() => void refetch()} pending={isFetching} />
    )
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
                <MemberRow key={member.id} business={business} member={member} canLeave={abilities.leave} />
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
