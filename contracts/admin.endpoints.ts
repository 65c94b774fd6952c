import { Role } from './accounts.ts'
import { AdminBusiness, AdminCommunity, AdminPerson, AdminPersonDetail, Health, PlanFigures, Waiting } from './admin.ts'
import { BusinessName } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { IdParams, line, page } from './fields.ts'
import * as z from './zod.ts'

export const getWaiting = endpoint({
  method: 'GET',
  path: '/api/admin/waiting',
  summary: 'Count the items waiting for a moderator in each queue',
  tag: 'Admin',
  access: 'moderator',
  response: Waiting,
})

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/admin/health',
  summary: 'Read the system status',
  tag: 'Admin',
  access: 'admin',
  response: Health,
})

const q = z._default(line(120), '')

export const listPeople = endpoint({
  method: 'GET',
  path: '/api/admin/people',
  summary: "Find people by part of the name or email address, or by ID, newest first. Addresses aren't returned.",
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object({ ...page, q, role: z.optional(Role) }),
  response: z.array(AdminPerson),
})

export const getPerson = endpoint({
  method: 'GET',
  path: '/api/admin/people/:id',
  summary: 'Read one person, including the email address; each read is written to the audit log',
  tag: 'Admin',
  access: 'admin',
  params: IdParams,
  response: AdminPersonDetail,
})

export const changeRole = endpoint({
  method: 'PUT',
  path: '/api/admin/people/:id/role',
  summary: "Make someone a member, a moderator or an admin; you can't change your own role",
  tag: 'Admin',
  access: 'admin',
  params: IdParams,
  body: z.object({ role: Role }),
})

export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/api/admin/people/:id/sign-out',
  summary: 'End every session of a person',
  tag: 'Admin',
  access: 'admin',
  params: IdParams,
  response: z.object({ ended: z.int() }),
})

export const listBusinesses = endpoint({
  method: 'GET',
  path: '/api/admin/businesses',
  summary: 'Find businesses by words in the name, description and place, or by ID, newest first',
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object({ ...page, q, owned: z._default(z.enum(['any', 'yes', 'no']), 'any') }),
  response: z.array(AdminBusiness),
})

export const correctBusinessName = endpoint({
  method: 'PUT',
  path: '/api/admin/businesses/:id/name',
  summary: "Correct a business's name, even if it has reviews or a license. Its address on this site stays the same.",
  tag: 'Admin',
  access: 'admin',
  words: 'office',
  params: IdParams,
  body: z.object({ name: BusinessName }),
})

export const listAllCommunities = endpoint({
  method: 'GET',
  path: '/api/admin/communities',
  summary: 'Find communities by words in the name and description, or by ID, newest first. Private ones appear only to their members.',
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object({ ...page, q }),
  response: z.array(AdminCommunity),
})

export const getPlanFigures = endpoint({
  method: 'GET',
  path: '/api/admin/plans',
  summary: 'Read what is sold, and how much of it',
  tag: 'Admin',
  access: 'admin',
  response: PlanFigures,
})
