import type { HelperRole, Team } from '../../../contracts/team.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { toPerson } from '../people/index.ts'
import { openInvitations } from './invitations.queries.ts'
import { membersOf } from './members.queries.ts'
import { requirePermission } from './require-permission.ts'
import { mayManage, roleMay } from './roles.ts'

const helperRoles: readonly HelperRole[] = ['manager', 'staff']

/** The team as one of its members sees it. @throws AppError not_found, forbidden */
export async function getTeam(db: Db, actor: Pick<Actor, 'id'>, idOrSlug: string, now: Date): Promise<Team> {
  const { id, role } = await requirePermission(db, actor, idOrSlug, 'colleagues')
  const members = await membersOf(db, id)
  const invitations = roleMay(role, 'staff') ? await openInvitations(db, id) : []
  const isOwner = roleMay(role, 'team')
  return {
    businessId: id,
    role,
    members: members.map((row) => {
      const isSelf = row.id === actor.id
      return {
        ...toPerson(row),
        role: row.role,
        since: row.created_at.toISOString(),
        isSelf,
        abilities: {
          changeRole: !isSelf && isOwner,
          remove: !isSelf && mayManage(role, row.role),
          makeOwner: !isSelf && isOwner,
        },
      }
    }),
    invitations: invitations.map((row) => ({
      id: row.invitation_id,
      email: row.email,
      role: row.role,
      invitedBy: row.id === null ? null : toPerson({ ...row, id: row.id, is_profile_public: row.is_profile_public ?? false }).name,
      expiresAt: row.expires_at.toISOString(),
      isExpired: row.expires_at <= now,
      canChange: mayManage(role, row.role),
    })),
    abilities: { invite: helperRoles.filter((helper) => mayManage(role, helper)), leave: role !== 'owner', block: roleMay(role, 'blocks') },
  }
}
