import { sourceAuths, sourceSchedules } from './choices.ts'
import { Id, line, withoutNul } from './fields.ts'
import { TargetUrl } from './webhooks.ts'
import * as z from './zod.ts'

const SourceAuth = z.enum(sourceAuths)
const SourceSchedule = z.enum(sourceSchedules)

const FetchedMenu = z.object({
  importId: Id,
  status: z.enum(['running', 'done', 'failed', 'undone']),
  itemsAdded: z.int(),
  itemsChanged: z.int(),
  itemsConfirmed: z.int(),
  itemsMissing: z.int(),
  itemsRejected: z.int(),
  /** At most 100. `where` is the row or the item's ID. */
  errors: z.array(z.object({ where: z.string(), field: z.nullable(z.string()), message: z.string() })),
  at: z.iso.datetime(),
})

export const MenuSource = z.object({
  id: Id,
  url: z.string(),
  auth: SourceAuth,
  /** The username, or the header's name. */
  authName: z.nullable(z.string()),
  schedule: SourceSchedule,
  /** `failing`: the last fetch failed and, unless fetches are manual, will be repeated. `stopped`: see `stopReason`. */
  state: z.enum(['working', 'failing', 'stopped']),
  /** `failing`: every fetch failed for three days. `creator`: its creator may no longer manage connections. */
  stopReason: z.nullable(z.enum(['failing', 'creator'])),
  isFetching: z.boolean(),
  fetchedAt: z.nullable(z.iso.datetime()),
  /** `unchanged`: same menu as before, so it wasn't parsed again. */
  outcome: z.nullable(z.enum(['imported', 'unchanged', 'failed'])),
  error: z.nullable(z.string()),
  failingSince: z.nullable(z.iso.datetime()),
  nextFetchAt: z.nullable(z.iso.datetime()),
  createdBy: z.nullable(z.string()),
  lastMenu: z.nullable(FetchedMenu),
})
export type MenuSource = z.infer<typeof MenuSource>

/** Headers that the HTTP connection controls. */
const reservedHeader = /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*|accept-encoding)$/i

export const NewMenuSource = z
  .object({
    url: TargetUrl,
    auth: z._default(SourceAuth, 'none'),
    authName: z._default(line(100), ''),
    /** The password, or the header's value. If empty, the stored one remains in use, unless the URL moves to another server. */
    secret: z._default(z.string().check(z.maxLength(1000, 'At most 1,000 characters'), withoutNul), ''),
    schedule: SourceSchedule,
  })
  .check((ctx) => {
    const { auth, authName, secret } = ctx.value
    const refuse = (field: string, message: string) => ctx.issues.push({ code: 'custom', input: ctx.value, path: [field], message })
    if (auth === 'basic' && (authName === '' || authName.includes(':'))) refuse('authName', 'Enter the username, without a colon')
    if (auth === 'header' && (!/^[\w!#$%&'*+.^`|~-]+$/.test(authName) || reservedHeader.test(authName)))
      refuse('authName', 'Enter the name of a header, such as X-Api-Key')
    if (auth === 'header' && !/^[ -~]*$/.test(secret)) refuse('secret', 'Only plain letters, digits and punctuation')
  })
