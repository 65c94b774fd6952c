import type { DB } from '#server/db/schema.ts'

export type TeamRole = DB['business_members']['role']

/**
 * The single source of truth for team permissions:
 * - `menu`: edit, import and export the menu
 * - `posts`: write, schedule and reply in the business's name
 * - `messages`: read and answer its messages
 * - `profile`: change its page, locations and hours
 * - `blocks`: block people in its name
 * - `insights`: see its statistics
 * - `license`: request license verification
 * - `colleagues`: see who is on the team
 * - `staff`: invite and remove staff
 * - `team`: invite and remove anyone, transfer the business
 * - `billing`: buy and cancel plans, set the subscription price, see revenue
 */
export const permissions = [
  'menu',
  'posts',
  'messages',
  'profile',
  'blocks',
  'insights',
  'license',
  'colleagues',
  'staff',
  'team',
  'billing',
] as const
export type Permission = (typeof permissions)[number]

const granted: Record<TeamRole, readonly Permission[]> = {
  owner: permissions,
  manager: ['menu', 'posts', 'messages', 'profile', 'blocks', 'insights', 'license', 'colleagues', 'staff'],
  staff: ['menu', 'posts', 'messages', 'colleagues'],
}

/** Denies by default: no role, no permission. */
export const roleMay = (role: TeamRole | null | undefined, permission: Permission): boolean =>
  role !== null && role !== undefined && granted[role].includes(permission)

export const permissionsOf = (role: TeamRole): readonly Permission[] => granted[role]

export const rolesThatMay = (permission: Permission): TeamRole[] =>
  (Object.keys(granted) as TeamRole[]).filter((role) => granted[role].includes(permission))

/** Whether one role may invite or remove another. Owners can't be removed: a business is transferred. */
export const mayManage = (role: TeamRole, other: TeamRole): boolean =>
  other !== 'owner' && roleMay(role, other === 'staff' ? 'staff' : 'team')
