import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Resolver, useForm, useWatch } from 'react-hook-form'
import type { CurrentUser } from '#contracts/accounts.ts'
import { type BusinessType, businessTypeLabels, businessTypes } from '#contracts/business-types.ts'
import { type Business, NewBusiness } from '#contracts/businesses.ts'
import { createBusiness } from '#contracts/calls/businesses.ts'
import * as z from '#contracts/zod.ts'
import { BirthdayField, licenseNumberHint } from '#web/entities/accounts/profile-fields.tsx'
import { AdultBirthday } from '#web/entities/accounts/profile-schema.ts'
import { refreshShownBusinesses } from '#web/entities/businesses/businesses.api.ts'
import { CandidateOffer, useCandidates } from '#web/entities/claims/candidate-offer.tsx'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { SelectField, TextareaField, TextField, WebAddressField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { FormSkeleton } from '#web/forms/form-skeleton.tsx'
import { PlaceField } from '#web/forms/place-field.tsx'
import { isSignedOut, otherErrors, refusalOf, showServerErrors } from '#web/forms/server-errors.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { FormError } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'

type BusinessFormProps = {
  user: Pick<CurrentUser, 'id' | 'birthday' | 'licenseNumber' | 'hasCompletedOnboarding'>
  type: BusinessType | ''
  withLicense?: boolean
  onCreated(business: Business): Promise<void>
  back?: ReactNode
}

export function BusinessForm({ user, type, withLicense = false, onCreated, back }: BusinessFormProps) {
  const queryClient = useQueryClient()
  const subject = `business.${user.id}`
  const needsBirthday = user.birthday === null
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

  const { candidates, isLoading, decline, isOpen } = useCandidates({ name, place, licenseNumber })
  const offer = useRef<HTMLElement>(null)
  const [isOfferDue, setOfferDue] = useState(false)
  // If the license number from sign-up has a listing, offer that before an empty form.
  const [isOfferFirst, setOfferFirst] = useState(licenseFromSignUp !== '' && name === '' && place === '')
  /** The listing with this license number, if the server suggests it. */
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
      dropDraft()
      toast({ title: 'Success!', description: 'Your business profile has been created successfully.' })
      await refreshShownBusinesses(queryClient)
      await onCreated(business)
      // Drop the key only now, because people may press the button again until the next screen opens.
      dropCreationKey(subject)
    } catch (error) {
      console.error(error)
      showServerErrors(form, error, businessFields)
      const others = otherErrors(error, businessFields)
      if (others) form.setError('root', { message: others })
      if (error instanceof ApiError) setLinks(error.links)
      toast({
        title: 'Error',
        description: refusalOf(error) ?? 'Failed to create business profile. Please try again.',
        variant: 'destructive',
      })
      // This makes the root route show the sign-in form. The draft is saved.
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  if (isOfferFirst && isLoading) return <FormSkeleton />
  if (isOfferFirst && candidates.length > 0) {
    return (
      <div className="grid gap-5">
        <CandidateOffer
          candidates={candidates}
          onDecline={() => {
            decline()
            flushSync(() => {
              form.setValue('licenseNumber', '')
              setOfferFirst(false)
            })
            form.setFocus('businessName')
          }}
        />
        {back && <div>{back}</div>}
      </div>
    )
  }
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
      <PlaceField control={control} name="location" finest="zip" hint="The city and state where people will look for you." />
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
        hint={chosenType === 'farm' ? 'We don’t store or show a farm’s street address. Its page shows only the city.' : undefined}
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
        hint="If you don’t add a picture, we’ll draw a cover for you."
      />
      {needsBirthday && <BirthdayField control={control} name="birthday" hint="Only you can see it." />}
      <FormError>{formState.errors.root?.message}</FormError>
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

type BusinessValues = {
  businessType: BusinessType | ''
  businessName: string
  location: string
  licenseNumber: string
  description: string
  address: string
  phone: string
  website: string
  imageUrl: string
  birthday: string
}

const emptyBusiness: BusinessValues = {
  businessType: 'farm',
  businessName: '',
  location: '',
  licenseNumber: '',
  description: '',
  address: '',
  phone: '',
  website: '',
  imageUrl: '',
  birthday: '',
}

/** In page order. */
const businessFields = Object.keys(emptyBusiness) as (keyof BusinessValues)[]

/** The specification's two choices come first, in its wording. */
const businessTypeChoices = businessTypes.map((type) => ({
  type,
  label: type === 'farm' ? 'Cannabis Farm' : businessTypeLabels[type],
}))

const KnownOwner = z.omit(NewBusiness, { birthday: true })
const NewOwner = z.extend(NewBusiness, { birthday: AdultBirthday })

/** Accounts created through OpenID don't have a birthday until a profile form asks for one. */
function businessResolver(needsBirthday: boolean): Resolver<BusinessValues, unknown, NewBusiness> {
  const check = standardSchemaResolver(needsBirthday ? NewOwner : KnownOwner) as Resolver<object, unknown, NewBusiness>
  return async (values, context, options) =>
    (await check({ ...values, licenseNumber: values.licenseNumber.trim() || null }, context, options as never)) as never
}
