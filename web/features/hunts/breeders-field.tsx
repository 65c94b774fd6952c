import { X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Combobox } from '../../ui/combobox.tsx'
import { Field } from '../../ui/field.tsx'
import { findBreeders } from '../strains/strains.api.ts'

type BreedersFieldProps = { value: string[]; onChange: (breeders: string[]) => void; error?: string | undefined }

/** Who bred the seeds: several of them, each from the strain list or as typed. */
export function BreedersField({ value, onChange, error }: BreedersFieldProps) {
  const [typed, setTyped] = useState('')
  function add(name: string) {
    setTyped('')
    const trimmed = name.trim()
    if (trimmed !== '' && !value.some((each) => each.toLowerCase() === trimmed.toLowerCase())) onChange([...value, trimmed])
  }
  /** What is marked in the list is the list's to choose. */
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
            emptyText="No such breeder in the list; what you typed is kept."
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
