import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { Sex } from '#contracts/plants.ts'
import { crossWords, sexLabels } from '#web/entities/plants/plant-words.ts'
import { runAction } from '#web/entities/plants/plant-writes.ts'
import { genotypesOptions, seedLotsOptions } from '#web/entities/plants/plants.api.ts'
import { LoadLatest } from '#web/forms/form-dialog.tsx'
import { localDay } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'

type BulkFormProps = {
  title: string
  description?: string | undefined
  submit: string
  /** States what is missing. Shown when the form is submitted. */
  problem?: string | null
  /** Returns a success message, or null if the form is incomplete and shows its own errors. @throws the server's error */
  act: () => Promise<string | { title: string; description: string | undefined }> | null
  onOpenChange: (open: boolean) => void
  onDone?: (() => void) | undefined
  /** From {@link useOpened}. */
  onLoadLatest?: (() => void) | undefined
  /** A function receives whether the form has been submitted, so that fields can show what is missing. */
  children: ReactNode | ((isAsked: boolean) => ReactNode)
}

/**
 * Holds a form's values and its record as opened. Changes are compared with that record, and its version is sent, so saving never
 * overwrites a change that someone else made in the meantime. `onLoadLatest` is set once there is such a change.
 */
export function useOpened<Each extends { version: number } | null, Values>(latest: Each, valuesOf: (record: Each) => Values) {
  const [opened, setOpened] = useState(latest)
  const [values, setValues] = useState(() => valuesOf(latest))
  const load = () => {
    setOpened(latest)
    setValues(valuesOf(latest))
  }
  return {
    opened,
    values,
    set: (change: Partial<Values>) => setValues((now) => ({ ...now, ...change })),
    onLoadLatest: latest?.version === opened?.version ? undefined : load,
  }
}

export function BulkForm({ title, description, submit, problem = null, act, onOpenChange, onDone, onLoadLatest, children }: BulkFormProps) {
  const client = useQueryClient()
  const formId = useId()
  const [isSending, setSending] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const [isRefused, setRefused] = useState(false)

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const begun = problem === null ? act() : null
    if (!begun) return showErrors(event.currentTarget, () => setAsked(true))
    setSending(true)
    setRefused(false)
    const isDone = await runAction(client, () => begun)
    setSending(false)
    setRefused(!isDone)
    if (!isDone) return
    onOpenChange(false)
    onDone?.()
  }

  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={title}
        description={description}
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={isSending} pendingText="Saving..." className="min-h-12">
              {submit}
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={(event) => void send(event)} className="grid gap-5">
          {typeof children === 'function' ? children(isAsked) : children}
          <FormError>{isAsked ? problem : null}</FormError>
          <FormError action={onLoadLatest && <LoadLatest onLoad={onLoadLatest} />}>
            {isRefused && onLoadLatest && 'Someone else changed this in the meantime.'}
          </FormError>
        </form>
      </DialogContent>
    </Dialog>
  )
}

type DayFieldProps = { label: string; value: string; onChange: (day: string) => void; hint?: string }

export const DayField = ({ label, value, onChange, hint }: DayFieldProps) => (
  <Field label={label} hint={hint}>
    <Input type="date" max={localDay()} value={value} onChange={(event) => onChange(event.target.value)} className="min-h-12" />
  </Field>
)

export const SexField = ({ value, onChange }: { value: Sex; onChange: (sex: Sex) => void }) => (
  <Field label="Sex">
    <Select value={value} onChange={(event) => onChange(event.target.value as Sex)} className="[&_select]:min-h-12">
      {(['female', 'male', 'intersex', 'unknown'] as const).map((sex) => (
        <option key={sex} value={sex}>
          {sexLabels[sex]}
        </option>
      ))}
    </Select>
  </Field>
)

export function SeedLotField({ huntId, value, onChange }: { huntId: string; value: string; onChange: (lotId: string) => void }) {
  const { data: lots = [] } = useQuery(seedLotsOptions(huntId))
  const { data: genotypes = [] } = useQuery(genotypesOptions(huntId))
  if (lots.length === 0) return null
  return (
    <Field label="Seed lot" optional>
      <Select value={value} onChange={(event) => onChange(event.target.value)} className="[&_select]:min-h-12">
        <option value="">None</option>
        {lots.map((lot) => (
          <option key={lot.id} value={lot.id}>
            {crossWords(lot, genotypes)}
          </option>
        ))}
      </Select>
    </Field>
  )
}
