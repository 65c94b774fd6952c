import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { uuidv7 } from 'uuidv7'
import { createSeedLot, updateSeedLot } from '#contracts/calls/seed-lots.ts'
import type { KeptPheno } from '#contracts/plants.endpoints.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { SeedLot } from '#contracts/seed-lots.endpoints.ts'
import { crossWords, elsewhereName, fullName, seedTypeWords } from '#web/entities/plants/plant-words.ts'
import { keptPhenosOptions } from '#web/entities/plants/plants.api.ts'
import { call } from '#web/lib/call.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { BulkForm } from './bulk-form.tsx'

type LotDialogProps = { huntId: string; lot: SeedLot | null; genotypes: readonly Genotype[]; onOpenChange: (open: boolean) => void }

export function LotDialog({ huntId, lot, genotypes, onOpenChange }: LotDialogProps) {
  const [id] = useState(uuidv7)
  const [cross, setCross] = useState({
    mother: lot?.mother ?? '',
    father: lot?.father ?? '',
    motherGenotypeId: lot?.motherGenotypeId ?? null,
    fatherGenotypeId: lot?.fatherGenotypeId ?? null,
    isSelfed: lot?.isSelfed ?? false,
    generation: lot?.generation ?? '',
    breeder: lot?.breeder ?? '',
    seedType: lot?.seedType ?? ('regular' as const),
    source: lot?.source ?? '',
  })
  const kept = useInfiniteQuery(keptPhenosOptions)
  const elsewhere = parentsElsewhere(
    lot,
    (kept.data?.pages.flatMap(({ items }) => items) ?? []).filter((pheno) => pheno.huntId !== huntId),
  )
  const [count, setCount] = useState(lot ? String(lot.seedCount) : '')
  const set = (change: Partial<typeof cross>) => setCross({ ...cross, ...change })
  const isCount = /^\d{0,5}$/.test(count.trim()) && Number(count) <= 10_000
  const parent = (side: 'mother' | 'father', label: string) => {
    const idKey = side === 'mother' ? ('motherGenotypeId' as const) : ('fatherGenotypeId' as const)
    const own = genotypes.find((genotype) => genotype.id === cross[idKey])
    const other = elsewhere.find(({ id }) => id === cross[idKey])
    const chosen = own ? fullName(own) : other?.name
    return (
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={label}>
          <Input
            value={chosen ?? cross[side]}
            readOnly={chosen !== undefined}
            maxLength={120}
            onChange={(event) => set({ [side]: event.target.value })}
            className="min-h-12"
          />
        </Field>
        {genotypes.length + elsewhere.length > 0 && (
          <Field label={`${label} from your hunts`} optional>
            <Select
              value={cross[idKey] ?? ''}
              onChange={(event) => {
                const id = event.target.value
                const genotype = genotypes.find((each) => each.id === id)
                const name = genotype ? fullName(genotype) : (elsewhere.find((each) => each.id === id)?.name ?? '')
                set({ [idKey]: id === '' ? null : id, [side]: name })
              }}
              className="[&_select]:min-h-12"
            >
              <option value="">Another strain</option>
              <optgroup label="This hunt">
                {genotypes.map((genotype) => (
                  <option key={genotype.id} value={genotype.id}>
                    {fullName(genotype)}
                  </option>
                ))}
              </optgroup>
              {[...Map.groupBy(elsewhere, ({ huntName }) => huntName)].map(([huntName, phenos]) => (
                <optgroup key={huntName} label={huntName}>
                  {phenos.map(({ id: phenoId, name }) => (
                    <option key={phenoId} value={phenoId}>
                      {name}
                    </option>
                  ))}
                </optgroup>
              ))}
            </Select>
          </Field>
        )}
      </div>
    )
  }
  return (
    <BulkForm
      title={lot ? `Edit ${crossWords(lot, genotypes)}` : 'New seed lot'}
      submit={lot ? 'Save' : 'Add seed lot'}
      onOpenChange={onOpenChange}
      act={() => {
        if (!isCount) return null
        const body = { ...cross, seedCount: Number(count) || 0 }
        return lot
          ? call(updateSeedLot, { params: { id: lot.id }, body: { ...body, version: lot.version } }).then(
              (saved) => `${crossWords(saved, genotypes)} saved`,
            )
          : call(createSeedLot, { params: { id: huntId }, body: { ...body, id } }).then((saved) => `${crossWords(saved, genotypes)} added`)
      }}
    >
      {parent('mother', 'Mother')}
      <Checkbox checked={cross.isSelfed} onChange={(event) => set({ isSelfed: event.target.checked })}>
        Selfed (the mother is also the father)
      </Checkbox>
      {!cross.isSelfed && parent('father', 'Father')}
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Generation" optional>
          <Input
            value={cross.generation}
            placeholder="F1, S1, BX1"
            maxLength={20}
            onChange={(event) => set({ generation: event.target.value })}
            className="min-h-12"
          />
        </Field>
        <Field label="Seed type">
          <Select
            value={cross.seedType}
            onChange={(event) => set({ seedType: event.target.value as SeedLot['seedType'] })}
            className="[&_select]:min-h-12"
          >
            {Object.entries(seedTypeWords).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Seeds" optional error={isCount ? undefined : 'Enter a whole number up to 10,000'}>
          <Input inputMode="numeric" value={count} onChange={(event) => setCount(event.target.value)} className="min-h-12" />
        </Field>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Breeder" optional>
          <Input value={cross.breeder} maxLength={80} onChange={(event) => set({ breeder: event.target.value })} className="min-h-12" />
        </Field>
        <Field label="Source" optional>
          <Input value={cross.source} maxLength={200} onChange={(event) => set({ source: event.target.value })} className="min-h-12" />
        </Field>
      </div>
    </BulkForm>
  )
}

type ParentChoice = { id: string; name: string; huntName: string }

/** Includes the lot's parents even if they aren't keepers or mothers anymore. */
function parentsElsewhere(lot: SeedLot | null, kept: readonly KeptPheno[]): ParentChoice[] {
  const choices = kept.map((pheno) => ({ id: pheno.genotypeId, name: elsewhereName(pheno), huntName: pheno.huntName }))
  for (const [id, parent] of [
    [lot?.motherGenotypeId, lot?.motherElsewhere],
    [lot?.fatherGenotypeId, lot?.fatherElsewhere],
  ] as const) {
    if (!id || !parent || choices.some((choice) => choice.id === id)) continue
    choices.push({ id, name: elsewhereName(parent), huntName: parent.huntName })
  }
  return choices
}
