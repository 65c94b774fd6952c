import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm, useWatch } from 'react-hook-form'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import type { BusinessType } from '../../../contracts/business-types.ts'
import { type Business, createBusiness, listBusinesses, type NewBusiness } from '../../../contracts/businesses.ts'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { toast } from '../../ui/toast-store.ts'
import { BirthdayField } from '../accounts/birthday-field.tsx'
import { licenseNumberHint } from '../accounts/business-type-fields.tsx'
import { SelectField, TextareaField, TextField, WebAddressField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { CandidateOffer, useCandidates } from '../claims/candidate-offer.tsx'
import { type BusinessValues, businessFields, businessResolver, businessTypeChoices, emptyBusiness } from './business-schema.ts'
import { creationKey, dropCreationKey } from './creation-key.ts'
import { PlaceField } from './place-field.tsx'

type BusinessFormProps = {
  user: Pick<CurrentUser, 'id' | 'birthday' | 'licenseNumber' | 'hasCompletedOnboarding'>
  /** What stands in the select at first; '' lets the person choose. */
  type: BusinessType | ''
  /** Ask for the license number, too. */
  withLicense?: boolean
  onCreated(business: Business): Promise<void>
  /** A button beside the one that submits. */
  back?: ReactNode
}

/** Makes a business of the signed-in person. */
export function BusinessForm({ user, type, withLicense = false, onCreated, back }: BusinessFormProps) {
  const queryClient = useQueryClient()
  const subject = `business.${user.id}`
  const needsBirthday = user.birthday === null
  // The number from the sign-up is the first business's.
  const licenseFromSignUp = user.hasCompletedOnboarding ? '' : (user.licenseNumber ?? '')
  const [defaultValues] = useState(() => withDraft(subject, { ...emptyBusiness, businessType: type, licenseNumber: licenseFromSignUp }))
  const [resolver] = useState(() => businessResolver(needsBirthday))
  const form = useForm<BusinessValues, unknown, NewBusiness>({ defaultValues, resolver, mode: 'onTouched' })
  const { control, formState } = form
  const dropDraft = useDraft(form, subject)
  const [chosenType, name, place, licenseNumber] = useWatch({
    control,
    name: ['businessType', 'businessName', 'location', 'licenseNumber'],
  })

  const { candidates, decline, isOpen } = useCandidates({ name, place, licenseNumber })
  const offer = useRef<HTMLElement>(null)
  const [isOfferDue, setOfferDue] = useState(false)
  /** Where the server sends the person instead: the listing that has the license number. */
  const [links, setLinks] = useState<ApiError['links']>([])

  const submit = form.handleSubmit(async (body) => {
    setLinks([])
    if (await isOpen()) {
      flushSync(() => setOfferDue(true))
      offer.current?.focus()
      return
    }
    try {
      const business = await call(createBusiness, { body }, { idempotencyKey: creationKey(subject, body) })
      dropCreationKey(subject)
      dropDraft()
      toast({ title: 'Success!', description: 'Your business profile has been created successfully.' })
      await queryClient.invalidateQueries({ queryKey: [listBusinesses.path] })
      await onCreated(business)
    } catch (error) {
      console.error(error)
      showServerErrors(form, error, businessFields)
      if (error instanceof ApiError) setLinks(error.links)
      toast({ title: 'Error', description: 'Failed to create business profile. Please try again.', variant: 'destructive' })
      // The root shows the way to sign in again; the draft waits.
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={submit} aria-label="Business profile" className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField control={control} name="businessType" label="Business Type">
          {type === '' && (
            <option value="" disabled hidden>
              Choose a type
            </option>
          )}
          {businessTypeChoices.map((choice) => (
            <option key={choice.type} value={choice.type}>
              {choice.label}
            </option>
          ))}
        </SelectField>
        <TextField control={control} name="businessName" label="Business Name" autoComplete="organization" maxLength={120} />
      </div>
      <PlaceField control={control} name="location" finest="zip" hint="City and state. This is where people look for you." />
      {(withLicense || licenseFromSignUp !== '') && (
        <TextField control={control} name="licenseNumber" label="License Number" optional autoComplete="off" hint={licenseNumberHint} />
      )}
      {links.map(({ title, path }) => (
        <Link key={path} to={path} className={`${textLink} justify-self-start`}>
          {title}
        </Link>
      ))}
      <CandidateOffer
        ref={offer}
        candidates={candidates}
        isDue={isOfferDue}
        onDecline={() => {
          decline()
          setOfferDue(false)
          form.setFocus('description')
        }}
      />
      <TextareaField control={control} name="description" label="Description" optional maxLength={2000} rows={4} />
      <TextField
        control={control}
        name="address"
        label="Address"
        optional
        autoComplete="street-address"
        maxLength={200}
        hint={chosenType === 'farm' ? "A farm's street address is not kept or shown: its page names the city." : undefined}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField control={control} name="phone" label="Phone" optional type="tel" autoComplete="tel" maxLength={40} />
        <WebAddressField control={control} name="website" label="Website" optional autoComplete="url" />
      </div>
      <WebAddressField
        control={control}
        name="imageUrl"
        label="Image URL"
        optional
        autoComplete="off"
        hint="Without a picture we draw a cover for you."
      />
      {needsBirthday && <BirthdayField control={control} name="birthday" hint="Nobody else sees it." />}
      <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
        {back}
        <Button
          type="submit"
          size="lg"
          disabled={chosenType === ''}
          pending={formState.isSubmitting}
          pendingText="Creating..."
          className="max-sm:order-first max-sm:w-full"
        >
          Create Business Profile
        </Button>
      </div>
    </form>
  )
}
