import { ChevronDown, Minus, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { vaporPressureDeficit } from '#agronomy/vpd.ts'
import { growthStages } from '#contracts/choices.ts'
import type { GrowLog, GrowthStage } from '#contracts/grow-logs.ts'
import { typedNumber, type Units, useUnits } from '#web/lib/units.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import type { SheetTexts } from '#web/ui/sheet/sheet.tsx'
import {
  fieldOf,
  type LogField,
  labelOf,
  leafDifferenceText,
  logFields,
  rangesDisagree,
  readField,
  stageNames,
  textOf,
  usualHint,
} from './log-fields.ts'
import type { Entry } from './log-writes.ts'

const ratings = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

type RatingButtonsProps = { value: number | null; onChange: (value: number | null) => void; error?: string | undefined }

/** Sized for gloved thumbs. Pressing the selected rating clears it. */
export function RatingButtons({ value, onChange, error }: RatingButtonsProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Rating</legend>
      <div className="grid grid-cols-5 gap-2 sm:max-md:grid-cols-10">
        {ratings.map((rating) => (
          <button
            key={rating}
            type="button"
            aria-pressed={rating === value}
            aria-label={`Rating ${rating} of 10`}
            onClick={() => onChange(rating === value ? null : rating)}
            className={cx(
              'min-h-12 rounded-input border font-semibold text-lg tabular-nums transition-colors',
              rating === value ? 'border-transparent bg-leaf text-on-leaf' : 'border-edge bg-surface hover:bg-sunk',
            )}
          >
            {rating}
          </button>
        ))}
      </div>
      {error && <p className="font-medium text-clay text-sm">{error}</p>}
    </fieldset>
  )
}

type StepInputProps = {
  label: string
  /** For the buttons' accessible labels: "height". */
  name: string
  text: string
  onChange: (text: string) => void
  step: number
  /** Where stepping starts if the field is empty, such as the last value. The field itself remains empty. */
  from: number | null
  min: number
  hint?: ReactNode
  error?: string | undefined
}

export function StepInput({ label, name, text, onChange, step, from, min, hint, error }: StepInputProps) {
  const typed = typedNumber(text)
  const stepBy = (by: number) => {
    const start = typed === null || Number.isNaN(typed) ? from : typed
    const next = start === null ? Math.max(min, by > 0 ? step : min) : start + by
    onChange(String(Math.max(min, Math.round(next * 100) / 100)))
  }
  return (
    <Field label={label} hint={hint} error={error}>
      <StepControl {...{ name, text, onChange }} onLess={() => stepBy(-step)} onMore={() => stepBy(step)} />
    </Field>
  )
}

type StepControlProps = Pick<StepInputProps, 'name' | 'text' | 'onChange'> & { onLess: () => void; onMore: () => void }

function StepControl({ name, text, onChange, onLess, onMore }: StepControlProps) {
  return (
    <div className="flex items-stretch gap-2">
      <Button variant="secondary" aria-label={`Decrease ${name}`} className="min-h-14 w-14 px-0" onClick={onLess}>
        <Minus aria-hidden="true" />
      </Button>
      <Input
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        className="min-h-14 text-center font-semibold text-xl tabular-nums"
      />
      <Button variant="secondary" aria-label={`Increase ${name}`} className="min-h-14 w-14 px-0" onClick={onMore}>
        <Plus aria-hidden="true" />
      </Button>
    </div>
  )
}

export type Texts = Record<string, string>

type ExpertFieldsProps = {
  texts: Texts
  onChange: (key: string, text: string) => void
  errors: Texts
  isRepeated?: boolean
}

const groups: readonly { group: LogField['group']; name: string }[] = [
  { group: 'air', name: 'Air and light' },
  { group: 'water', name: 'Feed water' },
  { group: 'work', name: 'Actions' },
]

/** Collapsed until the person or an error opens it. */
export function ExpertFields({ texts, onChange, errors, isRepeated = false }: ExpertFieldsProps) {
  const units = useUnits()
  const filled = logFields.filter(({ key, group }) => group !== 'plain' && (texts[key] ?? '') !== '')
  const stage = stageOf(texts)
  const hasError = Object.keys(errors).some((key) => fieldOf(key)?.group !== 'plain')
  const [isOpen, setOpen] = useState(false)
  // An error opens the section, and correcting the error must not close the section again.
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
            {filled.length} filled in{isRepeated && ', same as last time'}
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
        {leaf === null
          ? `, assuming the leaf is ${leafDifferenceText(units)} cooler than the air`
          : ', using the measured leaf temperature'}
        {usualHint('vpdKpa', stage, 'plain', units) && `. ${usualHint('vpdKpa', stage, 'plain', units)} kPa`}
      </span>
    </p>
  )
}

type LogValues = Omit<Entry, 'loggedOn' | 'plantId'>

export function entryOf(texts: Texts, units: Units): { entry: LogValues } | { errors: Texts } {
  const errors: Texts = {}
  const entry: Record<string, string | number> = {}
  for (const field of logFields) {
    const read = readField(field, texts[field.key] ?? '', units)
    if ('error' in read) errors[field.key] = read.error
    else if (read.value !== null && read.value !== '') entry[field.key] = read.value
  }
  return Object.keys(errors).length > 0 ? { errors } : { entry: entry as LogValues }
}

export const hasContent = (entry: LogValues): boolean => Object.keys(entry).some((key) => key !== 'week')

/** Omits the week if it was derived from dates. */
export const textsOf = (log: GrowLog, units: Units): Texts =>
  Object.fromEntries(
    logFields.map((field) => [
      field.key,
      field.key === 'week' && !log.isWeekStated ? '' : field.key === 'stage' ? (log.stage ?? '') : textOf(field, log, units),
    ]),
  )

/** Includes only changed fields, because rereading a value shown in inches would round it. */
export function changeOf(before: Texts, after: Texts, units: Units): { change: Partial<LogValues> } | { errors: Texts } {
  const errors: Texts = {}
  const change: Record<string, string | number | null> = {}
  for (const field of logFields) {
    const text = after[field.key] ?? ''
    if (text.trim() === (before[field.key] ?? '').trim()) continue
    const read = readField(field, text, units)
    if ('error' in read) errors[field.key] = read.error
    else change[field.key] = read.value
  }
  return Object.keys(errors).length > 0 ? { errors } : { change: change as Partial<LogValues> }
}

export function bulkEntries(
  texts: SheetTexts,
  day: string,
  units: Units,
): { entries: Entry[] } | { errors: Record<string, Record<string, string>> } {
  const errors: Record<string, Record<string, string>> = {}
  const entries: Entry[] = []
  for (const [plantId, row] of Object.entries(texts)) {
    if (Object.values(row).every((text) => text.trim() === '')) continue
    const read = entryOf(row, units)
    if ('errors' in read) errors[plantId] = read.errors
    else entries.push({ ...read.entry, plantId, loggedOn: day })
  }
  return Object.keys(errors).length > 0 ? { errors } : { entries }
}
