import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Control, type Resolver, useController, useForm, useWatch } from 'react-hook-form'
import { AccountType, type CurrentUser } from '#contracts/accounts.ts'
import { type BusinessType, businessTypeLabels } from '#contracts/business-types.ts'
import { type Business, BusinessSetup } from '#contracts/businesses.ts'
import { updateProfile } from '#contracts/calls/accounts.ts'
import { assignAgreement } from '#contracts/calls/billing.ts'
import { setUpBusiness, updateBusiness } from '#contracts/calls/businesses.ts'
import type { interestOptions } from '#contracts/choices.ts'
import { ProfileEdits } from '#contracts/settings.ts'
import * as z from '#contracts/zod.ts'
import { profileOf } from '#web/entities/accounts/profile-schema.ts'
import type { PurchaseResult } from '#web/entities/billing/use-purchase.ts'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { SelectField, TextareaField, TextField } from '#web/forms/fields.tsx'
import { changedFields, useDraft, withDraft } from '#web/forms/form-draft.ts'
import { FormSkeleton } from '#web/forms/form-skeleton.tsx'
import { PlaceField } from '#web/forms/place-field.tsx'
import { isSignedOut, otherErrors, refusalOf, showServerErrors } from '#web/forms/server-errors.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { call } from '#web/lib/call.ts'
import { cacheUser, refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { FieldGroup, FormError } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast-store.ts'

type BusinessDetailsProps = {
  user: Pick<CurrentUser, 'id'>
  draft: OnboardingDraft
  onSaved: () => Promise<void>
  back: ReactNode
}

export function BusinessDetails(props: BusinessDetailsProps) {
  const { business } = props.draft
  return business ? <Known {...props} id={business.id} /> : <Details {...props} known={null} />
}

function Known({ id, ...props }: BusinessDetailsProps & { id: string }) {
  const { data, isPending, error, refetch, isFetching } = useQuery(businessOptions(id))
  if (isPending) return <FormSkeleton />
  if (!data) {
    return <LoadError title="The business couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  return <Details {...props} known={data} />
}

type Values = { businessType: BusinessType; businessName: string; location: string; description: string }
const fields = ['businessType', 'businessName', 'location', 'description'] as const
const newBusinessTypes = ['farm', 'dispensary'] as const

function Details({ user, draft, onSaved, back, known }: BusinessDetailsProps & { known: Business | null }) {
  const subject = `plans-business.${user.id}`
  const [defaultValues] = useState<Values>(() =>
    known
      ? {
          businessType: known.type,
          businessName: known.name,
          location: known.location ?? '',
          description: known.description ?? '',
        }
      : withDraft<Values>(subject, { businessType: 'farm', businessName: '', location: '', description: '' }),
  )
  const [resolver] = useState(() => standardSchemaResolver(BusinessSetup) as Resolver<object, unknown, BusinessSetup> as never)
  const form = useForm<Values, unknown, BusinessSetup>({ defaultValues, resolver, mode: 'onTouched' })
  const dropDraft = useDraft(form, subject)
  const { control, formState } = form
  const name = useWatch({ control, name: 'businessName' })
  // As last saved. If the plan couldn't be assigned, a retry edits this business instead of creating a second one.
  const [existing, setExisting] = useState(known)

  async function save(body: BusinessSetup): Promise<{ id: string }> {
    if (existing) {
      const edits = editsOf(existing, body)
      if (Object.keys(edits).length === 0) return existing
      const edited = await call(updateBusiness, { params: { id: existing.id }, body: edits })
      setExisting(edited)
      return edited
    }
    const made = await call(setUpBusiness, { body }, { idempotencyKey: creationKey(subject, body) })
    setExisting(made)
    return made
  }

  const submit = form.handleSubmit(async (body) => {
    try {
      const { id } = await save(body)
      if (!known) await call(assignAgreement, { params: { id: draft.agreementId }, body: { businessId: id } })
      dropCreationKey(subject)
      dropDraft()
      await onSaved()
    } catch (error) {
      console.error(error)
      showServerErrors(form, error, fields)
      const others = otherErrors(error, fields)
      if (others) form.setError('root', { message: others })
      toast({
        title: 'Error',
        description: refusalOf(error) ?? 'Failed to create business profile. Please try again.',
        variant: 'destructive',
      })
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField control={control} name="businessType" label="Business Type" disabled={existing !== null}>
          {(existing ? [existing.type] : newBusinessTypes).map((type) => (
            <option key={type} value={type}>
              {businessTypeLabels[type]}
            </option>
          ))}
        </SelectField>
        <TextField
          control={control}
          name="businessName"
          label="Business Name"
          autoComplete="organization"
          maxLength={120}
          readOnly={existing !== null}
          hint={existing && 'The registered name and type won’t change.'}
        />
      </div>
      <PlaceField control={control} name="location" finest="zip" optional hint="You can add it later on your page." />
      <TextareaField control={control} name="description" label="Description" optional maxLength={2000} rows={4} />
      <FormError>{formState.errors.root?.message}</FormError>
      <div className="mt-2">
        <WizardFoot back={back}>
          <Button type="submit" size="lg" disabled={name.trim() === ''} pending={formState.isSubmitting} pendingText="Saving...">
            Complete Setup
          </Button>
        </WizardFoot>
      </div>
    </form>
  )
}

type Detailed = Pick<BusinessSetup, 'location' | 'description'>

/** An empty location doesn't clear the existing one. */
export const editsOf = (business: Pick<Business, keyof Detailed>, { location, description }: Detailed): Partial<Detailed> => ({
  ...(location !== '' && location !== business.location && { location }),
  ...(description !== (business.description ?? '') && { description }),
})

type PersonalDetailsProps = { user: CurrentUser; onSaved: () => Promise<void>; back: ReactNode }

const personalFields = ['firstName', 'lastName', 'location', 'interests'] as const

/** Changes only the profile fields that the plans page asks for. */
export function PersonalDetails({ user, onSaved, back }: PersonalDetailsProps) {
  const subject = `plans-profile.${user.id}`
  const [saved] = useState(() => {
    const { firstName, lastName, location, interests } = profileOf(user)
    return { firstName, lastName, location, interests }
  })
  const [defaultValues] = useState(() => withDraft(subject, saved))
  const [resolver] = useState(() => standardSchemaResolver(ProfileEdits) as Resolver<object, unknown, ProfileEdits> as never)
  const form = useForm<typeof saved, unknown, ProfileEdits>({
    defaultValues,
    resolver,
    mode: 'onTouched',
  })
  const dropDraft = useDraft(form, subject, [], saved)
  const { control, formState } = form
  const [firstName, lastName] = useWatch({ control, name: ['firstName', 'lastName'] })

  const submit = form.handleSubmit(async (edits) => {
    try {
      cacheUser(await call(updateProfile, { body: changedFields(edits, saved) }))
      dropDraft()
      await onSaved()
    } catch (error) {
      console.error(error)
      showServerErrors(form, error, personalFields)
      const others = otherErrors(error, personalFields)
      if (others) form.setError('root', { message: others })
      toast({ title: 'Error', description: refusalOf(error) ?? 'Failed to create profile. Please try again.', variant: 'destructive' })
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
      <FormError>{formState.errors.root?.message}</FormError>
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

function Interests<Output>({
  control,
}: {
  control: Control<{ firstName: string; lastName: string; location: string; interests: string[] }, unknown, Output>
}) {
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

export function WizardFoot({ back, children }: { back: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      {back || <span />}
      {children}
    </div>
  )
}

const Draft = z.object({
  agreementId: z.string(),
  planName: z.string(),
  /** Null if the business will be created here. */
  business: z.nullable(z.object({ id: z.string(), name: z.string() })),
  step: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  isOver18: z.boolean(),
  userType: z.nullable(AccountType),
})
/** The wizard's state after a purchase. Its forms save their own drafts. */
export type OnboardingDraft = z.infer<typeof Draft>

type Named = { id: string; name: string }

export const startOnboarding = (
  bought: Pick<PurchaseResult, 'agreementId'>,
  planName: string,
  business: Named | null,
): OnboardingDraft => ({
  agreementId: bought.agreementId,
  planName,
  business: business && { id: business.id, name: business.name },
  step: 1,
  isOver18: false,
  userType: null,
})

export const canContinue = ({ step, isOver18, userType }: OnboardingDraft): boolean => (step === 1 ? isOver18 : userType !== null)

const key = (userId: string) => `plans-onboarding.${userId}`

/** Null if the stored value is invalid, because people can edit their browser's storage. */
export function recallOnboarding(userId: string): OnboardingDraft | null {
  return Draft.safeParse(getTabItem(key(userId))).data ?? null
}

export function saveOnboarding(userId: string, draft: OnboardingDraft | null): void {
  if (draft) setTabItem(key(userId), draft)
  else removeTabItem(key(userId))
}

/** As worded on the plans page. */
const interestChoices = ['Flower', 'Edibles', 'Concentrates', 'Topicals', 'CBD', 'Accessories'] as const

/** The profile stores "CBD" as "CBD Products", so both count as one interest. */
const cbd: (typeof interestOptions)[number] = 'CBD Products'
const renamed = (choice: string): string => (choice === 'CBD' ? cbd : choice)

export const choicesOf = (interests: readonly string[]): string[] => interestChoices.filter((choice) => interests.includes(renamed(choice)))

/** Keeps interests that the page doesn't offer. */
export function withChoices(interests: readonly string[], chosen: readonly string[]): string[] {
  const offered = interestChoices.map(renamed)
  return [
    ...interests.filter((interest) => !offered.includes(interest)),
    ...interestChoices.filter((choice) => chosen.includes(choice)).map(renamed),
  ]
}
