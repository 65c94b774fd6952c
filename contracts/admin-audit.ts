import { Id } from './fields.ts'
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
  /** Ids, numbers and fixed terms; never user text. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  hash: z.string(),
})
export type AuditRow = z.infer<typeof AuditRow>
