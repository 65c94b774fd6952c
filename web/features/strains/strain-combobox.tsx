import type { ComponentProps } from 'react'
import { Combobox } from '../../ui/combobox.tsx'
import { findStrains } from './strains.api.ts'

type Strain = Awaited<ReturnType<typeof findStrains>>[number]
type StrainComboboxProps = Pick<ComponentProps<typeof Combobox<Strain>>, 'ref' | 'value' | 'placeholder' | 'aria-label' | 'className'> & {
  onChange: (name: string) => void
  /** The strain was chosen from the list, with all that the list knows of it. */
  onChoose?: (strain: Strain) => void
}

/** A field for a strain's name, with those of the strain list to choose from. Any other name is an answer too. */
export function StrainCombobox({ onChange, onChoose, ...props }: StrainComboboxProps) {
  return (
    <Combobox
      {...props}
      maxLength={120}
      onValueChange={onChange}
      loadOptions={findStrains}
      optionKey={({ name, breeder }) => `${name} ${breeder}`}
      optionText={({ name }) => name}
      renderOption={({ name, type, breeder }) => (
        // The name is what one chooses by: where both do not fit, the rest goes below it.
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3 wrap-anywhere">
          <span>{name}</span>
          <span className="text-muted text-sm">{[type, breeder].filter(Boolean).join(' · ')}</span>
        </span>
      )}
      onSelect={(strain) => {
        onChange(strain.name)
        onChoose?.(strain)
      }}
      emptyText="No such strain in the list; what you typed is kept."
    />
  )
}
