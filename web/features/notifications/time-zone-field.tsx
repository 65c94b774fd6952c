import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { deviceTimeZone, timeZones, zoneName } from './time-zones.ts'

type TimeZoneFieldProps = { value: string; onChange: (zone: string) => void; className?: string }

export function TimeZoneField({ value, onChange, className }: TimeZoneFieldProps) {
  const device = deviceTimeZone()
  return (
    <div className={className}>
      <Field label="Time zone" hint="For quiet hours, and for when a daily or weekly mail is sent.">
        <Select value={value} onChange={(event) => onChange(event.target.value)} className="max-w-sm">
          {timeZones(value).map((zone) => (
            <option key={zone} value={zone}>
              {zoneName(zone)}
            </option>
          ))}
        </Select>
      </Field>
      {value !== device && (
        <Button variant="quiet" size="sm" className="mt-2 -ml-3" onClick={() => onChange(device)}>
          Use this device’s: {zoneName(device)}
        </Button>
      )}
    </div>
  )
}
