import type { PostType } from '../../../contracts/posts.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { personalTypes, postTypes } from './post-words.ts'

type PostTypeFieldProps = { value: PostType; isBusiness: boolean; error: string | undefined; onChange: (type: PostType) => void }

/** What kind of post it is; the hint says what that is for. */
export function PostTypeField({ value, isBusiness, error, onChange }: PostTypeFieldProps) {
  const types = (Object.keys(postTypes) as PostType[]).filter((type) => isBusiness || personalTypes.includes(type))
  const isAdvertising = !personalTypes.includes(value)
  return (
    <Field
      label="Post type"
      hint={
        <>
          {postTypes[value].hint}
          {isAdvertising && '. Shown to people who are old enough for it where your business is.'}
        </>
      }
      error={error}
    >
      <Select name="postType" value={value} onChange={(event) => onChange(event.target.value as PostType)}>
        {types.map((type) => (
          <option key={type} value={type}>
            {postTypes[type].label}
          </option>
        ))}
      </Select>
    </Field>
  )
}
