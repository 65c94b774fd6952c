import { Chip } from '../../ui/chip.tsx'
import { setUnits, type Units, useUnits } from './units.ts'

const names: Record<Units, string> = { metric: 'cm, °C', us: 'in, °F' }

/** What one reads and types in. It is remembered on this device; everything is stored alike. */
export function UnitsSwitch() {
  const units = useUnits()
  return (
    <fieldset className="flex gap-2">
      <legend className="sr-only">Units</legend>
      {(['metric', 'us'] as const).map((each) => (
        <Chip key={each} pressed={units === each} onClick={() => setUnits(each)} className="min-h-12">
          {names[each]}
        </Chip>
      ))}
    </fieldset>
  )
}
