import type { Control } from 'react-hook-form'
import { businessTypeLabels, businessTypes } from '../../../contracts/business-types.ts'
import { SelectField, TextField } from './fields.tsx'
import type { SignUpValues } from './sign-up-schema.ts'

export const licenseNumberHint = 'Needed for subscription features and for verification. You can add it later.'

/** What a business tells of itself when its account is made. */
export function BusinessTypeFields<Output>({ control }: { control: Control<SignUpValues, unknown, Output> }) {
  return (
    <>
      <SelectField control={control} name="businessType" label="Business Type">
        <option value="" disabled hidden>
          Choose a type
        </option>
        {businessTypes.map((type) => (
          <option key={type} value={type}>
            {businessTypeLabels[type]}
          </option>
        ))}
      </SelectField>
      <TextField control={control} name="licenseNumber" label="License Number" optional autoComplete="off" hint={licenseNumberHint} />
    </>
  )
}
