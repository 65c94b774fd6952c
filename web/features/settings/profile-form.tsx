import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useEffect, useRef, useState } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import type { Media } from '../../../contracts/media.ts'
import { editProfile, ProfileEdits } from '../../../contracts/settings.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { currentUserOptions, keepUser, refreshCurrentUser } from '../../lib/current-user.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { toast } from '../../ui/toast-store.ts'
import { TextareaField, TextField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { ComplianceHints } from '../compliance/compliance-hints.tsx'
import { InterestsField } from '../onboarding/interests-field.tsx'
import { PlaceField } from '../onboarding/place-field.tsx'
import { PortraitField } from './portrait-field.tsx'
import { editsOf, type ProfileValues, profileFields, valuesOf } from './profile-values.ts'
import { SectionLink } from './section-link.tsx'

type ProfileFormProps = {
  user: CurrentUser
  /** What the form begins with. */
  start: CurrentUser
  wasSaved: boolean
  onSaved: (saved: CurrentUser) => void
}

export function ProfileForm({ user, start, wasSaved, onSaved }: ProfileFormProps) {
  const subject = `settings.profile.${user.id}`
  const [saved] = useState(() => valuesOf(start))
  const form = useForm<ProfileValues>({
    defaultValues: withDraft(subject, saved),
    resolver: standardSchemaResolver(ProfileEdits) as never,
    mode: 'onTouched',
  })
  const { control, formState } = form
  const dropDraft = useDraft(form, subject)
  const [isUploading, setUploading] = useState(false)
  const [pictureError, setPictureError] = useState<string>()
  const [failure, setFailure] = useState<string | null>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  // The form of before has gone, and the focus with it.
  useEffect(() => {
    if (wasSaved) saveButton.current?.focus({ preventScroll: true })
  }, [wasSaved])

  const setPicture = (picture: Media | null) => {
    setPictureError(undefined)
    form.setValue('pictureUrl', picture?.sources[0]?.webp ?? '')
    form.setValue('pictureId', picture?.id ?? '')
  }

  const submit = form.handleSubmit(async () => {
    setFailure(null)
    setPictureError(undefined)
    try {
      // The form's own values: the schema knows nothing of the picture's address.
      const after = await call(editProfile, { body: editsOf(form.getValues(), saved) })
      dropDraft()
      showEverywhere(after)
      toast({ title: 'Profile updated successfully!' })
      onSaved(after)
    } catch (error) {
      if (error instanceof ApiError) setPictureError(error.fields.imageId)
      const isShown = showServerErrors(form, error, profileFields) || (error instanceof ApiError && error.fields.imageId !== undefined)
      if (!isShown) setFailure(`Your profile was not saved. ${messageOf(error)}`)
      // The root shows the way to sign in again; the draft waits.
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={submit} aria-label="Profile Information" className="grid gap-5">
      <PictureOf control={control} user={user} error={pictureError} onChange={setPicture} onBusy={setUploading} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField control={control} name="firstName" label="First Name" autoComplete="given-name" maxLength={80} />
        <TextField control={control} name="lastName" label="Last Name" autoComplete="family-name" maxLength={80} />
      </div>
      <TextField
        control={control}
        name="displayName"
        label="Display Name"
        optional
        autoComplete="nickname"
        maxLength={80}
        hint="Shown in place of your first and last name."
      />
      <div className="grid gap-1.5">
        <Field label="Email" hint="Contact support to change your email address">
          <Input type="email" value={user.email} readOnly autoComplete="off" />
        </Field>
        <p className="text-muted text-sm">
          Or change it yourself under{' '}
          <SectionLink to="sign-in" className={textLink}>
            Sign-in and security
          </SectionLink>
          .
        </p>
      </div>
      <PlaceField control={control} name="location" finest="city" hint="City only. We never show anything more precise." />
      <div className="grid gap-3">
        <TextareaField control={control} name="bio" label="Bio" optional maxLength={1000} rows={4} />
        <BioHints control={control} />
      </div>
      <InterestsField control={control} />
      {failure && (
        <div role="alert">
          <FieldError>{failure}</FieldError>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          ref={saveButton}
          type="submit"
          pending={formState.isSubmitting || isUploading}
          pendingText={isUploading ? 'Uploading the picture...' : 'Saving...'}
          className="max-sm:w-full"
        >
          Save Profile
        </Button>
        <Unsaved control={control} saved={saved} onUndo={() => form.reset(saved)} isSaving={formState.isSubmitting} />
      </div>
    </form>
  )
}

/** The name and the picture stand beside much of what is kept: each of it is read anew when it is shown the next time. */
function showEverywhere(user: CurrentUser): void {
  keepUser(user)
  const [own] = currentUserOptions.queryKey
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== own, refetchType: 'none' })
}

type PartProps = { control: Control<ProfileValues> }

// Apart from the form: each key that is pressed draws these anew and nothing else.

function PictureOf({ control, ...props }: PartProps & Omit<Parameters<typeof PortraitField>[0], 'url'>) {
  return <PortraitField {...props} url={useWatch({ control, name: 'pictureUrl' })} />
}

function BioHints({ control }: PartProps) {
  return <ComplianceHints words={{ kind: 'profile', texts: [useWatch({ control, name: 'bio' })] }} />
}

type UnsavedProps = PartProps & { saved: ProfileValues; onUndo: () => void; isSaving: boolean }

function Unsaved({ control, saved, onUndo, isSaving }: UnsavedProps) {
  const values = useWatch({ control }) as ProfileValues
  const isChanged = !isSaving && Object.keys(editsOf(values, saved)).length > 0
  return (
    <>
      {isChanged && (
        <Button variant="quiet" onClick={onUndo}>
          Undo changes
        </Button>
      )}
      <p role="status" className="text-muted text-sm">
        {isChanged && 'Not saved yet'}
      </p>
    </>
  )
}
