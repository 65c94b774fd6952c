import { useId, useState } from 'react'
import type { ObservedValue } from '#contracts/observations.endpoints.ts'
import type { Trait } from '#contracts/traits.ts'
import { localDay } from '#web/lib/time-words.ts'
import { cx } from '#web/ui/cx.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { readValue, type TraitValue, valueText } from './trait-words.ts'

type ValueInputProps = {
  trait: Pick<Trait, 'name' | 'kind' | 'options' | 'unit'>
  first?: TraitValue | undefined
  /** The value is null while empty or invalid. `isWhole` is true once it's complete, for example after pressing a scale's button. */
  onChange: (value: ObservedValue | null, isWhole: boolean) => void
  error?: string | undefined
}

/** Handles any kind of trait except photos. Buttons are labeled, and sized for gloved thumbs. Set a key per plant. */
export function ValueInput({ trait, first = {}, onChange, error }: ValueInputProps) {
  if (trait.kind === 'number' || trait.kind === 'date') return <TypedValue {...{ trait, first, onChange, error }} />
  return <ChosenValue {...{ trait, first, onChange, error }} />
}

function TypedValue({ trait, first = {}, onChange, error }: ValueInputProps) {
  const isDate = trait.kind === 'date'
  const [text, setText] = useState(valueText(trait, first))
  const read = readValue(trait, text)
  const problem = read && 'error' in read ? read.error : error
  return (
    <Field label={isDate || trait.unit === '' ? trait.name : `${trait.name} (${trait.unit})`} error={problem}>
      <Input
        type={isDate ? 'date' : 'text'}
        inputMode={isDate ? undefined : 'decimal'}
        autoComplete="off"
        value={text}
        max={isDate ? localDay() : undefined}
        onChange={(event) => {
          setText(event.target.value)
          const next = readValue(trait, event.target.value)
          onChange(next && 'value' in next ? next.value : null, false)
        }}
        className={cx('min-h-14 text-xl tabular-nums', !isDate && 'text-center font-semibold')}
      />
    </Field>
  )
}

function ChosenValue({ trait, first = {}, onChange, error }: ValueInputProps) {
  const [chosen, setChosen] = useState<readonly number[] | null>(
    typeof first.number === 'number' ? [first.number] : (first.options ?? null),
  )
  const id = useId()
  const isMany = trait.kind === 'checks'
  const pick = (value: number) => {
    if (!isMany) {
      setChosen([value])
      return onChange(trait.kind === 'ordinal' ? { kind: 'number', number: value } : { kind: 'options', options: [value] }, true)
    }
    const next = chosen?.includes(value) ? chosen.filter((each) => each !== value) : [...(chosen ?? []), value]
    setChosen(next)
    onChange({ kind: 'options', options: [...next] }, false)
  }
  const hasNone = isMany && chosen?.length === 0
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">{trait.name}</legend>
      <div
        className={cx(
          'grid gap-2',
          trait.kind === 'ordinal'
            ? 'grid-cols-1 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]'
            : 'grid-cols-2 sm:grid-cols-[repeat(auto-fill,minmax(9rem,1fr))]',
        )}
      >
        {trait.options.map(({ value, label }) => (
          <OptionButton key={value} isChosen={chosen?.includes(value) === true} onClick={() => pick(value)}>
            {trait.kind === 'ordinal' && <span className="font-semibold text-lg tabular-nums">{value}</span>}
            <span className="min-w-0 text-sm/tight wrap-anywhere">{label}</span>
          </OptionButton>
        ))}
        {isMany && (
          <OptionButton
            isChosen={hasNone}
            onClick={() => {
              setChosen([])
              onChange({ kind: 'options', options: [] }, false)
            }}
          >
            <span className="text-sm">None of these</span>
          </OptionButton>
        )}
      </div>
      {error && (
        <p id={`${id}-error`} className="font-medium text-clay text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}

const OptionButton = ({ isChosen, onClick, children }: { isChosen: boolean; onClick: () => void; children: React.ReactNode }) => (
  <button
    type="button"
    aria-pressed={isChosen}
    onClick={onClick}
    className={cx(
      'flex min-h-14 items-center gap-3 rounded-input border px-3 py-2 text-left transition-colors',
      isChosen ? 'border-transparent bg-leaf text-on-leaf' : 'border-edge bg-surface hover:bg-sunk',
    )}
  >
    {children}
  </button>
)
