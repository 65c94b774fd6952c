import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { page } from './pagination.ts'

const Named = z.object({ id: Id, name: z.string() })

export const AuditRow = z.object({
  /** Its place in the log, from 1. */
  sequence: z.int(),
  at: z.iso.datetime(),
  /** `license.verified`: the subject and what became of it. */
  action: z.string(),
  /** Who did it; null for the software itself. A name of null: the account is gone. */
  actor: z.nullable(z.object({ id: Id, name: z.nullable(z.string()) })),
  subjectType: z.string(),
  subjectId: Id,
  /** Of people and businesses that are there. */
  subjectName: z.nullable(z.string()),
  business: z.nullable(z.extend(Named, { slug: z.string() })),
  /** Ids, numbers and words of our own. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  hash: z.string(),
})
export type AuditRow = z.infer<typeof AuditRow>

const optionalId = z.optional(Id)

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'The audit log, newest first, by action, subject, actor, business and time',
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object({
    ...page,
    /** One action (`claim.approved`) or all of a subject (`claim`). */
    action: z.optional(
      z.string().check(z.regex(/^[a-z_]{1,60}(\.[a-z_]{1,60})?$/, 'Write it as claim.approved, or claim for all of them')),
    ),
    subject: optionalId,
    /** Who did it. */
    actor: optionalId,
    business: optionalId,
    from: z.optional(z.iso.datetime('Not a time')),
    to: z.optional(z.iso.datetime('Not a time')),
  }),
  response: z.array(AuditRow),
})

export const listAuditActions = endpoint({
  method: 'GET',
  path: '/api/admin/audit/actions',
  summary: 'The actions that the log holds, by name',
  tag: 'Admin',
  access: 'admin',
  response: z.array(z.string()),
})
