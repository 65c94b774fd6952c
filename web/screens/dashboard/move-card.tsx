import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Resolver, useController, useForm } from 'react-hook-form'
import type { Business } from '#contracts/businesses.ts'
import { cancelMove, planMove } from '#contracts/calls/locations.ts'
import { NewMove } from '#contracts/locations.ts'
import { moveDay, moveTarget } from '#web/entities/businesses/business-notices.tsx'
import { businessHasChanged } from '#web/entities/businesses/businesses.api.ts'
import { TextField } from '#web/forms/fields.tsx'
import { DialogActions, formDialog } from '#web/forms/form-dialog.tsx'
import { PlaceField } from '#web/forms/place-field.tsx'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { FormError } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { PinField, withOwnPin } from './location-form.tsx'

/** The business's address changes automatically on the day of the move. */
export function MoveCard({ business }: { business: Business }) {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const { id, move } = business
  const canceling = useMutation({
    mutationFn: () => call(cancelMove, { params: { id } }),
    onSuccess: (after) => {
      businessHasChanged(client, after)
      toast({ title: 'Move canceled', description: business.name })
    },
    onError: (error) => toast({ title: 'The move couldn’t be canceled', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <Card asChild>
      <section aria-label="Move">
        <CardBody className="grid justify-items-start gap-3 sm:p-6">
          <h2 className="text-xl">{move ? `Moving on ${moveDay(move.movesOn)}` : 'Move this business'}</h2>
          <p className="text-muted wrap-anywhere">
            {move
              ? `To ${moveTarget(move)}. Your page shows both addresses until then.`
              : 'Announce a move. Your page shows both addresses until moving day, when search and the map switch to the new one.'}
          </p>
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" onClick={() => setOpen(true)}>
              {move ? 'Change' : 'Plan a move'}
            </Button>
            {move && (
              <Button variant="quiet" onClick={() => canceling.mutate()} pending={canceling.isPending} pendingText="Canceling...">
                Cancel move
              </Button>
            )}
          </div>
          {isOpen && <MoveDialog business={business} onClose={() => setOpen(false)} />}
        </CardBody>
      </section>
    </Card>
  )
}

/** In page order. */
const fields = ['movesOn', 'location', 'address', 'pin'] as const

function MoveDialog({ business, onClose }: { business: Business; onClose: () => void }) {
  const client = useQueryClient()
  const { id, type, move, location, pin: current } = business
  const isFarm = type === 'farm'
  const form = useForm<NewMove>({
    defaultValues: {
      movesOn: move?.movesOn ?? '',
      location: move?.location ?? location ?? '',
      address: move?.address ?? '',
      pin: move?.pin ?? null,
    },
    resolver: standardSchemaResolver(NewMove) as Resolver<NewMove>,
    mode: 'onTouched',
  })
  const { control, formState } = form
  const pin = useController({ control, name: 'pin' }).field
  const [failure, setFailure] = useState<string | null>(null)
  const submit = form.handleSubmit(async (values) => {
    setFailure(null)
    try {
      const after = await call(planMove, {
        params: { id },
        body: isFarm ? { ...values, address: '', pin: null } : withOwnPin(values, move),
      })
      businessHasChanged(client, after)
      toast({ title: 'Move planned', description: `Your location will change on ${moveDay(values.movesOn)}.` })
      onClose()
    } catch (error) {
      setFailure(showServerErrors(form, error, fields))
    }
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={move ? 'Change the move' : 'Plan a move'} size="md" {...formDialog(move === null)}>
        <form noValidate onSubmit={submit} aria-label="Move" className="grid gap-5">
          <TextField
            control={control}
            name="movesOn"
            label="First day at the new address"
            type="date"
            hint="The change takes effect at midnight in your business’s time zone."
          />
          <PlaceField control={control} name="location" label="New location" finest={isFarm ? 'city' : 'zip'} />
          {!isFarm && (
            <>
              <TextField control={control} name="address" label="New street" optional maxLength={200} autoComplete="off" />
              <PinField pin={pin.value} current={current} onChange={pin.onChange} />
            </>
          )}
          <p className="text-muted text-sm">Your hours won’t change. You can edit them under Locations.</p>
          <FormError>{failure}</FormError>
          <DialogActions onCancel={onClose} submitText="Save move" pending={formState.isSubmitting} />
        </form>
      </DialogContent>
    </Dialog>
  )
}
