import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useController, useForm } from 'react-hook-form'
import type { Business } from '#contracts/businesses.ts'
import { suggestCorrection } from '#contracts/calls/corrections.ts'
import type { NewCorrection } from '#contracts/corrections.endpoints.ts'
import { BusinessField } from '#web/entities/businesses/business-field.tsx'
import { correctionTitles, nextWords } from '#web/entities/corrections/correction-words.ts'
import { correctionHasChanged } from '#web/entities/corrections/corrections.api.ts'
import { HoursEditor, usualWeek, weekProblems } from '#web/entities/locations/hours-editor.tsx'
import { TextField } from '#web/forms/fields.tsx'
import { PlaceField } from '#web/forms/place-field.tsx'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'

type Kind = NewCorrection['kind']
/** `kind` is empty until the person chooses one. */
type Values = { kind: Kind | ''; location: string; address: string; phone: string; website: string; hours: ReturnType<typeof usualWeek> }
type Other = { id: string; name: string; location: string | null }

type SuggestChangeProps = {
  business: Pick<Business, 'id' | 'name' | 'type' | 'location' | 'isClaimed' | 'closure'>
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function SuggestChangeDialog({ business, open, onOpenChange }: SuggestChangeProps) {
  const formId = useId()
  const client = useQueryClient()
  const first: Kind = business.closure ? 'open' : 'closed'
  const blank: Values = { kind: '', location: '', address: '', phone: '', website: '', hours: usualWeek() }
  const form = useForm<Values>({ defaultValues: blank })
  const { control, formState } = form
  const [failure, setFailure] = useState<string | null>(null)
  const [other, setOther] = useState<Other | null>(null)
  const [isKindMissing, setKindMissing] = useState(false)
  const [isOtherMissing, setOtherMissing] = useState(false)
  const kind = useController({ control, name: 'kind' }).field
  const hours = useController({ control, name: 'hours' }).field
  const kinds: Kind[] = [first, 'moved', 'phone', 'website', 'hours', 'duplicate']
  const isWrongWeek = kind.value === 'hours' && weekProblems(hours.value).some(Boolean)

  const submit = form.handleSubmit(async (values) => {
    setFailure(null)
    if (values.kind === '') return setKindMissing(true)
    if (isWrongWeek) return
    if (values.kind === 'duplicate' && !other) return setOtherMissing(true)
    try {
      const correction = await call(suggestCorrection, { params: { id: business.id }, body: correctionOf(values.kind, values, other) })
      toast({ title: 'Thank you', description: nextWords(correction, business.isClaimed) })
      onOpenChange(false)
      form.reset(blank)
      setOther(null)
      await correctionHasChanged(client, correction)
    } catch (error) {
      setFailure(showServerErrors(form, error, ['location', 'address', 'phone', 'website']))
    }
  })

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        size="md"
        title="Suggest a change"
        description={deciderWords(kind.value, business)}
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={formState.isSubmitting} pendingText="Sending...">
              Send
            </Button>
          </>
        }
      >
        <form
          id={formId}
          noValidate
          className="grid gap-5"
          onSubmit={(event: FormEvent) => {
            // React events bubble through portals, so a form around the dialog would be submitted, too.
            event.stopPropagation()
            void submit(event)
          }}
        >
          <Field label="What changed?" error={isKindMissing ? 'Choose what changed' : undefined}>
            <Select
              name="kind"
              value={kind.value}
              onChange={(event) => {
                setFailure(null)
                setKindMissing(false)
                kind.onChange(event.target.value as Kind)
              }}
            >
              <option value="" disabled hidden>
                Choose a change
              </option>
              {kinds.map((each) => (
                <option key={each} value={each}>
                  {correctionTitles[each]}
                </option>
              ))}
            </Select>
          </Field>
          {kind.value === 'moved' && (
            <>
              <PlaceField control={control} name="location" label="New city" finest={business.type === 'farm' ? 'city' : 'zip'} />
              {business.type !== 'farm' && (
                <TextField control={control} name="address" label="New street" optional maxLength={200} autoComplete="off" />
              )}
            </>
          )}
          {kind.value === 'phone' && (
            <TextField control={control} name="phone" label="Phone" type="tel" maxLength={40} autoComplete="off" />
          )}
          {kind.value === 'website' && (
            <TextField
              control={control}
              name="website"
              label="Website"
              type="url"
              maxLength={500}
              placeholder="https://"
              autoComplete="off"
            />
          )}
          {kind.value === 'duplicate' &&
            (other ? (
              <div className="flex flex-wrap items-center justify-between gap-2 rounded-input border border-line p-3">
                <p className="min-w-0 wrap-anywhere">
                  {other.name}
                  <span className="block text-muted text-sm">{other.location}</span>
                </p>
                <Button variant="quiet" size="sm" onClick={() => setOther(null)}>
                  Choose another
                </Button>
              </div>
            ) : (
              <BusinessField
                label="Which listing is the same business?"
                near={business.location}
                except={business.id}
                error={isOtherMissing ? 'Choose the other listing' : undefined}
                onChoose={(chosen) => {
                  setOther(chosen)
                  setOtherMissing(false)
                }}
              />
            ))}
          {kind.value === 'hours' && <HoursEditor hours={hours.value} onChange={hours.onChange} />}
          <FormError>{failure}</FormError>
        </form>
      </DialogContent>
    </Dialog>
  )
}

function deciderWords(kind: Kind | '', { name, isClaimed }: SuggestChangeProps['business']): string {
  if (kind === 'duplicate') return 'If both listings are for the same business, a moderator will merge them.'
  return isClaimed
    ? `The owner of ${name} decides whether to make the change.`
    : 'We’ll update the listing once a second person or a moderator confirms it.'
}

function correctionOf(kind: Kind, { location, address, phone, website, hours }: Values, other: Other | null): NewCorrection {
  switch (kind) {
    case 'moved':
      return { kind, location, address }
    case 'phone':
      return { kind, phone }
    case 'website':
      return { kind, website: website === '' || /^https?:/i.test(website) ? website : `https://${website}` }
    case 'hours':
      return { kind, hours }
    case 'duplicate':
      return { kind, of: other?.id ?? '' }
    default:
      return { kind }
  }
}
