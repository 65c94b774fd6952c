import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { EndKind, Genotype } from '#contracts/plants.ts'
import { LastCopyLock, lastCopiesAmong, lockError, typedNames } from '#web/entities/plants/last-copy-lock.tsx'
import { idsOf, livingPlantsOf, PlantChoice } from '#web/entities/plants/plant-choice.tsx'
import { endVerbs, endWords } from '#web/entities/plants/plant-words.ts'
import { end } from '#web/entities/plants/plant-writes.ts'
import { refreshPlants } from '#web/entities/plants/plants.api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'

type EndDialogProps = {
  huntId: string
  genotypes: readonly Genotype[]
  /** Limits the dialog to one plant; by default, all living plants of the genotypes. */
  plantId?: string | undefined
  onOpenChange: (open: boolean) => void
  onDone?: () => void
}

export function EndDialog({ huntId, genotypes, plantId, onOpenChange, onDone }: EndDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  const [how, setHow] = useState<EndKind>('harvested')
  const [day, setDay] = useState(localDay())
  const plants = livingPlantsOf(genotypes).filter(({ id }) => plantId === undefined || id === plantId)
  const [chosen, setChosen] = useState(() => idsOf(plants))
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isAsked, setAsked] = useState(false)
  const [isSending, setSending] = useState(false)
  const ending = plants.filter(({ id }) => chosen.has(id))
  const last = lastCopiesAmong(genotypes, idsOf(ending), how)
  const confirmed = typedNames(typed, last)
  const isLocked = confirmed.length < last.length

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (ending.length === 0) return setError('Choose at least one plant')
    if (isLocked) {
      const form = event.currentTarget
      setError(null)
      return showErrors(form, () => setAsked(true))
    }
    setError(null)
    setSending(true)
    try {
      await end(client, huntId, { plants: ending, endedHow: how, endedOn: day, confirmLastCopies: confirmed })
      onOpenChange(false)
      onDone?.()
    } catch (failure) {
      setError(messageOf(failure))
      if (failure instanceof ApiError && failure.status === 409) await refreshPlants(client)
    } finally {
      setSending(false)
    }
  }

  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={plants.length === 1 && plants[0] ? `End ${plants[0].name}` : 'End plants'}
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button
              type="submit"
              form={formId}
              variant={last.length > 0 ? 'danger' : 'primary'}
              pending={isSending}
              pendingText="Saving..."
              className="min-h-12"
            >
              {endVerbs[how]}
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="What happened">
              <Select value={how} onChange={(event) => setHow(event.target.value as EndKind)} className="[&_select]:min-h-12">
                {Object.entries(endWords).map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label="On">
              <Input
                type="date"
                max={localDay()}
                value={day}
                onChange={(event) => setDay(event.target.value || localDay())}
                className="min-h-12"
              />
            </Field>
          </div>
          <PlantChoice legend="Plants" plants={plants} chosen={chosen} onChoose={setChosen} />
          <LastCopyLock
            genotypes={last}
            action={endVerbs[how].toLowerCase()}
            typed={typed}
            onTyped={setTyped}
            error={isAsked && isLocked ? lockError : null}
          />
          <FormError>{error}</FormError>
        </form>
      </DialogContent>
    </Dialog>
  )
}
