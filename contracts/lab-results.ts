import { Id, line } from './fields.ts'
import { Day } from './hunts.ts'
import * as z from './zod.ts'

const amount = z.number('Must be a number').check(z.minimum(0, 'At least 0'), z.maximum(1e6, 'Too large'))

const fields = {
  lab: line(120),
  testedOn: Day,
  /** Position of the sample on the plant: “top”, “bottom”. */
  samplePosition: line(60),
  analyte: line(60, 'Enter the analyte'),
  /** Null: below the limit of quantification. */
  value: z.nullable(amount),
  unit: line(20),
  quantificationLimit: z.nullable(amount),
}

export const LabResult = z.object({ ...fields, id: Id, huntId: Id, plantId: Id, genotypeId: Id, version: z.int() })
export type LabResult = z.infer<typeof LabResult>

export const NewLabResult = z.object({
  id: z.optional(Id),
  plantId: Id,
  lab: z._default(fields.lab, ''),
  testedOn: fields.testedOn,
  samplePosition: z._default(fields.samplePosition, ''),
  analyte: fields.analyte,
  value: fields.value,
  unit: z._default(fields.unit, '%'),
  quantificationLimit: z._default(fields.quantificationLimit, null),
})
export type NewLabResult = z.infer<typeof NewLabResult>

export const LabResultChange = z.extend(z.partial(z.object(fields)), { version: z.int() })
export type LabResultChange = z.infer<typeof LabResultChange>
