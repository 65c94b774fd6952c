import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { chipClass } from '../../ui/chip.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { fieldErrors } from '../accounts/server-errors.ts'
import { bestTimesOptions } from './drafts.api.ts'
import { clockOf, dayLabel, dayOf, fieldsOf, firstProposal, momentOf, nextTime, whenWords } from './schedule-time.ts'

type ScheduleDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The time that it has now. */
  publishAt?: string | null | undefined
  /** Whose best times are proposed. */
  businessId: string | null
  onSchedule: (publishAt: string) => Promise<void>
}

/** Asks when a post is to go out. It stays open until that is settled. */
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
      return setError(moment ? 'Choose a time that is still to come' : 'Choose a day and a time')
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
              min={dayOf(now)}
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
          {moment && moment > now && `Goes out ${whenWords(moment, now)}, within a minute.`}
        </p>
        {error && (
          <div role="alert">
            <FieldError>{error}</FieldError>
          </div>
        )}
        {/* Enter sends it; the button that is seen stands below. */}
        <button type="submit" hidden />
      </form>
    </DialogContent>
  )
}

const mostProposals = 3

/** When this business's posts got most likes and comments. Without enough of them there is nothing to propose. */
function Proposals({ businessId, now, onChoose }: { businessId: string; now: Date; onChoose: (date: Date) => void }) {
  const { data } = useQuery(bestTimesOptions(businessId))
  if (!data || data.hours.length === 0) return null
  const dates = data.hours.slice(0, mostProposals).map((hour) => nextTime(hour, now))
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
