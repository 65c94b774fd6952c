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

/** Businesses with one owner, run as a group. Each has its own page, plans and payments. */
export const BusinessGroup = z.object({
  id: Id,
  name: z.string(),
  /** If false, the viewer sees only the businesses they work for. */
  isOwner: z.boolean(),
  businessCount: z.int(),
})
export type BusinessGroup = z.infer<typeof BusinessGroup>

export const GroupedBusiness = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  /** The name, with city or street if another business in the group has the same name. */
  label: z.string(),
  type: BusinessTypeSchema,
  location: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  role: TeamRole,
  followerCount: z.int(),
  menu: z.object({
    itemCount: z.int(),
    /** The oldest confirmation among the menu's items. */
    confirmedAt: z.nullable(z.iso.datetime()),
  }),
  unansweredReviewCount: z.int(),
  /** In the business's inbox, for this viewer. */
  unreadMessageCount: z.int(),
  license: z.object({
    status: z.enum(['verified', 'pending', 'expired', 'none']),
    expiresOn: z.nullable(z.string()),
  }),
  /** For the main location. Null if not stated. */
  hours: z.nullable(WeeklyHours),
  timeZone: z.string(),
  openNow: z.nullable(OpenNow),
})
export type GroupedBusiness = z.infer<typeof GroupedBusiness>

export const GroupMember = z.extend(Person, {
  /** The role at every business in the group; null for people with roles only at individual businesses. */
  role: z.nullable(HelperRole),
  /** `isFromGroup`: the group's role applies here. A role at a single business takes precedence. */
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
  summary: 'Create a group of businesses that you own. Returns 409 if one of them is in a group.',
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
  summary: 'List the businesses in a group that you work for, by name, with what needs attention at each',
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
  summary: 'Remove a business from a group, along with the roles that the group grants there. Removing the last one deletes the group.',
  tag,
  access: 'member',
  params: BusinessParams,
})

export const listGroupMembers = endpoint({
  method: 'GET',
  path: '/api/groups/:id/members',
  summary: "List everyone but you on the teams of a group's businesses, by ID (owner only)",
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
  summary: 'Give a team member a role at every business in the group, including those added later (owner only). Idempotent.',
  tag,
  access: 'member',
  params: MemberParams,
  body: z.object({ role: HelperRole }),
  response: GroupMember,
})

export const removeGroupRole = endpoint({
  method: 'DELETE',
  path: '/api/groups/:id/members/:userId',
  summary: 'Remove a role for a whole group; roles at individual businesses are kept (owner only). Idempotent.',
  tag,
  access: 'member',
  params: MemberParams,
})

const HoursOf = z.array(z.object({ businessId: Id, hours: z.nullable(WeeklyHours) }))

export const setGroupHours = endpoint({
  method: 'PUT',
  path: '/api/groups/:id/hours',
  summary: 'Set the weekly hours of several businesses in a group (owner only). To undo, send back `before` from the response.',
  tag,
  access: 'member',
  params: GroupParams,
  body: z.object({ businesses: HoursOf.check(z.minLength(1, 'Choose a business'), z.maxLength(maxGroupSize)) }),
  response: z.object({ before: HoursOf }),
})
