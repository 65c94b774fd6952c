import { Id } from './fields.ts'
import { ShareAccess } from './hunts.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

/** People a hunt can be shared with. */
export const maxShares = 100

export const HuntShare = z.object({ person: Person, access: ShareAccess, createdAt: z.iso.datetime() })
export type HuntShare = z.infer<typeof HuntShare>

export const ShareParams = z.object({ id: Id, personId: Id })
