import { Minus, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { typedNumber } from '../../lib/units.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

type StepInputProps = {
  label: string
  /** What is stepped, in a sentence: "height". */
  name: string
  text: string
  onChange: (text: string) => void
  step: number
  /** Where stepping begins while nothing is written, as from the last time. It is not written by itself. */
  from: number | null
  least: number
  hint?: ReactNode
  error?: string | undefined
}

/** A figure to type or to step with the thumb. */
export function StepInput({ label, name, text, onChange, step, from, least, hint, error }: StepInputProps) {
  const typed = typedNumber(text)
  const stepBy = (by: number) => {
    const start = typed === null || Number.isNaN(typed) ? from : typed
    const next = start === null ? Math.max(least, by > 0 ? step : least) : start + by
    onChange(String(Math.max(least, Math.round(next * 100) / 100)))
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
