import { useState } from 'react'
import { uuidv7 } from 'uuidv7'
import { changeRun, createRun } from '#contracts/calls/runs.ts'
import { maxBenchSide } from '#contracts/limits.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { Run } from '#contracts/runs.endpoints.ts'
import { fullName } from '#web/entities/plants/plant-words.ts'
import { call } from '#web/lib/call.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { BulkForm } from './bulk-form.tsx'

type RunDialogProps = {
  huntId: string
  /** Null for a new run. */
  run: Run | null
  genotypes: readonly Genotype[]
  onOpenChange: (open: boolean) => void
}

const texts = [
  'name',
  'room',
  'medium',
  'light',
  'startedOn',
  'floweredOn',
  'endedOn',
  'checkGenotypeId',
  'benchRows',
  'benchColumns',
] as const
type Texts = Record<(typeof texts)[number], string>

const side = (text: string): number | null => (/^\d+$/.test(text.trim()) && Number(text) >= 1 ? Math.min(Number(text), maxBenchSide) : null)

export function RunDialog({ huntId, run, genotypes, onOpenChange }: RunDialogProps) {
  const [values, setValues] = useState(() => Object.fromEntries(texts.map((key) => [key, String(run?.[key] ?? '')])) as Texts)
  const [id] = useState(uuidv7)
  const [isNameless, setNameless] = useState(false)
  const set = (key: keyof Texts, text: string) => setValues({ ...values, [key]: text })
  const field = (key: keyof Texts, label: string, more: { type?: 'date'; placeholder?: string; numeric?: true } = {}) => (
    <Field label={label} error={key === 'name' && isNameless ? 'Name the run' : undefined}>
      <Input
        type={more.type ?? 'text'}
        placeholder={more.placeholder}
        inputMode={more.numeric ? 'numeric' : undefined}
        maxLength={80}
        value={values[key]}
        onChange={(event) => set(key, event.target.value)}
        className="min-h-12"
      />
    </Field>
  )

  function act() {
    const name = values.name.trim()
    setNameless(name === '')
    if (name === '') return null
    const { room, medium, light } = values
    const body = {
      name,
      room,
      medium,
      light,
      startedOn: values.startedOn || null,
      floweredOn: values.floweredOn || null,
      endedOn: values.endedOn || null,
      checkGenotypeId: values.checkGenotypeId || null,
      benchRows: side(values.benchRows),
      benchColumns: side(values.benchColumns),
    }
    return run
      ? call(changeRun, { params: { id: run.id }, body: { ...body, version: run.version } }).then(() => `${name} saved`)
      : call(createRun, { params: { id: huntId }, body: { ...body, id } }).then(() => `${name} started`)
  }

  return (
    <BulkForm title={run ? `Edit ${run.name}` : 'New run'} submit={run ? 'Save' : 'Start run'} onOpenChange={onOpenChange} act={act}>
      {field('name', 'Name', { placeholder: 'Tent A, winter' })}
      <div className="grid gap-4 sm:grid-cols-3">
        {field('room', 'Room')}
        {field('medium', 'Medium')}
        {field('light', 'Light')}
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        {field('startedOn', 'Started on', { type: 'date' })}
        {field('floweredOn', 'Flower from', { type: 'date' })}
        {field('endedOn', 'Ended on', { type: 'date' })}
      </div>
      <Field label="Check clone" hint="Use the same clone in every run to separate room effects from plant effects.">
        <Select
          value={values.checkGenotypeId}
          onChange={(event) => set('checkGenotypeId', event.target.value)}
          className="[&_select]:min-h-12"
        >
          <option value="">None</option>
          {genotypes
            .toSorted((a, b) => Number(b.kind === 'check') - Number(a.kind === 'check'))
            .map((genotype) => (
              <option key={genotype.id} value={genotype.id}>
                {fullName(genotype)}
                {genotype.kind === 'check' && ' (check clone)'}
              </option>
            ))}
        </Select>
      </Field>
      <div className="grid grid-cols-2 gap-4">
        {field('benchRows', 'Bench rows', { numeric: true })}
        {field('benchColumns', 'Bench columns', { numeric: true })}
      </div>
    </BulkForm>
  )
}
