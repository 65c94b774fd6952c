import { endpoint } from './endpoint.ts'
import { Id, page } from './fields.ts'
import * as z from './zod.ts'

const Named = z.object({ id: Id, name: z.string() })

export const AuditRow = z.object({
  /** Position in the log, from 1. */
  sequence: z.int(),
  at: z.iso.datetime(),
  /** Subject and outcome: `license.verified`. */
  action: z.string(),
  /** Null for the system. A null name means that the account was deleted. */
  actor: z.nullable(z.object({ id: Id, name: z.nullable(z.string()) })),
  subjectType: z.string(),
  subjectId: Id,
  /** Only for people and businesses that still exist. */
  subjectName: z.nullable(z.string()),
  business: z.nullable(z.extend(Named, { slug: z.string() })),
  /** IDs, numbers and fixed terms; never user text. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  hash: z.string(),
})
export type AuditRow = z.infer<typeof AuditRow>

const optionalId = z.optional(Id)

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'Search the audit log by action, subject, actor, business and time, newest first',
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object({
    ...page,
    /** One action (`claim.approved`) or all actions on a subject (`claim`). */
    action: z.optional(
      z.string().check(z.regex(/^[a-z_]{1,60}(\.[a-z_]{1,60})?$/, 'Enter it as claim.approved, or claim for all of them')),
    ),
    subject: optionalId,
    actor: optionalId,
    business: optionalId,
    from: z.optional(z.iso.datetime('Must be a time')),
    to: z.optional(z.iso.datetime('Must be a time')),
  }),
  response: z.array(AuditRow),
})

export const listAuditActions = endpoint({
  method: 'GET',
  path: '/api/admin/audit/actions',
  summary: 'List the actions in the audit log by name',
  tag: 'Admin',
  access: 'admin',
  response: z.array(z.string()),
})
