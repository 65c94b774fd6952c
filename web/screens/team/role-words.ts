import type { HelperRole, TeamRole } from '#contracts/team.ts'

export const roleNames: Record<TeamRole, string> = { owner: 'Owner', manager: 'Manager', staff: 'Staff' }

/** Permissions of each role, as enforced by the server: see server/features/team/roles.ts. */
export const roleHelp: Record<HelperRole, string> = {
  manager: 'Edits the page, menu, posts and license; sees insights; invites staff',
  staff: 'Edits the menu and posts',
}

/** "as a manager", "as staff". */
export const asRole: Record<TeamRole, string> = { owner: 'the owner', manager: 'a manager', staff: 'staff' }
