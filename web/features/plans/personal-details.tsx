import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type ReactNode, useState } from 'react'
import { type Control, type Resolver, useController, useForm, useWatch } from 'react-hook-form'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { editProfile, ProfileEdits } from '../../../contracts/settings.ts'
import { call } from '../../lib/call.ts'
import { keepUser, refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldGroup } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'
import { TextField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { PlaceField } from '../onboarding/place-field.tsx'
import { profileOf } from '../onboarding/profile-schema.ts'
import { choicesOf, interestChoices, withChoices } from './onboarding-draft.ts'
import { WizardFoot } from './wizard-foot.tsx'

type PersonalDetailsProps = { user: CurrentUser; onSaved: () => Promise<void>; back: ReactNode }

type Values = { firstName: string; lastName: string; location: string; interests: string[] }
const fields = ['firstName', 'lastName', 'location', 'interests'] as const

/** The person's own profile, as far as the plans page asks for it. The rest of it stays as it is. */
export function PersonalDetails({ user, onSaved, back }: PersonalDetailsProps) {
  const subject = `plans-profile.${user.id}`
  const [defaultValues] = useState<Values>(() => {
    const { firstName, lastName, location, interests } = profileOf(user)
    return withDraft(subject, { firstName, lastName, location, interests })
  })
  const [resolver] = useState(() => standardSchemaResolver(ProfileEdits) as Resolver<object, unknown, ProfileEdits> as never)
  const form = useForm<Values, unknown, ProfileEdits>({ defaultValues, resolver, mode: 'onTouched' })
  const dropDraft = useDraft(form, subject)
  const { control, formState } = form
  const [firstName, lastName] = useWatch({ control, name: ['firstName', 'lastName'] })

  const submit = form.handleSubmit(async (body) => {
    try {
      keepUser(await call(editProfile, { body }))
      dropDraft()
      await onSaved()
    } catch (error) {
      console.error(error)
      showServerErrors(form, error, fields)
      toast({ title: 'Error', description: 'Failed to create profile. Please try again.', variant: 'destructive' })
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <div className="grid gap-4 min-[420px]:grid-cols-2">
        <TextField control={control} name="firstName" label="First Name" autoComplete="given-name" maxLength={80} />
        <TextField control={control} name="lastName" label="Last Name" autoComplete="family-name" maxLength={80} />
      </div>
      <PlaceField control={control} name="location" finest="city" optional />
      <Interests control={control} />
      <div className="mt-2">
        <WizardFoot back={back}>
          <Button
            type="submit"
            size="lg"
            disabled={firstName.trim() === '' || lastName.trim() === ''}
            pending={formState.isSubmitting}
            pendingText="Saving..."
          >
            Complete Setup
          </Button>
        </WizardFoot>
      </div>
    </form>
  )
}

function Interests<Output>({ control }: { control: Control<Values, unknown, Output> }) {
  const { field, fieldState } = useController({ control, name: 'interests' })
  const chosen = choicesOf(field.value)
  return (
    <FieldGroup legend="Interests" error={fieldState.error?.message}>
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        {interestChoices.map((choice) => (
          <Checkbox
            key={choice}
            checked={chosen.includes(choice)}
            onChange={(event) =>
              field.onChange(
                withChoices(field.value, event.target.checked ? [...chosen, choice] : chosen.filter((other) => other !== choice)),
              )
            }
            onBlur={field.onBlur}
          >
            {choice}
          </Checkbox>
        ))}
      </div>
    </FieldGroup>
  )
}
