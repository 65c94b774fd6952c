import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Resolver, useForm, useWatch } from 'react-hook-form'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { assignAgreement } from '../../../contracts/billing.ts'
import { type BusinessType, businessTypeLabels } from '../../../contracts/business-types.ts'
import { type Business, BusinessSetup, editBusiness, setUpBusiness } from '../../../contracts/businesses.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { toast } from '../../ui/toast-store.ts'
import { SelectField, TextareaField, TextField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { businessOptions } from '../businesses/businesses.api.ts'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { FormSkeleton } from '../onboarding/form-skeleton.tsx'
import { PlaceField } from '../onboarding/place-field.tsx'
import type { OnboardingDraft } from './onboarding-draft.ts'
import { WizardFoot } from './wizard-foot.tsx'

type BusinessDetailsProps = {
  user: Pick<CurrentUser, 'id'>
  draft: OnboardingDraft
  onSaved: () => Promise<void>
  back: ReactNode
}

/** The business of a plan: a new one, or what is told of the one that the plan was bought for. */
export function BusinessDetails(props: BusinessDetailsProps) {
  const { business } = props.draft
  return business ? <Known {...props} id={business.id} /> : <Details {...props} known={null} />
}

function Known({ id, ...props }: BusinessDetailsProps & { id: string }) {
  const { data, isPending, error, refetch, isFetching } = useQuery(businessOptions(id))
  if (isPending) return <FormSkeleton />
  if (!data) {
    return (
      <ErrorState
        title="The business could not be loaded"
        description={messageOf(error)}
        onRetry={() => void refetch()}
        pending={isFetching}
      />
    )
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

  /** The key of the creation lives until the plan is assigned, too: a repeated attempt makes no second business. */
  async function save(body: BusinessSetup): Promise<{ id: string }> {
    if (known) {
      const { location, description } = formState.dirtyFields
      // A page keeps the location that it has.
      const edits = {
        ...(location && body.location !== '' && { location: body.location }),
        ...(description && { description: body.description }),
      }
      return Object.keys(edits).length === 0 ? known : call(editBusiness, { params: { id: known.id }, body: edits })
    }
    return call(setUpBusiness, { body }, { idempotencyKey: creationKey(subject, body) })
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
      toast({ title: 'Error', description: 'Failed to create business profile. Please try again.', variant: 'destructive' })
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField control={control} name="businessType" label="Business Type" disabled={known !== null}>
          {(known ? [known.type] : newBusinessTypes).map((type) => (
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
          readOnly={known !== null}
          hint={known && 'Name and type stay as they are registered.'}
        />
      </div>
      <PlaceField control={control} name="location" finest="zip" optional hint="You can add it later on your page." />
      <TextareaField control={control} name="description" label="Description" optional maxLength={2000} rows={4} />
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
