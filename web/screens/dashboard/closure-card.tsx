import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Business, NewClosure } from '#contracts/businesses.ts'
import { closeBusiness, reopenBusiness } from '#contracts/calls/businesses.ts'
import { businessHasChanged } from '#web/entities/businesses/businesses.api.ts'
import { closureSentence, closureTitles } from '#web/entities/businesses/closure-words.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { toast } from '#web/ui/toast-store.ts'

/** Lets the owner close and reopen the business, and says first what will happen. */
export function ClosureCard({ business }: { business: Business }) {
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
              ? `${closureSentence(closure, business.timeZone)} It doesn’t appear in Discover, and no one new can subscribe. Its page stays up.`
              : 'For a while or for good. Its page, reviews and posts stay up, with a notice. You can reopen it at any time.'}
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
    'No one new can subscribe. Current subscriptions continue.',
    'Its page, menu, posts and reviews stay up, with a notice.',
  ],
  permanent: [
    'It won’t appear in Discover, on maps or under “Open now”.',
    'Paid subscriptions are canceled and last until their paid period ends. We email your subscribers.',
    'Your own plans continue until you cancel them under Billing.',
    'Its page, menu, posts and reviews stay up, with a notice.',
  ],
}

function ClosureDialog({ business, onClose }: { business: Business; onClose: () => void }) {
  const client = useQueryClient()
  const [kind, setKind] = useState<NewClosure['kind']>(business.closure?.kind ?? 'temporary')
  const [day, setDay] = useState(business.closure?.reopensOn ?? '')
  const closing = useMutation({
    mutationFn: () =>
      call(closeBusiness, { params: { id: business.id }, body: { kind, reopensOn: kind === 'temporary' && day !== '' ? day : null } }),
    onSuccess: (after) => {
      onClose()
      businessHasChanged(client, after)
      toast({ title: closureTitles[kind], description: business.name })
    },
  })
  const dayError = closing.error instanceof ApiError ? closing.error.fields.reopensOn : undefined
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="md"
        title={`Close ${business.name}?`}
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
                title={each === 'temporary' ? 'For a while' : 'For good'}
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
