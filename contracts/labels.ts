import { wholeNumber } from './fields.ts'
import { labelSheets } from './labels.rules.ts'
import * as z from './zod.ts'

export const LabelSheetName = z.enum(Object.keys(labelSheets) as [keyof typeof labelSheets, ...(keyof typeof labelSheets)[]])
export type LabelSheetName = z.infer<typeof LabelSheetName>

/** Query of `GET /api/pheno-hunts/:id/labels.pdf`. */
export const LabelsQuery = z.object({
  /** `living`, or plant names without the number sign: `7,7-2`. */
  plants: z._default(
    z.string().check(z.maxLength(8000), z.regex(/^(living|\d{1,9}(-\d{1,5})?(,\d{1,9}(-\d{1,5})?)*)$/, 'Must be like 7,7-2')),
    'living',
  ),
  sheet: z._default(LabelSheetName, 'avery-5160'),
  /** Position of the first label on the first sheet, counted by rows from 1 at the top left. */
  start: z._default(wholeNumber(1, 100), 1),
  /** Whether to print the hunt's name. Without it, a lost label means something only to its grower. */
  name: z._default(z.enum(['yes', 'no']), 'no'),
})
export type LabelsQuery = z.output<typeof LabelsQuery>
