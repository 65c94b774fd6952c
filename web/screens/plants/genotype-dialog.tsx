import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeGenotype, type Genotype, type Sex } from '#contracts/plants.ts'
import { localDay } from '#web/entities/hunts/hunt-words.ts'
import { sexWords } from '#web/entities/plants/plant-words.ts'
import { seedLotsOptions } from '#web/entities/plants/plants.api.ts'
import { call } from '#web/lib/call.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { BulkForm } from './bulk-form.tsx'
import { crossWords } from './cross-words.ts'

type GenotypeDialogProps = { huntId: string; genotype: Genotype; onOpenChange: (open: boolean) => void }

export function GenotypeDialog({ huntId, genotype, onOpenChange }: GenotypeDialogProps) {
  const { data: lots = [] } = useQuery(seedLotsOptions(huntId))
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
        <Field label="Sex">
          <Select value={sex} onChange={(event) => setSex(event.target.value as Sex)} className="[&_select]:min-h-12">
            {Object.entries(sexWords).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
        </Field>
        {sex !== genotype.sex && (
          <Field label="Seen on">
            <Input type="date" max={localDay()} value={sexedOn} onChange={(event) => setSexedOn(event.target.value)} className="min-h-12" />
          </Field>
        )}
      </div>
      {lots.length > 0 && (
        <Field label="Seed lot" optional>
          <Select value={lotId} onChange={(event) => setLotId(event.target.value)} className="[&_select]:min-h-12">
            <option value="">None</option>
            {lots.map((lot) => (
              <option key={lot.id} value={lot.id}>
                {crossWords(lot)}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label="Notes" optional>
        <Textarea rows={4} maxLength={5000} value={notes} onChange={(event) => setNotes(event.target.value)} />
      </Field>
    </BulkForm>
  )
}
