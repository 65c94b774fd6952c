import type { HelperRole, TeamRole } from '#contracts/team.ts'

export const roleNames: Record<TeamRole, string> = { owner: 'Owner', manager: 'Manager', staff: 'Staff' }

/** The server enforces this; see server/features/team/roles.ts. */
export const roleHelp: Record<HelperRole, string> = {
  manager: 'Can edit the page, menu, posts and license, answer messages, manage connections, see insights and invite staff',
  staff: 'Can edit the menu and posts, and answer messages',
}

/** Follows "as": "as a manager", "as staff". */
export const asRole: Record<TeamRole, string> = { owner: 'the owner', manager: 'a manager', staff: 'staff' }
