import { messageOf } from '#web/lib/api-error.ts'
import { changePreferences } from '#web/lib/preferences.ts'
import { type Units, useUnits } from '#web/lib/units.ts'
import { Chip } from '#web/ui/chip.tsx'
import { toast } from '#web/ui/toast-store.ts'

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

/** Changes units throughout the app. Stored units never change. `only` limits the switch to one measure. */
export function UnitsSwitch({ only }: { only?: (typeof choices)[number]['measure'] }) {
  const units = useUnits()
  const choose = (change: Partial<Units>) =>
    changePreferences(change).catch((error: unknown) =>
      toast({ title: 'The unit couldn’t be saved', description: messageOf(error), variant: 'destructive' }),
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
