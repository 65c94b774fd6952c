import { useState } from 'react'
import { changePlant, type Plant } from '#contracts/plants.ts'
import { localDay } from '#web/entities/hunts/hunt-words.ts'
import { call } from '#web/lib/call.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { BulkForm } from './bulk-form.tsx'

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
        It is a mother: clones are cut from it
      </Checkbox>
      <Field label="Notes" optional>
        <Textarea rows={3} maxLength={5000} value={notes} onChange={(event) => setNotes(event.target.value)} />
      </Field>
    </BulkForm>
  )
}
