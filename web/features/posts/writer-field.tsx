import { Link } from '@tanstack/react-router'
import type { listMyBusinesses } from '../../../contracts/businesses.ts'
import type { ResponseOf } from '../../../contracts/endpoint.ts'
import { Field } from '../../ui/field.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Select } from '../../ui/select.tsx'

type WriterFieldProps = {
  ownName: string
  businesses: ResponseOf<typeof listMyBusinesses>
  value: string
  error: string | undefined
  onChange: (businessId: string) => void
}

/** Under whose name it goes out. Whoever runs no business has no choice, and learns what a business could do. */
export function WriterField({ ownName, businesses, value, error, onChange }: WriterFieldProps) {
  if (businesses.length === 0) {
    return (
      <p className="text-muted text-sm">
        Posting as <span className="font-medium text-ink">{ownName}</span>. Promotions and products are posted by businesses.{' '}
        <Link to="/business/register" className={textLink}>
          Register your business
        </Link>
      </p>
    )
  }
  return (
    <Field label="Post as" error={error}>
      <Select name="businessId" value={value} onChange={(event) => onChange(event.target.value)}>
        {businesses.map((business) => (
          <option key={business.id} value={business.id}>
            {business.name}
          </option>
        ))}
        <option value="">{ownName} (your own name)</option>
      </Select>
    </Field>
  )
}
