import { PasswordAgain } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { IdParams } from './fields.ts'
import { deletionWords } from './limits.ts'
import { AccountDeletion, DataExport } from './own-data.ts'
import * as z from './zod.ts'

const tag = 'Your data'

export const listDataExports = endpoint({
  method: 'GET',
  path: '/api/user/exports',
  summary: 'List your data exports, newest first',
  tag,
  access: 'account',
  whileLeaving: true,
  response: z.array(DataExport),
})

export const startDataExport = endpoint({
  method: 'POST',
  path: '/api/user/exports',
  summary: 'Create an export of everything stored about your account; one at a time',
  tag,
  access: 'account',
  whileLeaving: true,
  response: DataExport,
  status: 202,
})

export const getDataExportLink = endpoint({
  method: 'POST',
  path: '/api/user/exports/:id/link',
  summary: 'Create a download link that works for ten minutes, in this session only; needs the password',
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
  summary: 'Read whether your account will be deleted, what you must settle first, and what ends with it',
  tag,
  access: 'account',
  whileLeaving: true,
  response: AccountDeletion,
})

export const askAccountDeletion = endpoint({
  method: 'POST',
  path: '/api/user/deletion',
  summary: 'Schedule the deletion of your account in 14 days; ends every session at once',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({
    password: PasswordAgain,
    confirmation: z
      .string(`Type “${deletionWords}”`)
      .check(z.refine((typed) => typed.trim().toLowerCase() === deletionWords, `Type “${deletionWords}”`)),
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
