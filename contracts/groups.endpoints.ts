import { OpenNow } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { BusinessTypeSchema, Id, line, page } from './fields.ts'
import { maxGroupSize } from './limits.ts'
import { WeeklyHours } from './locations.ts'
import { Person } from './people.ts'
import { HelperRole, TeamRole } from './team.ts'
import * as z from './zod.ts'

const tag = 'Groups'

const GroupName = line(80, 'Name the group')

/** Businesses of one owner, run together. Each keeps its own page, plans and payments. */
export const BusinessGroup = z.object({
  id: Id,
  name: z.string(),
  /** Whether the viewer owns it. Other people see the businesses that they work for. */
  isOwner: z.boolean(),
  businessCount: z.int(),
})
export type BusinessGroup = z.infer<typeof BusinessGroup>

/** How a business of a group is doing, for someone on its team. */
export const GroupedBusiness = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  /** The name, with city or street if another one of the group has the same name. */
  label: z.string(),
  type: BusinessTypeSchema,
  location: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  role: TeamRole,
  followerCount: z.int(),
  menu: z.object({
    itemCount: z.int(),
    /** When the least recently confirmed item was confirmed. */
    confirmedAt: z.nullable(z.iso.datetime()),
  }),
  unansweredReviewCount: z.int(),
  /** In the business's inbox, for this viewer. */
  unreadMessageCount: z.int(),
  license: z.object({
    status: z.enum(['verified', 'pending', 'expired', 'none']),
    expiresOn: z.nullable(z.string()),
  }),
  /** Weekly hours of the main location; null if not stated. */
  hours: z.nullable(WeeklyHours),
  timeZone: z.string(),
  openNow: z.nullable(OpenNow),
})
export type GroupedBusiness = z.infer<typeof GroupedBusiness>

/** Someone on the team of at least one business of a group. */
export const GroupMember = z.extend(Person, {
  /** The role at every business of the group; null if they only have roles at single ones. */
  role: z.nullable(HelperRole),
  /** `isFromGroup`: given by the role for the group. A role at a single business takes precedence. */
  businesses: z.array(z.object({ id: Id, role: HelperRole, isFromGroup: z.boolean() })),
})
export type GroupMember = z.infer<typeof GroupMember>

const GroupParams = z.object({ id: Id })
const BusinessParams = z.object({ id: Id, businessId: Id })
const MemberParams = z.object({ id: Id, userId: Id })

export const listGroups = endpoint({
  method: 'GET',
  path: '/api/groups',
  summary: 'List the groups of businesses that you own or work for, newest first',
  tag,
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(BusinessGroup),
})

export const createGroup = endpoint({
  method: 'POST',
  path: '/api/groups',
  summary: 'Join businesses that you own into a group; 409 if one is in a group already',
  tag,
  access: 'member',
  idempotent: true,
  words: 'account',
  body: z.object({ name: GroupName, businessIds: z.array(Id).check(z.minLength(1, 'Choose a business'), z.maxLength(maxGroupSize)) }),
  response: BusinessGroup,
  status: 201,
})

export const getGroup = endpoint({
  method: 'GET',
  path: '/api/groups/:id',
  summary: 'Read a group of businesses',
  tag,
  access: 'member',
  params: GroupParams,
  response: BusinessGroup,
})

export const renameGroup = endpoint({
  method: 'PATCH',
  path: '/api/groups/:id',
  summary: 'Rename a group of businesses (owner only)',
  tag,
  access: 'member',
  words: 'account',
  params: GroupParams,
  body: z.object({ name: GroupName }),
  response: BusinessGroup,
})

export const listGroupBusinesses = endpoint({
  method: 'GET',
  path: '/api/groups/:id/businesses',
  summary: 'List the businesses of a group that you work for, by name, with what each needs',
  tag,
  access: 'member',
  paginated: true,
  params: GroupParams,
  query: z.object(page),
  response: z.array(GroupedBusiness),
})

export const joinGroup = endpoint({
  method: 'PUT',
  path: '/api/groups/:id/businesses/:businessId',
  summary: 'Add a business to a group; you must own both. Idempotent.',
  tag,
  access: 'member',
  params: BusinessParams,
  response: BusinessGroup,
})

export const leaveGroup = endpoint({
  method: 'DELETE',
  path: '/api/groups/:id/businesses/:businessId',
  summary: 'Remove a business from a group, with the roles that the group gives there. The last one ends the group.',
  tag,
  access: 'member',
  params: BusinessParams,
})

export const listGroupMembers = endpoint({
  method: 'GET',
  path: '/api/groups/:id/members',
  summary: "List everyone on the teams of a group's businesses, by ID (owner only)",
  tag,
  access: 'member',
  paginated: true,
  params: GroupParams,
  query: z.object(page),
  response: z.array(GroupMember),
})

export const setGroupRole = endpoint({
  method: 'PUT',
  path: '/api/groups/:id/members/:userId',
  summary: 'Give someone on a team a role at every business of the group, also those that join later (owner only). Idempotent.',
  tag,
  access: 'member',
  params: MemberParams,
  body: z.object({ role: HelperRole }),
  response: GroupMember,
})

export const removeGroupRole = endpoint({
  method: 'DELETE',
  path: '/api/groups/:id/members/:userId',
  summary: 'Take back a role for a whole group; roles at single businesses stay (owner only). Idempotent.',
  tag,
  access: 'member',
  params: MemberParams,
})

const HoursOf = z.array(z.object({ businessId: Id, hours: z.nullable(WeeklyHours) }))

export const setGroupHours = endpoint({
  method: 'PUT',
  path: '/api/groups/:id/hours',
  summary: 'Set the weekly hours of several businesses of a group at once. Send `before` back to undo it (owner only).',
  tag,
  access: 'member',
  params: GroupParams,
  body: z.object({ businesses: HoursOf.check(z.minLength(1, 'Choose a business'), z.maxLength(maxGroupSize)) }),
  response: z.object({ before: HoursOf }),
})
