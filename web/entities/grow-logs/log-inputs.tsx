import { Minus, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { typedNumber } from '#web/lib/units.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

const ratings = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

type RatingButtonsProps = { value: number | null; onChange: (value: number | null) => void; error?: string | undefined }

/** One to ten, sized for gloved thumbs. Pressing the selected one clears it. */
export function RatingButtons({ value, onChange, error }: RatingButtonsProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Rating</legend>
      <div className="grid grid-cols-5 gap-2 sm:max-md:grid-cols-10">
        {ratings.map((rating) => (
          <button
            key={rating}
            type="button"
            aria-pressed={rating === value}
            aria-label={`Rating ${rating} of 10`}
            onClick={() => onChange(rating === value ? null : rating)}
            className={cx(
              'min-h-12 rounded-input border font-semibold text-lg tabular-nums transition-colors',
              rating === value ? 'border-transparent bg-leaf text-on-leaf' : 'border-edge bg-surface hover:bg-sunk',
            )}
          >
            {rating}
          </button>
        ))}
      </div>
      {error && <p className="font-medium text-clay text-sm">{error}</p>}
    </fieldset>
  )
}

type StepInputProps = {
  label: string
  /** What the buttons step, for their accessible labels: "height". */
  name: string
  text: string
  onChange: (text: string) => void
  step: number
  /** Where stepping starts while the field is empty, such as the last value. Not filled in by itself. */
  from: number | null
  min: number
  hint?: ReactNode
  error?: string | undefined
}

export function StepInput({ label, name, text, onChange, step, from, min, hint, error }: StepInputProps) {
  const typed = typedNumber(text)
  const stepBy = (by: number) => {
    const start = typed === null || Number.isNaN(typed) ? from : typed
    const next = start === null ? Math.max(min, by > 0 ? step : min) : start + by
    onChange(String(Math.max(min, Math.round(next * 100) / 100)))
  }
  return (
    <Field label={label} hint={hint} error={error}>
      <StepControl {...{ name, text, onChange }} onLess={() => stepBy(-step)} onMore={() => stepBy(step)} />
    </Field>
  )
}

type StepControlProps = Pick<StepInputProps, 'name' | 'text' | 'onChange'> & { onLess: () => void; onMore: () => void }

function StepControl({ name, text, onChange, onLess, onMore }: StepControlProps) {
  return (
    <div className="flex items-stretch gap-2">
      <Button variant="secondary" aria-label={`Less ${name}`} className="min-h-14 w-14 px-0" onClick={onLess}>
        <Minus aria-hidden="true" />
      </Button>
      <Input
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        className="min-h-14 text-center font-semibold text-xl tabular-nums"
      />
      <Button variant="secondary" aria-label={`More ${name}`} className="min-h-14 w-14 px-0" onClick={onMore}>
        <Plus aria-hidden="true" />
      </Button>
    </div>
  )
}
