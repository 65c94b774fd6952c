import * as z from 'zod/mini'
import { PasswordAgain } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './ids.ts'

const tag = 'Own data'

/** An export is kept so long, and an account that is to go can be kept so long. */
export const exportDays = 7
export const graceDays = 14
/** More than these in a day are not made. */
export const mostExportsOfDay = 3

export const DataExport = z.object({
  id: Id,
  /** `making` is waiting, too. */
  status: z.enum(['making', 'ready', 'failed']),
  /** Of what is to be written, 0 to 100. */
  progress: z.int(),
  requestedAt: z.iso.datetime(),
  readyAt: z.nullable(z.iso.datetime()),
  /** Until then the file is here. */
  expiresAt: z.nullable(z.iso.datetime()),
  byteSize: z.nullable(z.int()),
})
export type DataExport = z.infer<typeof DataExport>

export const listDataExports = endpoint({
  method: 'GET',
  path: '/api/user/exports',
  summary: 'The exports of the own data that are made or kept, newest first',
  tag,
  access: 'account',
  whileLeaving: true,
  response: z.array(DataExport),
})

export const startDataExport = endpoint({
  method: 'POST',
  path: '/api/user/exports',
  summary: 'Make a file with everything that is stored about the own account; one at a time',
  tag,
  access: 'account',
  whileLeaving: true,
  response: DataExport,
  status: 202,
})

export const getDataExportLink = endpoint({
  method: 'POST',
  path: '/api/user/exports/:id/link',
  summary: 'An address for this session from which the file can be saved for ten minutes; asks for the password',
  tag,
  access: 'account',
  words: 'account',
  whileLeaving: true,
  rateLimit: 'sign-in',
  params: IdParams,
  body: z.object({ password: PasswordAgain }),
  response: z.object({ path: z.string() }),
})

export const AccountDeletion = z.object({
  /** The account and all that is in it go then; null where that was not asked for. */
  dueAt: z.nullable(z.iso.datetime()),
  /** False where the account has none: signing in anew proves who it is. */
  hasPassword: z.boolean(),
  /** Somebody who may act for others gives that up first. */
  isStaff: z.boolean(),
  businesses: z.array(
    z.object({
      id: Id,
      slug: z.string(),
      name: z.string(),
      /** Others are in its team: one of them becomes its owner first. Otherwise the listing is given up with the account. */
      mustHandOver: z.boolean(),
    }),
  ),
  communities: z.array(z.object({ id: Id, slug: z.string(), name: z.string() })),
  /** What is paid for and would go on: it is canceled. */
  subscriptions: z.array(z.object({ id: Id, title: z.string(), paidUntil: z.nullable(z.iso.datetime()) })),
})
export type AccountDeletion = z.infer<typeof AccountDeletion>

export const getAccountDeletion = endpoint({
  method: 'GET',
  path: '/api/user/deletion',
  summary: 'Whether the own account is to be deleted, what has to be settled first, and what ends with it',
  tag,
  access: 'account',
  whileLeaving: true,
  response: AccountDeletion,
})

/** What is typed to say that one means it. */
export const deletionWords = 'delete my account'

export const askAccountDeletion = endpoint({
  method: 'POST',
  path: '/api/user/deletion',
  summary: 'Have the own account deleted in 14 days; ends every session at once',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({
    password: PasswordAgain,
    confirmation: z
      .string(`Type “${deletionWords}”`)
      .check(z.refine((typed) => typed.trim().toLowerCase() === deletionWords, `Type “${deletionWords}”`)),
    /** The listings without anybody else in their team stay without an owner. */
    givesUpBusinesses: z._default(z.boolean(), false),
  }),
  response: z.object({ dueAt: z.iso.datetime() }),
})

export const cancelAccountDeletion = endpoint({
  method: 'DELETE',
  path: '/api/user/deletion',
  summary: 'Keep the own account after all',
  tag,
  access: 'account',
  whileLeaving: true,
})
