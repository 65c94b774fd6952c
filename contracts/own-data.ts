import { Id } from './fields.ts'
import * as z from './zod.ts'

/** Exports per day. */
export const maxExportsPerDay = 3

export const DataExport = z.object({
  id: Id,
  /** Includes waiting ones. */
  status: z.enum(['making', 'ready', 'failed']),
  /** Percentage of the data written. */
  progress: z.int(),
  requestedAt: z.iso.datetime(),
  readyAt: z.nullable(z.iso.datetime()),
  /** The file is deleted then. */
  expiresAt: z.nullable(z.iso.datetime()),
  byteSize: z.nullable(z.int()),
})
export type DataExport = z.infer<typeof DataExport>

export const AccountDeletion = z.object({
  /** When the account and its content will be deleted; null if not requested. */
  dueAt: z.nullable(z.iso.datetime()),
  /** False if the account has no password and must sign in again to re-authenticate. */
  hasPassword: z.boolean(),
  /** Moderators and admins must give up their role first. */
  isStaff: z.boolean(),
  businesses: z.array(
    z.object({
      id: Id,
      slug: z.string(),
      name: z.string(),
      /** The team has other members, so one of them must become the owner first. Otherwise the listing is given up with the account. */
      mustHandOver: z.boolean(),
    }),
  ),
  communities: z.array(z.object({ id: Id, slug: z.string(), name: z.string() })),
  /** Renewing purchases, which will be canceled. */
  subscriptions: z.array(z.object({ id: Id, title: z.string(), paidUntil: z.nullable(z.iso.datetime()) })),
})
export type AccountDeletion = z.infer<typeof AccountDeletion>
