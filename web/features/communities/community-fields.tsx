import { Globe, Lock, MailOpen } from 'lucide-react'
import { type Control, useController, useWatch } from 'react-hook-form'
import { type CommunityVisibility, communityCategories, communityVisibilities, type NewCommunity } from '../../../contracts/communities.ts'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { SelectField, TextareaField, TextField } from '../accounts/fields.tsx'
import { ComplianceHints } from '../compliance/compliance-hints.tsx'
import type { CommunityValues } from './community-values.ts'
import { categoryNames, visibilityHints, visibilityNames } from './community-words.ts'
import { RulesField } from './rules-field.tsx'

type CommunityControl = Control<CommunityValues, unknown, NewCommunity>

/** Name, description, category, privacy and rules: of a new community and of one that is changed. */
export function CommunityFields({ control }: { control: CommunityControl }) {
  return (
    <>
      <TextField control={control} name="name" label="Name" maxLength={60} autoComplete="off" />
      <TextareaField
        control={control}
        name="description"
        label="Description"
        rows={4}
        maxLength={1000}
        hint="What it is about and whom it is for. This is what people read before they join."
      />
      <CommunityHints control={control} />
      <SelectField control={control} name="category" label="Category">
        <option value="" disabled>
          Choose a category
        </option>
        {communityCategories.map((category) => (
          <option key={category} value={category}>
            {categoryNames[category]}
          </option>
        ))}
      </SelectField>
      <PrivacyField control={control} />
      <RulesField control={control} />
    </>
  )
}

/** Apart from the fields: each key that is pressed draws this anew and nothing else. */
function CommunityHints({ control }: { control: CommunityControl }) {
  const [name, description, rules] = useWatch({ control, name: ['name', 'description', 'rules'] })
  return <ComplianceHints words={{ kind: 'community', texts: [name, description, ...rules] }} />
}

const icons: Record<CommunityVisibility, typeof Lock> = { public: Globe, private: Lock, invite_only: MailOpen }

function PrivacyField({ control }: { control: CommunityControl }) {
  const { field, fieldState } = useController({ control, name: 'visibility' })
  return (
    <RadioCards legend="Privacy" error={fieldState.error?.message} className="sm:grid-flow-row!">
      {communityVisibilities.map((visibility) => {
        const Icon = icons[visibility]
        return (
          <RadioCard
            key={visibility}
            name="visibility"
            value={visibility}
            title={visibilityNames[visibility]}
            description={visibilityHints[visibility]}
            icon={<Icon aria-hidden="true" />}
            checked={field.value === visibility}
            onChange={() => field.onChange(visibility)}
          />
        )
      })}
    </RadioCards>
  )
}
