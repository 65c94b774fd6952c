import type { HelperRole, TeamRole } from '../../../contracts/team.ts'

export const roleNames: Record<TeamRole, string> = { owner: 'Owner', manager: 'Manager', staff: 'Staff' }

/** What somebody of this role may do, as the server decides it: see server/features/team/roles.ts. */
export const roleHelp: Record<HelperRole, string> = {
  manager: 'Page, menu, posts, figures and license; invites staff',
  staff: 'Keeps the menu and writes posts',
}

/** "as a manager", "as staff". */
export const asRole: Record<TeamRole, string> = { owner: 'the owner', manager: 'a manager', staff: 'staff' }
