import { useState } from 'react'
import type { Person } from '#contracts/people.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { Field } from '#web/ui/field.tsx'

type PersonFieldProps = {
  label: string
  hint: string
  /** Searches people who follow the viewer, or whom the viewer follows. */
  loadOptions: (name: string, signal: AbortSignal) => Promise<readonly Person[]>
  onSelect: (person: Person) => void
}

/** Selecting a person clears the field for the next one. */
export function PersonField({ label, hint, loadOptions, onSelect }: PersonFieldProps) {
  const [typed, setTyped] = useState('')
  return (
    <Field label={label} hint={hint}>
      <Combobox
        value={typed}
        onValueChange={setTyped}
        minLength={1}
        loadOptions={loadOptions}
        optionKey={({ id }) => id}
        optionText={({ name }) => name}
        renderOption={({ id, name, imageUrl }) => (
          <span className="flex min-w-0 items-center gap-2.5">
            <Avatar id={id} name={name} imageUrl={imageUrl} size="sm" />
            <span className="truncate">{name}</span>
          </span>
        )}
        onSelect={(person) => {
          onSelect(person)
          queueMicrotask(() => setTyped(''))
        }}
        emptyText="No one you follow or who follows you has this name."
      />
    </Field>
  )
}
