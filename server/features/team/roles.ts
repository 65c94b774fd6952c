import type { DB } from '../../db/schema.ts'

export type TeamRole = DB['business_members']['role']

/**
 * What somebody may do with a business. The only place that says so:
 * - `menu`: keep the menu, import and export it
 * - `posts`: write, schedule and answer in the business's name
 * - `messages`: read its messages, and answer them in its name
 * - `profile`: change its page, its locations and hours
 * - `blocks`: block people in its name
 * - `insights`: see what it brings
 * - `license`: have its license checked
 * - `colleagues`: see who else runs it
 * - `staff`: invite and remove staff
 * - `team`: invite and remove anybody, hand the business over
 * - `billing`: buy and end plans, set the price of subscribing, see revenue
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

/** Whether somebody of one role may invite or remove somebody of another. Nobody removes the owner: a business is handed over. */
export const mayManage = (role: TeamRole, other: TeamRole): boolean =>
  other !== 'owner' && roleMay(role, other === 'staff' ? 'staff' : 'team')
