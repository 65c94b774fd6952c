import { type RawBuilder, sql } from 'kysely'
import { isUuid } from '../../../contracts/ids.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { type Permission, roleMay, rolesThatMay, type TeamRole } from './roles.ts'

/** Whether a viewer may block a person in the name of a business, who isn't of its team and isn't blocked already. */
export const mayBlockFor = (actorId: RawBuilder<unknown>, businessId: RawBuilder<unknown>, personId: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from business_members blocking where blocking.business_id = ${businessId} and blocking.user_id = ${actorId}
    and blocking.role = any(${rolesThatMay('blocks')}::text[]))
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
  menu: 'Only those who run this business can change its menu.',
  posts: 'Only those who run this business can speak for it.',
  messages: 'Only those who run this business can read its messages.',
  profile: 'Only the owner and managers of this business can change its page.',
  blocks: 'Only the owner and managers of this business can block people in its name.',
  insights: 'Only the owner and managers of this business can see its figures.',
  license: 'Only the owner and managers of this business can have its license checked.',
  colleagues: 'Only those who run this business can see who does.',
  staff: 'Only the owner and managers of this business can change who works for it.',
  team: 'Only the owner of this business can do this.',
  billing: 'Only the owner of this business can see and change what it pays for.',
}

/**
 * The gate of every call about a business's own matters. With a transaction, the membership is locked until its end, so that nobody
 * who is being removed gets a write through.
 * @throws AppError not_found where there is no such business, forbidden
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
  if (!member || !roleMay(member.role, permission)) throw new AppError('forbidden', { message: refusals[permission] })
  return { ...business, role: member.role }
}
