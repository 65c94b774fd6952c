import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeGenotype, type Genotype, type Sex } from '../../../contracts/plants.ts'
import { call } from '../../lib/call.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { localDay } from '../hunts/hunt-words.ts'
import { BulkForm } from './bulk-form.tsx'
import { crossWords } from './cross-words.ts'
import { sexWords } from './plant-words.ts'
import { seedLotsOptions } from './plants.api.ts'

type GenotypeDialogProps = { huntId: string; genotype: Genotype; onOpenChange: (open: boolean) => void }

/** What a genotype is called, its sex, where its seed came from, and notes. */
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
      <Field label="Label" optional hint="What you call it: a smell, a look.">
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
