import { type ReactNode, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { CurrentUser } from '#contracts/accounts.ts'
import { savePersonalProfile, savePrivacy, updateProfile } from '#contracts/calls/accounts.ts'
import type { PersonalProfile } from '#contracts/people.ts'
import { BirthdayField, InterestsField } from '#web/entities/accounts/profile-fields.tsx'
import { type ProfileValues, profileFields, profileOf, profileResolver } from '#web/entities/accounts/profile-schema.ts'
import { TextareaField, TextField } from '#web/forms/fields.tsx'
import { changedFields, useDraft, withDraft } from '#web/forms/form-draft.ts'
import { PlaceField } from '#web/forms/place-field.tsx'
import { isSignedOut, otherErrors, refusalOf, showServerErrors } from '#web/forms/server-errors.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { FieldGroup, FormError } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast-store.ts'

type PersonalFormProps = {
  user: CurrentUser
  onSaved(): Promise<void>
  back?: ReactNode
}

export function PersonalForm({ user, onSaved, back }: PersonalFormProps) {
  const subject = `profile.${user.id}`
  const needsBirthday = user.birthday === null
  const [saved] = useState(() => profileOf(user))
  const [defaultValues] = useState(() => withDraft(subject, saved))
  const [resolver] = useState(() => profileResolver(needsBirthday))
  const form = useForm<ProfileValues, unknown, PersonalProfile>({ defaultValues, resolver, mode: 'onTouched' })
  const { control, formState } = form
  const dropDraft = useDraft(form, subject, [], saved)

  const submit = form.handleSubmit(async (profile) => {
    try {
      if (user.hasCompletedOnboarding) await saveChanges(profile, saved)
      else await call(savePersonalProfile, { body: profile })
      dropDraft()
      toast({ title: `Welcome to ${brand.name}!`, description: 'Your profile has been created successfully.' })
      await onSaved()
    } catch (error) {
      console.error(error)
      showServerErrors(form, error, profileFields)
      const others = otherErrors(error, profileFields)
      if (others) form.setError('root', { message: others })
      toast({ title: 'Error', description: refusalOf(error) ?? 'Failed to create profile. Please try again.', variant: 'destructive' })
      // This makes the root route show the sign-in form. The draft is saved.
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={submit} aria-label="Personal profile" className="grid gap-5">
      <div className="grid gap-4 min-[420px]:grid-cols-2">
        <TextField control={control} name="firstName" label="First Name" autoComplete="given-name" maxLength={80} />
        <TextField control={control} name="lastName" label="Last Name" autoComplete="family-name" maxLength={80} />
      </div>
      {needsBirthday && <BirthdayField control={control} name="birthday" hint="Only you can see it." />}
      <PlaceField control={control} name="location" finest="city" hint="City only. We never show anything more precise." />
      <TextareaField control={control} name="bio" label="Bio" optional maxLength={1000} rows={3} />
      <InterestsField control={control} />
      <FieldGroup legend="Privacy">
        <div className="grid gap-3 rounded-card border border-line p-4">
          <Controller
            control={control}
            name="isProfilePublic"
            render={({ field: { value, ...field } }) => (
              <Checkbox {...field} checked={value} hint="Others can see your full profile, not only your name.">
                Public Profile
              </Checkbox>
            )}
          />
          <Controller
            control={control}
            name="allowLocationSharing"
            render={({ field: { value, ...field } }) => (
              <Checkbox {...field} checked={value} hint="Your city is shown on your profile.">
                Location Sharing
              </Checkbox>
            )}
          />
        </div>
      </FieldGroup>
      <FormError>{formState.errors.root?.message}</FormError>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
        {back}
        <Button
          type="submit"
          size="lg"
          pending={formState.isSubmitting}
          pendingText={user.hasCompletedOnboarding ? 'Saving...' : 'Creating...'}
          className="max-sm:order-first max-sm:w-full"
        >
          {user.hasCompletedOnboarding ? 'Save Profile' : 'Create Profile'}
        </Button>
      </div>
    </form>
  )
}

/** Sends only changes, so that edits from elsewhere, such as a profile made private in Settings, aren't overwritten. */
async function saveChanges({ isProfilePublic, allowLocationSharing, birthday: _, ...words }: PersonalProfile, saved: ProfileValues) {
  const privacy = changedFields({ isProfilePublic, allowLocationSharing }, saved)
  const profile = changedFields(words, saved)
  if (Object.keys(privacy).length > 0) await call(savePrivacy, { body: privacy })
  if (Object.keys(profile).length > 0) await call(updateProfile, { body: profile })
}
