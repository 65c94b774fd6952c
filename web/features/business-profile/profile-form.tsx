import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { type Business, BusinessEdits, editBusiness, isNameOpen, listBusinesses } from '../../../contracts/businesses.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { FieldError } from '../../ui/field.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { toast } from '../../ui/toast-store.ts'
import { TextareaField, TextField, WebAddressField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { businessOptions, myBusinessesOptions } from '../businesses/businesses.api.ts'
import { ComplianceHints } from '../compliance/compliance-hints.tsx'
import { PictureField } from '../media/picture-field.tsx'
import { useUploads } from '../media/use-uploads.ts'
import { PlaceField } from '../onboarding/place-field.tsx'

type Values = { name: string; description: string; location: string; address: string; phone: string; website: string }
const fields = ['name', 'description', 'location', 'address', 'phone', 'website'] as const

const valuesOf = (business: Business): Values => ({
  name: business.name,
  description: business.description ?? '',
  location: business.location ?? '',
  address: business.address ?? '',
  phone: business.phone ?? '',
  website: business.website ?? '',
})

export function ProfileForm({ business }: { business: Business }) {
  // With another number, nothing is remembered of the upload before. It begins with what the server answered: the page may hear of that
  // a moment later.
  const [{ round, start }, begin] = useState({ round: 0, start: business })
  return <Form key={round} business={start} wasSaved={round > 0} onSaved={(saved) => begin({ round: round + 1, start: saved })} />
}

function Form({ business, wasSaved, onSaved }: { business: Business; wasSaved: boolean; onSaved: (saved: Business) => void }) {
  const client = useQueryClient()
  const subject = `business-page.${business.id}`
  const [saved] = useState(() => valuesOf(business))
  const form = useForm<Values>({
    defaultValues: withDraft(subject, saved),
    resolver: standardSchemaResolver(BusinessEdits) as never,
    mode: 'onTouched',
  })
  const { control, formState } = form
  const dropDraft = useDraft(form, subject)
  const { uploads, state } = useUploads(subject)
  const [isPictureGone, setPictureGone] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  // The form of before has gone, and the focus with it.
  useEffect(() => {
    if (wasSaved) saveButton.current?.focus({ preventScroll: true })
  }, [wasSaved])

  const submit = form.handleSubmit(async (values) => {
    setFailure(null)
    try {
      const ids = await uploads.settle()
      if (!ids) return setFailure('The picture could not be uploaded. Try it again, or remove it.')
      const picture = ids[0] ? { imageId: ids[0] } : isPictureGone ? { imageUrl: '' } : {}
      // What was not touched stays as somebody else of the team may have left it meanwhile.
      const changed = Object.fromEntries(fields.filter((field) => values[field] !== saved[field]).map((field) => [field, values[field]]))
      const after = await call(editBusiness, { params: { id: business.id }, body: { ...changed, ...picture } })
      for (const name of [business.slug, business.id]) client.setQueryData(businessOptions(name).queryKey, after)
      void client.invalidateQueries({ queryKey: myBusinessesOptions.queryKey })
      void client.invalidateQueries({ queryKey: [listBusinesses.path] })
      dropDraft()
      uploads.finish()
      toast({ title: 'Page saved', description: 'Everybody sees it now.' })
      onSaved(after)
    } catch (error) {
      if (!showServerErrors(form, error, fields)) setFailure(messageOf(error))
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={submit} aria-label="Page of the business" className="max-w-feed">
      <Card>
        <CardBody className="grid gap-5 sm:p-6">
          <h2 className="text-xl">What people see on your page</h2>
          <PictureField
            label="Picture of the business"
            hint="Without a picture we draw a cover for you."
            current={business.imageUrl}
            alt={`${business.name}, as it is shown now`}
            className="aspect-[320/168] w-full max-w-80"
            isGone={isPictureGone}
            onGone={setPictureGone}
            uploads={uploads}
            state={state}
          />
          {isNameOpen(business) && (
            <TextField
              control={control}
              name="name"
              label="Business Name"
              autoComplete="organization"
              maxLength={120}
              hint="You can change it until somebody reviews or subscribes, or a license stands behind it. The page keeps its address."
            />
          )}
          <TextareaField control={control} name="description" label="Description" optional maxLength={2000} rows={5} />
          <DescriptionHints control={control} businessId={business.id} />
          <PlaceField control={control} name="location" finest="zip" hint="City and state. This is where people look for you." />
          {business.type !== 'farm' && (
            <TextField
              control={control}
              name="address"
              label="Address"
              optional
              autoComplete="street-address"
              maxLength={200}
              hint="With a new address, the pin on the map moves to the middle of your city or ZIP code."
            />
          )}
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField control={control} name="phone" label="Phone" optional type="tel" autoComplete="tel" maxLength={40} />
            <WebAddressField control={control} name="website" label="Website" optional autoComplete="url" />
          </div>
          <p className="text-muted text-sm">
            {isNameOpen(business) ? 'If the type is wrong, ' : 'People know the business by its name. If it is wrong, or the type is, '}
            <Link to="/contact" className={textLink}>
              write to us
            </Link>
            .{business.licenses.length > 0 && ' What you change here stays when we read the register again.'}
          </p>
          {failure && (
            <div role="alert">
              <FieldError>{failure}</FieldError>
            </div>
          )}
          <Button
            ref={saveButton}
            type="submit"
            size="lg"
            pending={formState.isSubmitting}
            pendingText="Saving..."
            className="justify-self-start max-sm:w-full"
          >
            Save page
          </Button>
        </CardBody>
      </Card>
    </form>
  )
}

/** Apart from the form: each key that is pressed draws this anew and nothing else. */
function DescriptionHints({ control, businessId }: { control: Control<Values>; businessId: string }) {
  const description = useWatch({ control, name: 'description' })
  return <ComplianceHints words={{ kind: 'business_profile', texts: [description ?? ''], businessId }} />
}
