import { Link } from '@tanstack/react-router'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import type { PostType } from '../../../contracts/posts.ts'
import { Field } from '../../ui/field.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Select } from '../../ui/select.tsx'
import { personalTypes, postTypes } from './post-words.ts'

type PostTypeFieldProps = {
  value: PostType
  /** Null: the post goes out under the person's own name. */
  business: Pick<MyBusiness, 'slug' | 'name' | 'role' | 'isLicenseVerified'> | null
  error: string | undefined
  onChange: (type: PostType) => void
}

/** The kind of post. A type that the business can't publish is off, and the field says why. */
export function PostTypeField({ value, business, error, onChange }: PostTypeFieldProps) {
  const types = (Object.keys(postTypes) as PostType[]).filter((type) => business || personalTypes.includes(type))
  const needsLicense = business !== null && !business.isLicenseVerified
  const isOff = (type: PostType) => needsLicense && !personalTypes.includes(type)
  const isAdvertising = !personalTypes.includes(value)
  return (
    <Field
      label="Post type"
      hint={
        <>
          <span className="block">{postTypes[value].hint}</span>
          {isAdvertising && <span className="block">Only people who are old enough for it where your business is will see it.</span>}
          {needsLicense && (
            <span className="mt-1 block">
              Promotions and products need a verified license.{' '}
              {business.role === 'staff' ? (
                `The owner of ${business.name} can have it verified.`
              ) : (
                <Link to="/business-dashboard/license" search={{ business: business.slug }} className={textLink}>
                  Verify your license
                </Link>
              )}
            </span>
          )}
        </>
      }
      error={error}
    >
      <Select name="postType" value={value} onChange={(event) => onChange(event.target.value as PostType)}>
        {types.map((type) => (
          <option key={type} value={type} disabled={isOff(type)}>
            {postTypes[type].label}
            {isOff(type) && ' (needs a verified license)'}
          </option>
        ))}
      </Select>
    </Field>
  )
}
