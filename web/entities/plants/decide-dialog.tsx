import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Genotype, Standing } from '#contracts/plants.ts'
import { unsavedMessage } from '#web/entities/offline/enqueue.ts'
import { typedNames } from '#web/entities/offline/use-outbox.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { DayInput, Textarea } from '#web/ui/input.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { LastCopyLock, lastCopiesAmong, lockError } from './last-copy-lock.tsx'
import { idsOf, livingPlantsOf, PlantChoice } from './plant-choice.tsx'
import { fullName, standingLabels } from './plant-words.ts'
import { namesOf, recordDecisions } from './plant-writes.ts'
import { refreshPlants } from './plants.api.ts'

const meanings: Record<Standing, string> = {
  keep: 'Worth growing again, perhaps for years',
  retest: 'Not clear yet, so look again',
  breed: 'A parent for the next cross',
  cull: 'Marks its plants as ended',
}
const order: readonly Standing[] = ['keep', 'retest', 'breed', 'cull']

type DecideDialogProps = { huntId: string; genotypes: readonly Genotype[]; onOpenChange: (open: boolean) => void; onDone?: () => void }

/** Culling a last copy requires typing its number. */
export function DecideDialog({ huntId, genotypes, onOpenChange, onDone }: DecideDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  const [kind, setKind] = useState<Standing | null>(null)
  const [reason, setReason] = useState('')
  const [day, setDay] = useState(localDay())
  const plants = livingPlantsOf(genotypes)
  const [chosen, setChosen] = useState(() => idsOf(plants))
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [missing, setMissing] = useState<'kind' | 'numbers' | null>(null)
  const [isSending, setSending] = useState(false)
  const ending = kind === 'cull' ? plants.filter(({ id }) => chosen.has(id)) : []
  const last = lastCopiesAmong(genotypes, idsOf(ending), 'culled')
  const confirmed = typedNames(typed, last)
  const isLocked = confirmed.length < last.length
  const one = genotypes.length === 1 ? genotypes[0] : undefined

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    setError(null)
    if (kind === null || isLocked) {
      return showErrors(form, () => setMissing(kind === null ? 'kind' : 'numbers'))
    }
    setSending(true)
    try {
      const endPlantIds = ending.map(({ id }) => id)
      await recordDecisions(client, huntId, { genotypes, kind, reason, decidedOn: day, endPlantIds, confirmLastCopies: confirmed })
      onOpenChange(false)
      onDone?.()
    } catch (failure) {
      setError(unsavedMessage(failure))
      // The living plants may have changed since they were loaded.
      if (failure instanceof ApiError && failure.status === 409) await refreshPlants(client)
    } finally {
      setSending(false)
    }
  }

  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={one ? `Decide on ${fullName(one)}` : `Decide on ${genotypes.length} phenos`}
        description={one ? undefined : namesOf(genotypes)}
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button
              type="submit"
              form={formId}
              variant={kind === 'cull' ? 'danger' : 'primary'}
              pending={isSending}
              pendingText="Saving..."
              className="min-h-12"
            >
              {kind === 'cull' ? (one ? `Cull ${one.name}` : `Cull ${genotypes.length}`) : 'Save decision'}
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
          <RadioCards
            legend="Decision"
            error={missing === 'kind' ? 'Choose a decision' : undefined}
            className="grid-cols-2 sm:grid-flow-row"
          >
            {order.map((each) => (
              <RadioCard
                key={each}
                name="kind"
                value={each}
                title={standingLabels[each]}
                description={meanings[each]}
                checked={kind === each}
                onChange={() => {
                  setKind(each)
                  setError(null)
                  setMissing(null)
                }}
              />
            ))}
          </RadioCards>
          {kind === 'cull' && plants.length > 0 && (
            <>
              <PlantChoice legend="Plants to cull" plants={plants} chosen={chosen} onChoose={setChosen} />
              <LastCopyLock
                genotypes={last}
                action="cull"
                typed={typed}
                onTyped={setTyped}
                error={missing === 'numbers' && isLocked ? lockError : null}
              />
            </>
          )}
          <Field
            label="Reason"
            optional
            hint="Note what you saw. We’ll also save the current rank and the number of copies, logs and scores."
          >
            <Textarea rows={3} maxLength={2000} value={reason} onChange={(event) => setReason(event.target.value)} />
          </Field>
          <Field label="Decided on" className="max-w-52">
            <DayInput max={localDay()} value={day} onDayChange={setDay} className="min-h-12" />
          </Field>
          <FormError>{error}</FormError>
        </form>
      </DialogContent>
    </Dialog>
  )
}
