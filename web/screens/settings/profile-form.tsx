import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { ImagePlus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type Control, useForm, useFormState, useWatch } from 'react-hook-form'
import type { CurrentUser } from '#contracts/accounts.ts'
import { updateProfile } from '#contracts/calls/accounts.ts'
import type { Media } from '#contracts/media.ts'
import { ownDisplayName } from '#contracts/people.rules.ts'
import { ProfileEdits } from '#contracts/settings.ts'
import { InterestsField } from '#web/entities/accounts/profile-fields.tsx'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { acceptedImages, pictureProblem } from '#web/entities/media/check-file.ts'
import { FileChoice, useOneUpload } from '#web/entities/media/file-choice.tsx'
import { TextareaField, TextField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { PlaceField } from '#web/forms/place-field.tsx'
import { fieldErrors, isSignedOut, showServerErrors } from '#web/forms/server-errors.ts'
import { call } from '#web/lib/call.ts'
import { cacheUser, expireOthers, refreshCurrentUser } from '#web/lib/current-user.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldGroup, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'
import { SectionLink } from './section-links.tsx'

type ProfileFormProps = {
  user: CurrentUser
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
  const dropDraft = useDraft(form, subject, [], saved)
  const [isUploading, setUploading] = useState(false)
  const [pictureError, setPictureError] = useState<string>()
  const [failure, setFailure] = useState<string | null>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  // The previous form, which had focus, was unmounted.
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
      // The schema doesn't have a picture URL, so use the form's raw values.
      const after = await call(updateProfile, { body: editsOf(form.getValues(), saved) })
      dropDraft()
      showEverywhere(after)
      toast({ title: 'Profile updated successfully!', description: unknownPlace(after) })
      onSaved(after)
    } catch (error) {
      const { imageId } = fieldErrors(error)
      setPictureError(imageId)
      const rest = showServerErrors(form, error, profileFields)
      if (rest && rest !== imageId) setFailure(`Your profile wasn’t saved. ${rest}`)
      // This makes the root route show the sign-in form. The draft is saved.
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
      <PlaceField control={control} name="location" finest="city" hint={unknownPlace(start) ?? cityHint} />
      <div className="grid gap-3">
        <TextareaField control={control} name="bio" label="Bio" optional maxLength={1000} rows={4} />
        <BioHints control={control} />
      </div>
      <InterestsField control={control} />
      <FormError>{failure}</FormError>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          ref={saveButton}
          type="submit"
          pending={formState.isSubmitting || isUploading}
          pendingText={isUploading ? 'Uploading picture...' : 'Saving...'}
          className="max-sm:w-full"
        >
          Save Profile
        </Button>
        <Unsaved control={control} saved={saved} onUndo={() => form.reset(saved)} isSaving={formState.isSubmitting} />
      </div>
    </form>
  )
}

const cityHint = 'City only. We never show anything more precise.'

/** Undefined if the server recognizes the saved place, or there is none. */
export const unknownPlace = ({ location, isLocationKnown }: Pick<CurrentUser, 'location' | 'isLocationKnown'>): string | undefined =>
  location && !isLocationKnown
    ? `We don’t know “${location}”, so nearby results won’t work. Enter a US city or ZIP code to see businesses near you.`
    : undefined

function showEverywhere(user: CurrentUser): void {
  cacheUser(user)
  expireOthers()
}

type PartProps = { control: Control<ProfileValues> }

// Because these are separate components, keystrokes rerender only them.

function PictureOf({ control, ...props }: PartProps & Omit<Parameters<typeof PortraitField>[0], 'url'>) {
  return <PortraitField {...props} url={useWatch({ control, name: 'pictureUrl' })} />
}

/** Renders nothing for a refused bio: its field explains why, and hints that load later would move the buttons under the pointer. */
function BioHints({ control }: PartProps) {
  const bio = useWatch({ control, name: 'bio' })
  const { errors } = useFormState({ control, name: 'bio' })
  return errors.bio ? null : <ComplianceHints words={{ kind: 'profile', texts: [bio] }} />
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
        {isChanged && 'Unsaved changes'}
      </p>
    </>
  )
}

type PortraitFieldProps = {
  user: CurrentUser
  url: string
  error: string | undefined
  onChange: (picture: Media | null) => void
  onBusy: (isBusy: boolean) => void
}

/** The picture is decorative, so it doesn't have alternative text. */
function PortraitField({ user, url, error, onChange, onBusy }: PortraitFieldProps) {
  const upload = useOneUpload({ problemOf: pictureProblem, onReady: onChange, onBusy })
  const choose = useRef<HTMLButtonElement>(null)
  const remove = () => {
    onChange(null)
    // The pressed button was unmounted, so move its focus.
    choose.current?.focus()
  }
  return (
    <FieldGroup legend="Profile picture" error={error}>
      <div className="flex items-center gap-5 max-[22.5rem]:grid max-[22.5rem]:gap-3">
        <Avatar id={user.id} name={ownDisplayName(user)} imageUrl={url || null} size="xl" />
        <div className="grid min-w-0 flex-1 gap-2.5">
          <FileChoice ref={choose} upload={upload} accept={acceptedImages} label="Picture file" onRemove={url ? remove : null}>
            <ImagePlus aria-hidden="true" />
            {url ? 'Change picture' : 'Add a picture'}
          </FileChoice>
          {upload.state.status === 'none' && (
            <p className="text-muted text-sm">Shown in a circle. We remove location and date information from the file.</p>
          )}
        </div>
      </div>
    </FieldGroup>
  )
}

export type ProfileValues = {
  displayName: string
  firstName: string
  lastName: string
  location: string
  bio: string
  interests: string[]
  pictureUrl: string
  pictureId: string
}

/** In page order, to focus the first invalid field. */
export const profileFields = ['firstName', 'lastName', 'displayName', 'location', 'bio', 'interests'] as const

const valuesOf = (user: CurrentUser): ProfileValues => ({
  displayName: user.displayName ?? '',
  firstName: user.firstName ?? '',
  lastName: user.lastName ?? '',
  location: user.location ?? '',
  bio: user.bio ?? '',
  interests: user.interests,
  pictureUrl: user.profileImageUrl ?? '',
  pictureId: '',
})

/** Includes only changed fields, so edits from elsewhere aren't overwritten. */
export function editsOf(values: ProfileValues, saved: ProfileValues): ProfileEdits {
  const changed = profileFields.filter((field) => String(values[field]) !== String(saved[field]))
  return {
    ...Object.fromEntries(changed.map((field) => [field, values[field]])),
    ...(values.pictureUrl === saved.pictureUrl ? {} : { imageId: values.pictureId || null }),
  }
}
