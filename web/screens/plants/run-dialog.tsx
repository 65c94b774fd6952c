import { useState } from 'react'
import { uuidv7 } from 'uuidv7'
import { createGrowTask } from '#contracts/calls/grow-tasks.ts'
import { createRun, updateRun } from '#contracts/calls/runs.ts'
import { maxBenchSide } from '#contracts/limits.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { NewRun, Run } from '#contracts/runs.endpoints.ts'
import { shortDay } from '#web/entities/hunts/hunt-words.ts'
import { fullName } from '#web/entities/plants/plant-words.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { call } from '#web/lib/call.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { BulkForm, useOpened } from './bulk-form.tsx'

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

type PlannedTask = { title: string; dueOn: string }

/**
 * A run's dates record what has happened: when its plants were flipped to flower, and when the run ended. A date still to come, such as
 * that of a planned flip, becomes a task instead, and people enter the date once the task is done.
 */
export function plannedTasks({ name, floweredOn, endedOn }: Pick<Texts, 'name' | 'floweredOn' | 'endedOn'>, today: string): PlannedTask[] {
  return [
    { title: `Flip ${name.trim()} to flower`, dueOn: floweredOn },
    { title: `End ${name.trim()}`, dueOn: endedOn },
  ].filter(({ dueOn }) => dueOn > today)
}

const isSide = (text: string) => text === '' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= maxBenchSide)

export function problemsOf({ name, benchRows, benchColumns }: Pick<Texts, 'name' | 'benchRows' | 'benchColumns'>): Partial<Texts> {
  const wrongSide = `Enter a whole number from 1 to ${maxBenchSide}`
  return {
    ...(name.trim() === '' ? { name: 'Name the run' } : {}),
    ...(isSide(benchRows.trim()) ? {} : { benchRows: wrongSide }),
    ...(isSide(benchColumns.trim()) ? {} : { benchColumns: wrongSide }),
  }
}

const valuesOf = (run: Run | null) => Object.fromEntries(texts.map((key) => [key, String(run?.[key] ?? '')])) as Texts

export function RunDialog({ huntId, run: latest, genotypes, onOpenChange }: RunDialogProps) {
  const { opened: run, values, set: setValues, onLoadLatest } = useOpened(latest, valuesOf)
  const [id] = useState(uuidv7)
  const [problems, setProblems] = useState<Partial<Texts>>({})
  const today = localDay()
  const set = (key: keyof Texts, text: string) => setValues({ [key]: text })
  const field = (
    key: keyof Texts,
    label: string,
    more: { type?: 'date'; placeholder?: string; numeric?: true; hint?: string | undefined } = {},
  ) => (
    <Field label={label} optional={key !== 'name'} hint={more.hint} error={problems[key]}>
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
    const found = problemsOf(values)
    setProblems(found)
    if (Object.keys(found).length > 0) return null
    const { room, medium, light } = values
    const passed = (day: string) => (day === '' || day > today ? null : day)
    const body = {
      name,
      room,
      medium,
      light,
      startedOn: values.startedOn || null,
      floweredOn: passed(values.floweredOn),
      endedOn: passed(values.endedOn),
      checkGenotypeId: values.checkGenotypeId || null,
      benchRows: Number(values.benchRows) || null,
      benchColumns: Number(values.benchColumns) || null,
    }
    return save(body)
  }

  async function save(body: Omit<NewRun, 'id'>) {
    const tasks = plannedTasks(values, today)
    const subjectOf = ({ title }: PlannedTask) => `run-task.${run?.id ?? id}.${title}`
    // Tasks come first: a retry finds them by their keys, whereas saving the run again would fail, because its version is outdated.
    for (const task of tasks) {
      await call(createGrowTask, { params: { id: huntId }, body: task }, { idempotencyKey: creationKey(subjectOf(task), task) })
    }
    await (run
      ? call(updateRun, { params: { id: run.id }, body: { ...body, version: run.version } })
      : call(createRun, { params: { id: huntId }, body: { ...body, id } }))
    for (const task of tasks) dropCreationKey(subjectOf(task))
    const title = `${body.name} ${run ? 'saved' : 'started'}`
    return {
      title,
      description: tasks.map(({ title: what, dueOn }) => `Added a task for ${shortDay(dueOn)}: ${what}.`).join(' ') || undefined,
    }
  }

  const hintFor = (day: string) => (day > today ? 'Adds a task for this day. Enter the day here once it’s done.' : undefined)

  return (
    <BulkForm
      title={run ? `Edit ${run.name}` : 'New run'}
      submit={run ? 'Save' : 'Start run'}
      onOpenChange={onOpenChange}
      onLoadLatest={onLoadLatest}
      act={act}
    >
      {field('name', 'Name', { placeholder: 'Tent A, winter' })}
      <div className="grid gap-4 sm:grid-cols-3">
        {field('room', 'Room')}
        {field('medium', 'Medium')}
        {field('light', 'Light')}
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        {field('startedOn', 'Started on', { type: 'date' })}
        {field('floweredOn', 'Flower from', { type: 'date', hint: hintFor(values.floweredOn) })}
        {field('endedOn', 'Ended on', { type: 'date', hint: hintFor(values.endedOn) })}
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
