import type { ComponentProps } from 'react'
import { suggestBreeders, suggestStrains } from '#contracts/calls/search.ts'
import { call } from '#web/lib/call.ts'
import { Combobox } from '#web/ui/combobox.tsx'

type Strain = Awaited<ReturnType<typeof findStrains>>[number]
type StrainComboboxProps = Pick<ComponentProps<typeof Combobox<Strain>>, 'ref' | 'value' | 'placeholder' | 'aria-label' | 'className'> & {
  onChange: (name: string) => void
  onChoose?: (strain: Strain) => void
}

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
        // The name matters most, so details wrap below it if both don't fit.
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3 wrap-anywhere">
          <span>{name}</span>
          <span className="text-muted text-sm">{[type, breeder].filter(Boolean).join(' · ')}</span>
        </span>
      )}
      onSelect={(strain) => {
        onChange(strain.name)
        onChoose?.(strain)
      }}
      emptyText="No matching strain. You can still use this name."
    />
  )
}

const typed = (q: string) => ({ query: { q: q.slice(0, 80) } })

export const findStrains = (q: string, signal: AbortSignal) => call(suggestStrains, typed(q), { signal })
export const findBreeders = (q: string, signal: AbortSignal) => call(suggestBreeders, typed(q), { signal })
