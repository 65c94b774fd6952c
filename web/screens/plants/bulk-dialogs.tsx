import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addClones, addSeeds, setGenotypeSexes, updatePlants } from '#contracts/calls/plants.ts'
import { listPlacements, placePlants } from '#contracts/calls/runs.ts'
import { maxPlantsAtOnce } from '#contracts/limits.ts'
import type { Genotype, Sex } from '#contracts/plants.ts'
import { idsOf, livingPlantsOf, PlantChoice } from '#web/entities/plants/plant-choice.tsx'
import { roomWords, sexLabels } from '#web/entities/plants/plant-words.ts'
import { namesOf } from '#web/entities/plants/plant-writes.ts'
import { placementsOptions, runsOptions } from '#web/entities/plants/plants.api.ts'
import { call } from '#web/lib/call.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { randomKey } from '#web/lib/random-key.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { layOut, placeWords } from './bench-places.ts'
import { BulkForm, DayField, SeedLotField, SexField } from './bulk-form.tsx'

type BulkProps = {
  huntId: string
  genotypes: readonly Genotype[]
  onOpenChange: (open: boolean) => void
  onDone?: (() => void) | undefined
}

type CountFieldProps = { label: string; value: string; onChange: (text: string) => void; max: number; error: string | false }

const CountField = ({ label, value, onChange, max, error }: CountFieldProps) => (
  <Field label={label} error={value !== '' && readCount(value, max) === null ? `Enter a whole number from 1 to ${max}` : error}>
    <Input inputMode="numeric" value={value} onChange={(event) => onChange(event.target.value)} className="min-h-12 text-lg tabular-nums" />
  </Field>
)

const readCount = (text: string, max: number): number | null =>
  /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= max ? Number(text) : null

export function AddSeedsDialog({ huntId, ...dialog }: Omit<BulkProps, 'genotypes'>) {
  const [count, setCount] = useState('')
  const [lotId, setLotId] = useState('')
  const [startedOn, setStartedOn] = useState('')
  const [isCheck, setCheck] = useState(false)
  const [key] = useState(randomKey)
  const one = isCheck ? 'check clone' : 'seed'
  const wanted = readCount(count, maxPlantsAtOnce)
  return (
    <BulkForm
      {...dialog}
      title="Add seeds"
      description="Each one gets the next number and its own code."
      submit={wanted ? `Add ${counted(wanted, one)}` : `Add ${one}s`}
      act={() =>
        wanted === null
          ? null
          : call(
              addSeeds,
              {
                params: { id: huntId },
                body: { count: wanted, seedLotId: lotId || null, startedOn: startedOn || null, kind: isCheck ? 'check' : 'seed' },
              },
              { idempotencyKey: `${key} ${count} ${lotId} ${startedOn} ${isCheck}` },
            ).then(({ genotypes, room }) => ({
              title: genotypes.length === 1 ? `${genotypes[0]?.name} added` : `${genotypes[0]?.name} to ${genotypes.at(-1)?.name} added`,
              description: roomWords(room) ?? undefined,
            }))
      }
    >
      {(isAsked) => (
        <>
          <CountField
            label="How many"
            value={count}
            onChange={setCount}
            max={maxPlantsAtOnce}
            error={isAsked && wanted === null && 'Enter how many to add'}
          />
          <SeedLotField huntId={huntId} value={lotId} onChange={setLotId} />
          <Checkbox
            checked={isCheck}
            hint="A known cut, often from outside the hunt, that you grow in several runs to compare them. It’s never ranked."
            onChange={(event) => setCheck(event.target.checked)}
          >
            These are check clones
          </Checkbox>
          <DayField label="Germination date" value={startedOn} onChange={setStartedOn} hint="Leave empty until you germinate them." />
        </>
      )}
    </BulkForm>
  )
}

export function CutDialog({ huntId, genotypes, plantId, ...dialog }: BulkProps & { plantId?: string | undefined }) {
  const [count, setCount] = useState('1')
  const [cutOn, setCutOn] = useState(localDay())
  const [rootedOn, setRootedOn] = useState('')
  const [key] = useState(randomKey)
  const each = readCount(count, 100)
  const total = (each ?? 0) * genotypes.length
  return (
    <BulkForm
      {...dialog}
      title={genotypes.length === 1 ? `Cut clones of ${genotypes[0]?.name}` : `Cut clones of ${genotypes.length} phenos`}
      description={genotypes.length > 1 ? namesOf(genotypes) : undefined}
      submit={total > 0 ? `Cut ${total} ${total === 1 ? 'clone' : 'clones'}` : 'Cut clones'}
      act={() =>
        each === null || total > maxPlantsAtOnce
          ? null
          : call(
              addClones,
              {
                params: { id: huntId },
                body: {
                  cuts: genotypes.map(({ id }) => ({ genotypeId: id, count: each, fromPlantId: plantId ?? null })),
                  cutOn: cutOn || localDay(),
                  rootedOn: rootedOn || null,
                },
              },
              { idempotencyKey: `${key} ${count} ${cutOn} ${rootedOn}` },
            ).then(({ plants, room }) => ({
              title: `${plants.length} ${plants.length === 1 ? 'clone' : 'clones'} cut: ${namesOf(plants)}`,
              description: roomWords(room) ?? undefined,
            }))
      }
    >
      {(isAsked) => (
        <>
          <CountField
            label={genotypes.length > 1 ? 'Clones per pheno' : 'How many'}
            value={count}
            onChange={setCount}
            max={100}
            error={
              each === null
                ? isAsked && 'Enter how many clones to cut'
                : total > maxPlantsAtOnce && `At most ${formatNumber(maxPlantsAtOnce)} clones at once`
            }
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <DayField label="Cut on" value={cutOn} onChange={setCutOn} />
            <DayField label="Rooted on" value={rootedOn} onChange={setRootedOn} hint="Usually 7 to 14 days later." />
          </div>
        </>
      )}
    </BulkForm>
  )
}

export function SexDialog({ huntId, genotypes, ...dialog }: BulkProps) {
  const [sex, setSex] = useState<Sex>('female')
  const [sexedOn, setSexedOn] = useState(localDay())
  return (
    <BulkForm
      {...dialog}
      title={genotypes.length === 1 ? `Sex of ${genotypes[0]?.name}` : `Sex of ${genotypes.length} phenos`}
      description={genotypes.length > 1 ? namesOf(genotypes) : undefined}
      submit="Save"
      act={() =>
        call(setGenotypeSexes, {
          params: { id: huntId },
          body: { genotypeIds: genotypes.map(({ id }) => id), sex, sexedOn: sexedOn || localDay() },
        }).then((changed) => `${sexLabels[sex]}: ${namesOf(changed)}`)
      }
    >
      <SexField value={sex} onChange={setSex} />
      <DayField label="Seen on" value={sexedOn} onChange={setSexedOn} />
    </BulkForm>
  )
}

export function DatesDialog({ huntId, genotypes, ...dialog }: BulkProps) {
  const plants = livingPlantsOf(genotypes)
  const [chosen, setChosen] = useState(() => idsOf(plants))
  const [field, setField] = useState<'startedOn' | 'cutOn' | 'rootedOn'>('rootedOn')
  const [day, setDay] = useState(localDay())
  const [isMother, setMother] = useState(false)
  const fitting = field === 'startedOn' ? plants : plants.filter(({ kind }) => kind === 'clone')
  const plantIds = fitting.filter(({ id }) => chosen.has(id)).map(({ id }) => id)
  return (
    <BulkForm
      {...dialog}
      title="Plant dates"
      submit={plantIds.length > 0 ? `Set for ${counted(plantIds.length, 'plant')}` : 'Set'}
      problem={
        fitting.length === 0 ? 'Choose another date, or phenos with clones.' : plantIds.length === 0 ? 'Choose at least one plant.' : null
      }
      act={() =>
        plantIds.length === 0
          ? null
          : call(updatePlants, {
              params: { id: huntId },
              body: { plantIds, [field]: day || null, ...(isMother ? { isMother: true } : {}) },
            }).then((changed) => `Dates set: ${namesOf(changed)}`)
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Date">
          <Select value={field} onChange={(event) => setField(event.target.value as typeof field)} className="[&_select]:min-h-12">
            <option value="startedOn">Started on</option>
            <option value="cutOn">Cut on (clones)</option>
            <option value="rootedOn">Rooted on (clones)</option>
          </Select>
        </Field>
        <DayField label="Day" value={day} onChange={setDay} hint="Leave empty to clear the date." />
      </div>
      <Checkbox checked={isMother} onChange={(event) => setMother(event.target.checked)}>
        They’re mothers: clones are cut from them
      </Checkbox>
      {fitting.length > 0 ? (
        <PlantChoice legend="Plants" plants={fitting} chosen={chosen} onChoose={setChosen} />
      ) : (
        <p className="text-muted text-sm">None of these phenos has a living clone. Seed plants have only a start date.</p>
      )}
    </BulkForm>
  )
}

export function PlaceDialog({ huntId, genotypes, ...dialog }: BulkProps) {
  const { data: runs = [] } = useQuery(runsOptions(huntId))
  const open = runs.filter(({ endedOn }) => endedOn === null)
  const [runId, setRunId] = useState('')
  const run = open.find(({ id }) => id === runId) ?? open[0]
  const { data: there } = useQuery({ ...placementsOptions(run?.id ?? ''), enabled: run !== undefined })
  const plants = livingPlantsOf(genotypes)
  const [chosen, setChosen] = useState(() => idsOf(plants))
  const [isAnew, setAnew] = useState(false)
  const placing = plants.flatMap(({ id }) => (chosen.has(id) ? id : []))
  const layout = run && there && layOut(run, placing, there, isAnew)
  const count = layout?.moves.length ?? 0
  return (
    <BulkForm
      {...dialog}
      title="Place on a bench"
      submit={count > 0 ? `Place ${count}` : 'Place'}
      problem={
        !run
          ? 'Start a run first.'
          : placing.length === 0
            ? 'Choose at least one plant.'
            : layout && count === 0
              ? 'All of these plants have a spot. Choose others, or reassign all spots.'
              : null
      }
      act={() =>
        !run || placing.length === 0
          ? null
          : call(listPlacements, { params: { id: run.id } })
              .then((now) => {
                const { moves, free } = layOut(run, placing, now, isAnew)
                return call(placePlants, { params: { id: run.id }, body: { placements: moves } }).then(() => ({
                  placed: moves.length,
                  free,
                }))
              })
              .then(({ placed, free }) => ({
                title: `${counted(placed, 'plant')} placed in ${run.name}`,
                description:
                  free < placed
                    ? `The bench had only ${counted(free, 'free spot')}, so ${counted(placed - free, 'plant isn’t', 'plants aren’t')} on it.`
                    : undefined,
              }))
      }
    >
      {run ? (
        <>
          <Field label="Run">
            <Select value={run.id} onChange={(event) => setRunId(event.target.value)} className="[&_select]:min-h-12">
              {open.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <PlantChoice
            legend="Plants"
            hint="They’ll fill the free spots row by row. You can move them afterward."
            plants={plants}
            chosen={chosen}
            onChoose={setChosen}
          />
          {layout && (layout.kept > 0 || isAnew) && (
            <Checkbox
              checked={isAnew}
              hint="Plants that have a spot get a new one, too."
              onChange={(event) => setAnew(event.target.checked)}
            >
              Reassign all spots
            </Checkbox>
          )}
          {layout && placing.length > 0 && (
            <p role="status" className="text-sm">
              {placeWords(layout)}
            </p>
          )}
        </>
      ) : (
        <p className="text-muted">No runs are in progress. Start one under Runs and set its bench size.</p>
      )}
    </BulkForm>
  )
}
