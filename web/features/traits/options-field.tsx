import { Plus, X } from 'lucide-react'
import { type Control, useController } from 'react-hook-form'
import { maxTraitOptions, type NewTrait } from '../../../contracts/traits.ts'
import { Button } from '../../ui/button.tsx'
import { FieldGroup } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { nextOption, type TraitValues } from './trait-form-values.ts'

type OptionsFieldProps = { control: Control<TraitValues, unknown, NewTrait>; isScale: boolean }

/** The written anchors of a scale, or the words of a list. A step keeps its number whatever is removed before it. */
export function OptionsField({ control, isScale }: OptionsFieldProps) {
  const { field, fieldState } = useController({ control, name: 'options' })
  const options = field.value
  const one = isScale ? 'Anchor' : 'Option'
  return (
    <FieldGroup
      legend={isScale ? 'Anchors' : 'Options'}
      hint={isScale ? 'What each step looks like, so that everybody scores alike. Empty ones are left out.' : 'Empty ones are left out.'}
      error={fieldState.error?.message}
    >
      <ol className="grid gap-2">
        {options.map(({ value, label }, at) => (
          <li key={value} className="flex items-center gap-2">
            <span className="w-7 shrink-0 text-right text-muted text-sm tabular-nums">{isScale ? value : at + 1}</span>
            <Input
              ref={at === 0 ? field.ref : undefined}
              aria-label={`${one} ${isScale ? value : at + 1}`}
              value={label}
              maxLength={80}
              onBlur={field.onBlur}
              onChange={(event) =>
                field.onChange(options.map((each) => (each.value === value ? { value, label: event.target.value } : each)))
              }
            />
            <IconButton
              label={`Remove ${one.toLowerCase()} ${isScale ? value : at + 1}`}
              onClick={() => field.onChange(options.filter((each) => each.value !== value))}
            >
              <X aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ol>
      {options.length < maxTraitOptions && (
        <Button variant="secondary" className="justify-self-start" onClick={() => field.onChange([...options, nextOption(options)])}>
          <Plus aria-hidden="true" />
          Add {one.toLowerCase()}
        </Button>
      )}
    </FieldGroup>
  )
}
