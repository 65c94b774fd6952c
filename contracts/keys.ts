import { keyScopes } from './choices.ts'
import { Id, line } from './fields.ts'
import { maxKeyDays } from './limits.ts'
import * as z from './zod.ts'

const KeyScope = z.enum(keyScopes)

/** `stopped`: the key's creator may no longer manage keys, for example after leaving the team. */
const KeyState = z.enum(['working', 'expired', 'revoked', 'stopped'])

export const BusinessKey = z.object({
  id: Id,
  name: z.string(),
  scopes: z.array(KeyScope),
  /** The secret's last characters, to tell keys apart. */
  secretEnd: z.string(),
  state: KeyState,
  /** The team member's name. */
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.nullable(z.iso.datetime()),
  lastUsedAt: z.nullable(z.iso.datetime()),
})
export type BusinessKey = z.infer<typeof BusinessKey>

export const NewKey = z.object({
  name: line(60, 'Name the key after the system that will use it'),
  scopes: z.array(KeyScope).check(z.minLength(1, 'Choose what the key may do'), z.maxLength(keyScopes.length)),
  expiresInDays: z._default(
    z.nullable(z.int('Must be a whole number of days').check(z.minimum(1, 'At least one day'), z.maximum(maxKeyDays, 'At most two years'))),
    null,
  ),
})
