import { ChevronDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { vaporPressureDeficit } from '#agronomy/vpd.ts'
import { type GrowthStage, growthStages } from '#contracts/grow-logs.ts'
import type { Units } from '#web/lib/units.ts'
import { useUnits } from '#web/lib/use-units.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { fieldOf, type LogField, labelOf, logFields, rangesDisagree, readField, stageNames, usualHint } from './log-fields.ts'

export type Texts = Record<string, string>

type ExpertFieldsProps = {
  texts: Texts
  onChange: (key: string, text: string) => void
  errors: Texts
  /** The values are carried over from the previous plant. */
  isRepeated?: boolean
}

const groups: readonly { group: LogField['group']; name: string }[] = [
  { group: 'air', name: 'Air and light' },
  { group: 'water', name: 'Feed water' },
  { group: 'work', name: 'Actions' },
]

/** Measurement fields, collapsed at first. Values carry over to the next plant of the walk. */
export function ExpertFields({ texts, onChange, errors, isRepeated = false }: ExpertFieldsProps) {
  const units = useUnits()
  const filled = logFields.filter(({ key, group }) => group !== 'plain' && (texts[key] ?? '') !== '')
  const stage = stageOf(texts)
  const hasError = Object.keys(errors).some((key) => fieldOf(key)?.group !== 'plain')
  const [isOpen, setOpen] = useState(false)
  // Stays open once an error opened it: the first keystroke of a correction clears the error and would collapse it.
  useEffect(() => {
    if (hasError) setOpen(true)
  }, [hasError])
  return (
    <details className="group rounded-input border border-line" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-12 cursor-pointer list-none items-center gap-2 px-4 font-medium [&::-webkit-details-marker]:hidden">
        <ChevronDown aria-hidden="true" className="size-5 transition-transform group-open:rotate-180" />
        Environment, feed and training
        {filled.length > 0 && (
          <span className="ml-auto text-muted text-sm">
            {filled.length} filled in{isRepeated && ', as last time'}
          </span>
        )}
      </summary>
      <div className="grid gap-6 border-line border-t p-4">
        <Field label="Stage" className="max-w-56">
          <Select value={stage ?? ''} onChange={(event) => onChange('stage', event.target.value)}>
            <option value="">Not set</option>
            {growthStages.map((each) => (
              <option key={each} value={each}>
                {stageNames[each]}
              </option>
            ))}
          </Select>
        </Field>
        {groups.map(({ group, name }) => (
          <fieldset key={group} className="grid gap-3">
            <legend className="mb-2 font-semibold text-sm">{name}</legend>
            <div className={group === 'work' ? 'grid gap-3 sm:grid-cols-3' : 'grid grid-cols-2 gap-3 sm:grid-cols-3'}>
              {logFields
                .filter((field) => field.group === group && field.kind !== 'stage')
                .map((field) => (
                  <Field
                    key={field.key}
                    label={labelOf(field, units)}
                    hint={usualHint(field.key, stage, field.measure, units)}
                    error={errors[field.key]}
                  >
                    <Input
                      inputMode={field.kind === 'text' ? undefined : 'decimal'}
                      autoComplete="off"
                      value={texts[field.key] ?? ''}
                      onChange={(event) => onChange(field.key, event.target.value)}
                      className="min-h-12"
                    />
                  </Field>
                ))}
            </div>
            {group === 'air' && <Deficit texts={texts} stage={stage} units={units} />}
          </fieldset>
        ))}
        <p className="text-muted text-sm">{rangesDisagree}</p>
      </div>
    </details>
  )
}

const stageOf = (texts: Texts): GrowthStage | null => growthStages.find((stage) => stage === texts.stage) ?? null

/** Vapor pressure deficit, once temperature and humidity are filled in. */
function Deficit({ texts, stage, units }: { texts: Texts; stage: GrowthStage | null; units: Units }) {
  const figureOf = (key: string): number | null => {
    const read = readField(fieldOf(key), texts[key] ?? '', units)
    return 'value' in read && typeof read.value === 'number' ? read.value : null
  }
  const [air, humidity, leaf] = [figureOf('airCelsius'), figureOf('humidityPercent'), figureOf('leafCelsius')]
  const vpd = air === null || humidity === null ? null : vaporPressureDeficit(air, humidity, leaf)
  if (vpd === null) return <p className="text-muted text-sm">VPD is calculated from air temperature and humidity.</p>
  return (
    <p className="text-sm" role="status">
      <span className="font-semibold tabular-nums">VPD {vpd.toFixed(2)} kPa</span>
      <span className="text-muted">
        {leaf === null ? ', assuming the leaf is 2 °C cooler than the air' : ', using the measured leaf temperature'}
        {usualHint('vpdKpa', stage, 'plain', units) && `. ${usualHint('vpdKpa', stage, 'plain', units)} kPa`}
      </span>
    </p>
  )
}
