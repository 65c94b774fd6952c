import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { type Control, useForm, useFormState, useWatch } from 'react-hook-form'
import { type Amenity, amenities, amenityLabels } from '#contracts/amenities.ts'
import { isNameOpen } from '#contracts/businesses.rules.ts'
import { type Business, BusinessEdits, type NewClosure } from '#contracts/businesses.ts'
import { closeBusiness, reopenBusiness, updateBusiness } from '#contracts/calls/businesses.ts'
import { closureSentence, closureTitles } from '#web/entities/businesses/business-notices.tsx'
import { businessHasChanged, businessOptions, useBusinessLabels } from '#web/entities/businesses/businesses.api.ts'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { PictureField } from '#web/entities/media/picture-field.tsx'
import { useUploads } from '#web/entities/media/upload-list-view.tsx'
import { TextareaField, TextField, WebAddressField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { fieldErrors, isSignedOut, showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field, FieldGroup, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import type { ExtrasBusiness } from './page-extras.tsx'

// The form doesn't need these, so they load separately.
const MergeCard = lazy(async () => ({ default: (await import('./merge-card.tsx')).MergeCard }))
const MoveCard = lazy(async () => ({ default: (await import('./move-card.tsx')).MoveCard }))
const PageExtras = lazy(async () => ({ default: (await import('./page-extras.tsx')).PageExtras }))

export function ProfilePage({ business }: { business: ExtrasBusiness }) {
  const { data, error, refetch, isFetching } = useQuery(businessOptions(business.slug))
  if (data) {
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 max-lg:max-w-feed lg:grid-cols-[minmax(0,42.5rem)_minmax(0,1fr)]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <ProfileForm key={data.id} business={data} />
          <Suspense fallback={<Skeleton className="h-60 rounded-card" />}>
            <PageExtras business={business} />
          </Suspense>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <AmenitiesCard key={data.id} business={data} />
          <Suspense>
            <MoveCard business={data} />
          </Suspense>
          {business.role === 'owner' && (
            <Suspense>
              <MergeCard business={data} />
            </Suspense>
          )}
          {business.role === 'owner' && <ClosureCard business={data} />}
        </div>
      </div>
    )
  }
  if (error) {
    return <LoadError title="The page couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  return (
    <SkeletonGroup label="Loading the page..." className="grid max-w-feed gap-5">
      <Skeleton className="h-40 rounded-card" />
      <Skeleton className="h-28" />
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
    </SkeletonGroup>
  )
}

type Values = { name: string; description: string; phone: string; website: string }
const fields = ['name', 'description', 'phone', 'website'] as const

const valuesOf = (business: Business): Values => ({
  name: business.name,
  description: business.description ?? '',
  phone: business.phone ?? '',
  website: business.website ?? '',
})

const subjectOf = ({ id }: Pick<Business, 'id'>) => `business-page.${id}`

/** The form no longer has a name field once people rely on the name, so a drafted name must not be sent. */
export function startValues(business: Business): Values {
  const saved = valuesOf(business)
  const drafted = withDraft(subjectOf(business), saved)
  return isNameOpen(business) ? drafted : { ...drafted, name: saved.name }
}

function ProfileForm({ business }: { business: Business }) {
  // A new key resets the upload. Start from the server's response, because the cache may update a moment later.
  const [{ round, start }, begin] = useState({ round: 0, start: business })
  return <Form key={round} business={start} wasSaved={round > 0} onSaved={(saved) => begin({ round: round + 1, start: saved })} />
}

function Form({ business, wasSaved, onSaved }: { business: Business; wasSaved: boolean; onSaved: (saved: Business) => void }) {
  const client = useQueryClient()
  const subject = subjectOf(business)
  const [saved] = useState(() => valuesOf(business))
  const form = useForm<Values>({
    defaultValues: startValues(business),
    resolver: standardSchemaResolver(BusinessEdits) as never,
    mode: 'onTouched',
  })
  const { control, formState } = form
  const dropDraft = useDraft(form, subject, [], saved)
  const { uploads, state } = useUploads(subject)
  const [isPictureGone, setPictureGone] = useState(false)
  const logo = useUploads(`${subject}.logo`)
  const [isLogoGone, setLogoGone] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  // The previous form, which had focus, was unmounted.
  useEffect(() => {
    if (wasSaved) saveButton.current?.focus({ preventScroll: true })
  }, [wasSaved])

  const submit = form.handleSubmit(async (values) => {
    setFailure(null)
    try {
      const [ids, logoIds] = await Promise.all([uploads.settle(), logo.uploads.settle()])
      if (!ids || !logoIds) return setFailure('The picture couldn’t be uploaded. Try again, or remove it.')
      const logoId = logoIds[0] ?? (isLogoGone ? null : undefined)
      const picture = ids[0] ? { imageId: ids[0] } : isPictureGone ? { imageUrl: '' } : {}
      // Send only changed fields, so a teammate's edits aren't overwritten.
      const changed = Object.fromEntries(fields.filter((field) => values[field] !== saved[field]).map((field) => [field, values[field]]))
      const after = await call(updateBusiness, { params: { id: business.id }, body: { ...changed, ...picture, logoId } })
      businessHasChanged(client, after)
      dropDraft()
      uploads.finish()
      logo.uploads.finish()
      toast({ title: 'Page saved', description: 'Your changes are live.' })
      onSaved(after)
    } catch (error) {
      setFailure(showServerErrors(form, error, isNameOpen(business) ? fields : fields.filter((field) => field !== 'name')))
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={submit} aria-label="Business page" className="max-w-feed">
      <Card>
        <CardBody className="grid gap-5 sm:p-6">
          <h2 className="text-xl">What people see on your page</h2>
          <PictureField
            legend="Cover picture"
            label="Business picture"
            hint="If you don’t add a picture, we’ll draw a cover for you."
            current={business.imageUrl}
            alt={`Current picture of ${business.name}`}
            className="aspect-[320/168] w-full max-w-80"
            isGone={isPictureGone}
            onGone={setPictureGone}
            uploads={uploads}
            state={state}
          />
          <PictureField
            legend="Logo"
            thing="logo"
            label="Logo"
            hint="A square picture works best. It appears next to your name."
            current={business.logoUrl}
            alt={`Current logo of ${business.name}`}
            className="size-24 bg-surface object-contain!"
            isGone={isLogoGone}
            onGone={setLogoGone}
            uploads={logo.uploads}
            state={logo.state}
          />
          {isNameOpen(business) && (
            <TextField
              control={control}
              name="name"
              label="Business Name"
              autoComplete="organization"
              maxLength={120}
              hint="You can change it until someone reviews or subscribes, or a license is linked. The page’s address won’t change."
            />
          )}
          <TextareaField control={control} name="description" label="Description" optional maxLength={2000} rows={5} />
          <DescriptionHints control={control} businessId={business.id} />
          <div className="grid justify-items-start gap-1">
            <p className="font-medium text-sm">{business.type === 'farm' ? 'Location' : 'Address'}</p>
            <p className="wrap-anywhere">{[business.address, business.location].filter(Boolean).join(', ') || 'Not listed'}</p>
            <Link to="/business-dashboard" search={{ business: business.slug, tab: 'locations' }} className={`${textLink} text-sm`}>
              {business.type === 'farm' ? 'Edit location and hours' : 'Edit address, map pin and hours'}
            </Link>
          </div>
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField control={control} name="phone" label="Phone" optional type="tel" autoComplete="tel" maxLength={40} />
            <WebAddressField control={control} name="website" label="Website" optional autoComplete="url" />
          </div>
          <p className="text-muted text-sm">
            {isNameOpen(business) ? 'To change the business type, ' : 'To change the name or business type, '}
            <Link to="/contact" className={textLink}>
              write to us
            </Link>
            .{business.licenses.length > 0 && ' Register updates won’t overwrite your changes.'}
          </p>
          <FormError>{failure}</FormError>
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

/** Separate from the form, so keystrokes rerender only the hints. Omitted for a refused description, whose field explains why. */
function DescriptionHints({ control, businessId }: { control: Control<Values>; businessId: string }) {
  const description = useWatch({ control, name: 'description' })
  const { errors } = useFormState({ control, name: 'description' })
  return errors.description ? null : <ComplianceHints words={{ kind: 'business_profile', texts: [description ?? ''], businessId }} />
}

function AmenitiesCard({ business: { id, amenities: saved } }: { business: Business }) {
  const client = useQueryClient()
  // Contains only choices made here, so a teammate's changes appear and aren't undone.
  const [choices, choose] = useState<Partial<Record<Amenity, boolean>>>({})
  const chosen = amenities.filter((each) => choices[each] ?? saved.includes(each))
  const saving = useMutation({
    mutationFn: () => call(updateBusiness, { params: { id }, body: { amenities: chosen, amenitiesBefore: saved } }),
    onSuccess: (after) => {
      businessHasChanged(client, after)
      choose({})
      toast({ title: 'Amenities saved', description: 'They’re live on your page.' })
    },
  })
  return (
    <Card asChild>
      <section aria-label="Amenities">
        <CardBody className="grid gap-4 sm:p-6">
          <h2 className="text-xl">Amenities</h2>
          <FieldGroup legend="What do you offer?">
            <div className="grid gap-x-6 gap-y-2.5 min-[26rem]:grid-cols-2 pointer-coarse:gap-y-4">
              {amenities.map((each) => (
                <Checkbox
                  key={each}
                  checked={chosen.includes(each)}
                  onChange={({ target }) => choose({ ...choices, [each]: target.checked })}
                >
                  {amenityLabels[each]}
                </Checkbox>
              ))}
            </div>
          </FieldGroup>
          {saving.isError && <FormError>{messageOf(saving.error)}</FormError>}
          <Button
            size="lg"
            onClick={() => saving.mutate()}
            disabled={chosen.join() === saved.join() && !saving.isPending}
            pending={saving.isPending}
            pendingText="Saving..."
            className="justify-self-start max-sm:w-full"
          >
            Save amenities
          </Button>
        </CardBody>
      </section>
    </Card>
  )
}

function ClosureCard({ business }: { business: Business }) {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const { id, name, closure } = business
  const reopening = useMutation({
    mutationFn: () => call(reopenBusiness, { params: { id } }),
    onSuccess: (after) => {
      businessHasChanged(client, after)
      toast({ title: 'Your business is open again', description: name })
    },
    onError: (error) => toast({ title: 'Your business couldn’t be reopened', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <Card asChild>
      <section aria-label="Close or reopen">
        <CardBody className="grid justify-items-start gap-3 sm:p-6">
          <h2 className="text-xl">{closure ? closureTitles[closure.kind] : 'Close this business'}</h2>
          <p className="text-muted">
            {closure
              ? `${closureSentence(closure, business.timeZone)} It doesn’t appear in Discover, and no one new can subscribe. Its page is still up.`
              : 'Close it temporarily or permanently. You can reopen it at any time. If you’re moving, plan the move above instead.'}
          </p>
          <div className="flex flex-wrap gap-3">
            {closure && (
              <Button onClick={() => reopening.mutate()} pending={reopening.isPending} pendingText="Reopening...">
                Reopen
              </Button>
            )}
            <Button variant="secondary" onClick={() => setOpen(true)}>
              {closure ? 'Change' : 'Close business'}
            </Button>
          </div>
          {isOpen && <ClosureDialog business={business} onClose={() => setOpen(false)} />}
        </CardBody>
      </section>
    </Card>
  )
}

const effects: Record<NewClosure['kind'], readonly string[]> = {
  temporary: [
    'It won’t appear in Discover, on maps or under “Open now” until you reopen it.',
    'No one new will be able to subscribe. Current subscriptions will continue.',
    'Its page, menu, posts and reviews will stay up with a notice.',
  ],
  permanent: [
    'It won’t appear in Discover, on maps or under “Open now”.',
    'Paid subscriptions will be canceled but stay active until the end of the paid period. We’ll email your subscribers.',
    'Your own plans will continue until you cancel them under Billing.',
    'Its page, menu, posts and reviews will stay up with a notice.',
  ],
}

function ClosureDialog({ business, onClose }: { business: Business; onClose: () => void }) {
  const client = useQueryClient()
  const [kind, setKind] = useState<NewClosure['kind']>(business.closure?.kind ?? 'temporary')
  const [day, setDay] = useState(business.closure?.reopensOn ?? '')
  const label = useBusinessLabels()(business)
  const closing = useMutation({
    mutationFn: () =>
      call(closeBusiness, { params: { id: business.id }, body: { kind, reopensOn: kind === 'temporary' && day !== '' ? day : null } }),
    onSuccess: (after) => {
      onClose()
      businessHasChanged(client, after)
      toast({ title: closureTitles[kind], description: label })
    },
  })
  const dayError = fieldErrors(closing.error).reopensOn
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="md"
        title={`Close ${label}?`}
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form="closure" variant="danger" pending={closing.isPending} pendingText="Closing...">
              Close business
            </Button>
          </>
        }
      >
        <form
          id="closure"
          noValidate
          className="grid gap-5"
          onSubmit={(event: FormEvent) => {
            event.preventDefault()
            if (!closing.isPending) closing.mutate()
          }}
        >
          <RadioCards legend="How long?">
            {(['temporary', 'permanent'] as const).map((each) => (
              <RadioCard
                key={each}
                name="closure-kind"
                value={each}
                title={each === 'temporary' ? 'Temporarily' : 'Permanently'}
                checked={kind === each}
                onChange={() => setKind(each)}
                className="p-3!"
              />
            ))}
          </RadioCards>
          {kind === 'temporary' && (
            <Field label="Reopens on" optional error={dayError}>
              <Input type="date" name="reopensOn" value={day} onChange={(event) => setDay(event.target.value)} />
            </Field>
          )}
          <ul className="grid list-disc gap-1.5 pl-5 text-[0.9375rem]">
            {effects[kind].map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {closing.isError && !dayError && <FormError>{messageOf(closing.error)}</FormError>}
        </form>
      </DialogContent>
    </Dialog>
  )
}
