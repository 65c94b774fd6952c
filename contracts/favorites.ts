import { BusinessSummary } from './businesses.ts'
import { Id } from './fields.ts'
import * as z from './zod.ts'

export const Favorite = z.object({ id: Id, business: BusinessSummary, createdAt: z.iso.datetime() })
export type Favorite = z.infer<typeof Favorite>
