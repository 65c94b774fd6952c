import * as z from 'zod/mini'
import { businessTypes } from './business-types.ts'

/** Separate from business-types.ts, whose names and labels are needed without Zod. */
export const BusinessTypeSchema = z.enum(businessTypes, 'Choose a business type')
