import { type RawBuilder, sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import type { Db } from '#server/db/connect.ts'
import type { DB } from '#server/db/schema.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'

export type TeamRole = DB['business_members']['role']

/**
 * The single source of truth for team permissions:
 * - `menu`: edit, import and export the menu
 * - `posts`: write, schedule and reply in the business's name
 * - `connections`: create and revoke API keys, webhooks and menu addresses
 * - `messages`: read and answer its messages
 * - `profile`: change its page, locations and hours
 * - `closing`: close and reopen it
 * - `blocks`: block people in its name
 * - `insights`: see its insights
 * - `license`: request license verification
 * - `colleagues`: see who is on the team
 * - `staff`: invite and remove staff
 * - `team`: invite and remove anyone, transfer the business
 * - `billing`: buy and cancel plans, set the subscription price, see revenue
 */
export const permissions = [
  'menu',
  'posts',
  'connections',
  'messages',
  'profile',
  'closing',
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
  manager: ['menu', 'posts', 'connections', 'messages', 'profile', 'blocks', 'insights', 'license', 'colleagues', 'staff'],
  staff: ['menu', 'posts', 'messages', 'colleagues'],
}

/** Denies by default: no role, no permission. */
export const roleCan = (role: TeamRole | null | undefined, permission: Permission): boolean =>
  role !== null && role !== undefined && granted[role].includes(permission)

export const rolesThatCan = (permission: Permission): TeamRole[] =>
  (Object.keys(granted) as TeamRole[]).filter((role) => granted[role].includes(permission))

/** Whether one role may invite or remove another. Owners can't be removed, but can transfer the business. */
export const canManage = (role: TeamRole, other: TeamRole): boolean =>
  other !== 'owner' && roleCan(role, other === 'staff' ? 'staff' : 'team')

/** SQL: a viewer may block a person for a business. False for team members and people already blocked. */
export const canBlockFor = (actorId: RawBuilder<unknown>, businessId: RawBuilder<unknown>, personId: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from business_members blocking where blocking.business_id = ${businessId} and blocking.user_id = ${actorId}
    and blocking.role = any(${rolesThatCan('blocks')}::text[]))
  and not exists (select from business_members other where other.business_id = ${businessId} and other.user_id = ${personId})
  and not exists (select from business_person_blocks blocked where blocked.business_id = ${businessId} and blocked.person_id = ${personId}))`

export type TeamBusiness = {
  id: string
  slug: string
  name: string
  type: string
  country: string | null
  state: string | null
  is_demo: boolean
  role: TeamRole
}

const refusals: Record<Permission, string> = {
  menu: 'Only this business’s team can change its menu.',
  posts: 'Only this business’s team can speak for it.',
  connections: 'Only the owner and managers of this business can manage its connections.',
  messages: 'Only this business’s team can read its messages.',
  profile: 'Only the owner and managers of this business can change its page.',
  closing: 'Only the owner of this business can close or reopen it.',
  blocks: 'Only the owner and managers of this business can block people for it.',
  insights: 'Only the owner and managers of this business can see its insights.',
  license: 'Only the owner and managers of this business can verify its license.',
  colleagues: 'Only this business’s team can see who is on it.',
  staff: 'Only the owner and managers of this business can change its team.',
  team: 'Only the owner of this business can do this.',
  billing: 'Only the owner of this business can see and change its plans.',
}

/**
 * Every call about a business's internal matters requires this. With `lock`, it locks the membership until the transaction ends, so that a
 * member being removed can't complete a write.
 * @throws AppError not_found for an unknown business, forbidden
 */
export async function requirePermission(
  db: Db,
  actor: Pick<Actor, 'id'>,
  idOrSlug: string,
  permission: Permission,
  options: { lock?: boolean } = {},
): Promise<TeamBusiness> {
  const business = await db
    .selectFrom('businesses')
    .select(['id', 'slug', 'name', 'type', 'country', 'state', 'is_demo'])
    .where(isUuid(idOrSlug) ? 'id' : 'slug', '=', idOrSlug)
    .executeTakeFirst()
  if (!business) throw notFound('Business not found.')
  const member = await db
    .selectFrom('business_members')
    .select('role')
    .where('business_id', '=', business.id)
    .where('user_id', '=', actor.id)
    .$if(options.lock === true, (query) => query.forShare())
    .executeTakeFirst()
  if (!member || !roleCan(member.role, permission)) throw new AppError('forbidden', { message: refusals[permission] })
  return { ...business, role: member.role }
}
