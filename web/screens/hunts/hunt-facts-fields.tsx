import { X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { type Control, useController } from 'react-hook-form'
import { findBreeders } from '#web/entities/strains/strains.api.ts'
import { TextareaField, TextField } from '#web/forms/fields.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { Field } from '#web/ui/field.tsx'
import type { HuntValues } from './hunt-values.ts'

// Also accepts the control of a form with more fields.
type FactsProps = { control: Control<HuntValues, unknown, unknown> }

const environments = ['Indoor tent', 'Indoor room', 'Greenhouse', 'Outdoor', 'Hydroponic', 'Living soil bed', 'Coco in pots']

export function HuntFactsFields({ control }: FactsProps) {
  const breeders = useController({ control, name: 'breeders' })
  return (
    <>
      <BreedersField value={breeders.field.value} onChange={breeders.field.onChange} error={breeders.fieldState.error?.message} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          control={control}
          name="growEnvironment"
          label="Grow environment"
          optional
          maxLength={120}
          list="grow-environments"
          autoComplete="off"
        />
        <datalist id="grow-environments">
          {environments.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <TextField control={control} name="germinationDate" label="Germination date" optional type="date" />
      </div>
      <TextareaField control={control} name="goals" label="Goals" optional rows={3} maxLength={2000} hint="What you want in a keeper." />
      <TextField
        control={control}
        name="plantLimit"
        label="Plant limit"
        optional
        inputMode="numeric"
        autoComplete="off"
        hint="How many plants you may grow at once. Only people you share the hunt with see it."
      />
    </>
  )
}

type BreedersFieldProps = { value: string[]; onChange: (breeders: string[]) => void; error?: string | undefined }

/** Multiple breeders, each from the strain list or free text. */
function BreedersField({ value, onChange, error }: BreedersFieldProps) {
  const [typed, setTyped] = useState('')
  function add(name: string) {
    setTyped('')
    const trimmed = name.trim()
    if (trimmed !== '' && !value.some((each) => each.toLowerCase() === trimmed.toLowerCase())) onChange([...value, trimmed])
  }
  /** If a suggestion is highlighted, Enter selects it. */
  function onKey(event: KeyboardEvent) {
    const isMarked = event.target instanceof HTMLInputElement && event.target.getAttribute('aria-activedescendant') !== null
    if (isMarked || (event.key !== 'Enter' && event.key !== ',')) return
    event.preventDefault()
    add(typed)
  }
  return (
    <div className="grid gap-2">
      <Field label="Breeders" optional hint="Press Enter after each." error={error}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside is what is interactive */}
        <div onKeyDownCapture={onKey} onBlur={() => add(typed)}>
          <Combobox
            value={typed}
            maxLength={80}
            onValueChange={setTyped}
            loadOptions={findBreeders}
            optionKey={({ name }) => name}
            optionText={({ name }) => name}
            onSelect={({ name }) => queueMicrotask(() => add(name))}
            emptyText="No matching breeder. You can still use this name."
          />
        </div>
      </Field>
      {value.length > 0 && (
        <ul aria-label="Breeders chosen" className="flex flex-wrap gap-2">
          {value.map((name) => (
            <li key={name} className="flex items-center gap-1 rounded-full bg-sunk pl-3 text-sm">
              <span className="max-w-56 truncate">{name}</span>
              <button
                type="button"
                onClick={() => onChange(value.filter((each) => each !== name))}
                className="touch-target grid size-9 place-items-center rounded-full text-muted hover:text-ink [&_svg]:size-4"
              >
                <X aria-hidden="true" />
                <span className="sr-only">Remove {name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
