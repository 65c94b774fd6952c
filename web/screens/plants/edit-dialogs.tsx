import { useState } from 'react'
import { changeGenotype, changePlant } from '#contracts/calls/plants.ts'
import type { Genotype, Plant, Sex } from '#contracts/plants.ts'
import { call } from '#web/lib/call.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input, Textarea } from '#web/ui/input.tsx'
import { BulkForm, DayField, SeedLotField, SexField } from './bulk-form.tsx'

export function PlantDialog({ plant, onOpenChange }: { plant: Plant; onOpenChange: (open: boolean) => void }) {
  const [days, setDays] = useState({ startedOn: plant.startedOn ?? '', cutOn: plant.cutOn ?? '', rootedOn: plant.rootedOn ?? '' })
  const [isMother, setMother] = useState(plant.isMother)
  const [notes, setNotes] = useState(plant.notes)
  const dayField = (key: keyof typeof days, label: string) => (
    <Field label={label}>
      <Input
        type="date"
        max={localDay()}
        value={days[key]}
        onChange={(event) => setDays({ ...days, [key]: event.target.value })}
        className="min-h-12"
      />
    </Field>
  )
  const changed = Object.fromEntries(
    Object.entries(days).flatMap(([key, day]) => (day === (plant[key as keyof typeof days] ?? '') ? [] : [[key, day || null]])),
  )
  return (
    <BulkForm
      title={`Edit ${plant.name}`}
      submit="Save"
      onOpenChange={onOpenChange}
      act={() =>
        call(changePlant, { params: { id: plant.id }, body: { ...changed, isMother, notes, version: plant.version } }).then(
          ({ name }) => `${name} saved`,
        )
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {plant.kind === 'seed' ? (
          dayField('startedOn', 'Started on')
        ) : (
          <>
            {dayField('cutOn', 'Cut on')}
            {dayField('rootedOn', 'Rooted on')}
          </>
        )}
      </div>
      <Checkbox checked={isMother} onChange={(event) => setMother(event.target.checked)}>
        It’s a mother: clones are cut from it
      </Checkbox>
      <Field label="Notes" optional>
        <Textarea rows={3} maxLength={5000} value={notes} onChange={(event) => setNotes(event.target.value)} />
      </Field>
    </BulkForm>
  )
}

type GenotypeDialogProps = { huntId: string; genotype: Genotype; onOpenChange: (open: boolean) => void }

export function GenotypeDialog({ huntId, genotype, onOpenChange }: GenotypeDialogProps) {
  const [label, setLabel] = useState(genotype.label)
  const [sex, setSex] = useState<Sex>(genotype.sex)
  const [sexedOn, setSexedOn] = useState(localDay())
  const [lotId, setLotId] = useState(genotype.seedLotId ?? '')
  const [notes, setNotes] = useState(genotype.notes)
  return (
    <BulkForm
      title={`Edit ${genotype.name}`}
      submit="Save"
      onOpenChange={onOpenChange}
      act={() =>
        call(changeGenotype, {
          params: { id: genotype.id },
          body: {
            label,
            notes,
            seedLotId: lotId || null,
            version: genotype.version,
            ...(sex === genotype.sex ? {} : { sex, sexedOn: sexedOn || localDay() }),
          },
        }).then(({ name }) => `${name} saved`)
      }
    >
      <Field label="Label" optional hint="Your own name for it, such as a smell or a look.">
        <Input value={label} maxLength={80} onChange={(event) => setLabel(event.target.value)} className="min-h-12" />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <SexField value={sex} onChange={setSex} />
        {sex !== genotype.sex && <DayField label="Seen on" value={sexedOn} onChange={setSexedOn} />}
      </div>
      <SeedLotField huntId={huntId} value={lotId} onChange={setLotId} />
      <Field label="Notes" optional>
        <Textarea rows={4} maxLength={5000} value={notes} onChange={(event) => setNotes(event.target.value)} />
      </Field>
    </BulkForm>
  )
}
