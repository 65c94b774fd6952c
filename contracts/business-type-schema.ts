import * as z from 'zod/mini'
import { businessTypes } from './business-types.ts'

/** Apart from business-types.ts, whose names and labels are needed where Zod is not. */
export const BusinessTypeSchema = z.enum(businessTypes, 'Choose a business type')
