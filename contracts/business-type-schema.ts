import { businessTypes } from './business-types.ts'
import * as z from './zod.ts'

/** Separate from business-types.ts, whose names and labels are needed without Zod. */
export const BusinessTypeSchema = z.enum(businessTypes, 'Choose a business type')
