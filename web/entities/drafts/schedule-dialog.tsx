import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { bestTimesOptions } from './drafts.api.ts'
import { clockOf, dayLabel, fieldsOf, firstProposal, momentOf, nextTime, whenWords } from './schedule-time.ts'

type ScheduleDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  publishAt?: string | null | undefined
  businessId: string | null
  onSchedule: (publishAt: string) => Promise<void>
}

/** Picks a publishing time. Stays open until the request settles. */
export function ScheduleDialog({ open, onOpenChange, ...props }: ScheduleDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open && <ScheduleForm {...props} onDone={() => onOpenChange(false)} />}
    </Dialog>
  )
}

type ScheduleFormProps = Omit<ScheduleDialogProps, 'open' | 'onOpenChange'> & { onDone: () => void }

function ScheduleForm({ publishAt, businessId, onSchedule, onDone }: ScheduleFormProps) {
  const [now] = useState(() => new Date())
  const [values, setValues] = useState(() => fieldsOf(publishAt ? new Date(publishAt) : firstProposal(now)))
  const [error, setError] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const moment = momentOf(values)
  const form = useRef<HTMLFormElement>(null)
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

  async function submit() {
    if (!moment || moment.getTime() <= Date.now()) {
      form.current?.querySelector('input')?.focus()
      return setError(moment ? 'Choose a time in the future' : 'Choose a date and time')
    }
    setPending(true)
    setError(null)
    try {
      await onSchedule(moment.toISOString())
      onDone()
    } catch (failure) {
      console.error(failure)
      const fields = Object.values(fieldErrors(failure))
      setError(fields.length > 0 ? fields.join(' · ') : messageOf(failure))
    } finally {
      setPending(false)
    }
  }

  return (
    <DialogContent
      title="Schedule post"
      description={`Times are in your time zone, ${timeZone.replaceAll('_', ' ')}.`}
      actions={
        <>
          <DialogCancel />
          <Button onClick={() => void submit()} pending={isPending} pendingText="Saving...">
            Schedule
          </Button>
        </>
      }
    >
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div className="grid gap-3 min-[360px]:grid-cols-2">
          <Field label="Day">
            <Input
              type="date"
              min={localDay(now)}
              value={values.day}
              onChange={(event) => setValues({ ...values, day: event.target.value })}
            />
          </Field>
          <Field label="Time">
            <Input type="time" value={values.time} onChange={(event) => setValues({ ...values, time: event.target.value })} />
          </Field>
        </div>
        {businessId !== null && <Proposals businessId={businessId} now={now} onChoose={(date) => setValues(fieldsOf(date))} />}
        <p className="text-muted text-sm" aria-live="polite">
          {moment && moment > now && `It will be published ${whenWords(moment, now)}, within a minute.`}
        </p>
        <FormError>{error}</FormError>
        {/* Enables Enter; the visible button is outside the form. */}
        <button type="submit" hidden />
      </form>
    </DialogContent>
  )
}

const maxProposals = 3

/** Times with the most likes and comments. Renders nothing without enough data. */
function Proposals({ businessId, now, onChoose }: { businessId: string; now: Date; onChoose: (date: Date) => void }) {
  const { data } = useQuery(bestTimesOptions(businessId))
  if (!data || data.hours.length === 0) return null
  const dates = data.hours.slice(0, maxProposals).map((hour) => nextTime(hour, now))
  return (
    <div className="grid gap-2">
      <p className="font-medium text-sm">Your best times</p>
      <div className="flex flex-wrap gap-2">
        {dates.map((date) => (
          <button key={date.getTime()} type="button" className={chipClass(false)} onClick={() => onChoose(date)}>
            {dayLabel(date, now)}, {clockOf(date)}
          </button>
        ))}
      </div>
    </div>
  )
}
