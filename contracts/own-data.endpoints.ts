import { PasswordAgain } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './fields.ts'
import { deletionPhrase } from './limits.ts'
import * as z from './zod.ts'

export const maxExportsPerDay = 3

export const DataExport = z.object({
  id: Id,
  /** `making` includes exports that haven't started. */
  status: z.enum(['making', 'ready', 'failed']),
  /** Percentage of the data written. */
  progress: z.int(),
  requestedAt: z.iso.datetime(),
  readyAt: z.nullable(z.iso.datetime()),
  expiresAt: z.nullable(z.iso.datetime()),
  byteSize: z.nullable(z.int()),
})
export type DataExport = z.infer<typeof DataExport>

export const AccountDeletion = z.object({
  /** When the account and its content will be deleted. Null if not requested. */
  dueAt: z.nullable(z.iso.datetime()),
  /** If the account has no password, the person re-authenticates by signing in again. */
  hasPassword: z.boolean(),
  /** Moderators and admins must give up their role first. */
  isStaff: z.boolean(),
  businesses: z.array(
    z.object({
      id: Id,
      slug: z.string(),
      name: z.string(),
      /**
       * Whether another team member must become the owner first. If the team has no other members, deleting the account leaves the listing
       * without an owner.
       */
      mustHandOver: z.boolean(),
    }),
  ),
  communities: z.array(z.object({ id: Id, slug: z.string(), name: z.string() })),
  /** Purchases that renew, which will be canceled. */
  subscriptions: z.array(z.object({ id: Id, title: z.string(), paidUntil: z.nullable(z.iso.datetime()) })),
})
export type AccountDeletion = z.infer<typeof AccountDeletion>

const tag = 'Your data'

export const listDataExports = endpoint({
  method: 'GET',
  path: '/api/user/exports',
  summary: 'List your ten newest data exports, newest first',
  tag,
  access: 'account',
  whileLeaving: true,
  response: z.array(DataExport),
})

export const startDataExport = endpoint({
  method: 'POST',
  path: '/api/user/exports',
  summary: 'Create an export of your account data; one at a time',
  tag,
  access: 'account',
  whileLeaving: true,
  response: DataExport,
  status: 202,
})

export const getDataExportLink = endpoint({
  method: 'POST',
  path: '/api/user/exports/:id/link',
  summary: 'Create a download link that works for ten minutes, in this session only. Requires re-authentication.',
  tag,
  access: 'account',
  words: 'account',
  whileLeaving: true,
  rateLimit: 'sign-in',
  params: IdParams,
  body: z.object({ password: PasswordAgain }),
  response: z.object({ path: z.string() }),
})

export const getAccountDeletion = endpoint({
  method: 'GET',
  path: '/api/user/deletion',
  summary: "Read whether your account will be deleted, what you must resolve first, and what you'll lose",
  tag,
  access: 'account',
  whileLeaving: true,
  response: AccountDeletion,
})

export const requestAccountDeletion = endpoint({
  method: 'POST',
  path: '/api/user/deletion',
  summary: 'Schedule the deletion of your account in 14 days; ends every session immediately',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({
    password: PasswordAgain,
    confirmation: z
      .string(`Type “${deletionPhrase}”`)
      .check(z.refine((typed) => typed.trim().toLowerCase() === deletionPhrase, `Type “${deletionPhrase}”`)),
    /** Confirms that listings without other team members will have no owner. */
    givesUpBusinesses: z._default(z.boolean(), false),
  }),
  response: z.object({ dueAt: z.iso.datetime() }),
})

export const cancelAccountDeletion = endpoint({
  method: 'DELETE',
  path: '/api/user/deletion',
  summary: 'Cancel the deletion of your account',
  tag,
  access: 'account',
  whileLeaving: true,
})
