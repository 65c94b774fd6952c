import { messageOf } from '../../lib/api-error.ts'
import { changePreferences } from '../../lib/preferences.ts'
import type { Units } from '../../lib/units.ts'
import { useUnits } from '../../lib/use-units.ts'
import { Chip } from '../../ui/chip.tsx'
import { toast } from '../../ui/toast-store.ts'

const choices = [
  {
    name: 'Lengths in',
    measure: 'length',
    units: [
      ['cm', 'cm'],
      ['in', 'in'],
    ],
  },
  {
    name: 'Temperatures in',
    measure: 'temperature',
    units: [
      ['C', '°C'],
      ['F', '°F'],
    ],
  },
] as const

/** What one reads and types in, in growing and everywhere else. Everything is stored alike. `only`: where the other is of no use. */
export function UnitsSwitch({ only }: { only?: (typeof choices)[number]['measure'] }) {
  const units = useUnits()
  const choose = (change: Partial<Units>) =>
    changePreferences(change).catch((error: unknown) =>
      toast({ title: 'The unit could not be saved', description: messageOf(error), variant: 'destructive' }),
    )
  return (
    <div className="flex flex-wrap gap-x-3 gap-y-2">
      {choices
        .filter(({ measure }) => only === undefined || measure === only)
        .map(({ name, measure, units: ofMeasure }) => (
          <fieldset key={measure} className="flex gap-2">
            <legend className="sr-only">{name}</legend>
            {ofMeasure.map(([unit, text]) => (
              <Chip key={unit} pressed={units[measure] === unit} onClick={() => void choose({ [measure]: unit })} className="min-h-12">
                {text}
              </Chip>
            ))}
          </fieldset>
        ))}
    </div>
  )
}
