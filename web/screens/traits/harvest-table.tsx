import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { uuidv7 } from 'uuidv7'
import { deleteHarvest, recordHarvests, updateHarvest } from '#contracts/calls/traits.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { Harvest } from '#contracts/traits.ts'
import type { LogPlant } from '#web/entities/grow-logs/plant-names.ts'
import { shareText } from '#web/entities/growing-plots/plot-table.ts'
import { enqueue, toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { entryActions, typedNames } from '#web/entities/offline/use-outbox.ts'
import { LastCopyLock, lastCopiesAmong, lockError } from '#web/entities/plants/last-copy-lock.tsx'
import { refreshPlants } from '#web/entities/plants/plants.api.ts'
import { harvestsOptions, refreshHarvests } from '#web/entities/traits/traits.api.ts'
import { changedCells, readSheetDraft, saveSheetDraft, useSheetDay } from '#web/forms/form-draft.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { localDay } from '#web/lib/time-words.ts'
import { type Units, unitName, useUnits } from '#web/lib/units.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { DayInput } from '#web/ui/input.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Sheet, type SheetColumn, toastRowErrors, useSheetTexts } from '#web/ui/sheet/sheet.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { changedText, type HarvestFacts, type HarvestKey, harvestTexts, readHarvests, unusualShares } from './entry-rows.ts'
import { shownValues } from './observation-writes.ts'
import { withoutWritten } from './score-table.tsx'

/** Weights come first, because phones show about two columns, and weights are typed for each plant. */
const weightsFirst = (columns: ReturnType<typeof columnsIn>) => [
  ...columns.filter(({ key }) => key.endsWith('Grams')),
  ...columns.filter(({ key }) => !key.endsWith('Grams')),
]

const columnsIn = (mass: string): (SheetColumn & { key: HarvestKey })[] => [
  { key: 'harvestedOn', label: 'Cut on', kind: 'text', width: 124 },
  { key: 'flowerDays', label: 'Flower (days)', kind: 'decimal', width: 118 },
  { key: 'wetGrams', label: `Wet (${mass})`, kind: 'decimal', width: 104 },
  { key: 'dryGrams', label: `Dry (${mass})`, kind: 'decimal', width: 104 },
  { key: 'trimGrams', label: `Trim (${mass})`, kind: 'decimal', width: 104 },
  { key: 'washYieldPercent', label: 'Wash yield (%)', kind: 'decimal', width: 128 },
]

type HarvestTableProps = { huntId: string; plants: readonly LogPlant[]; genotypes: readonly Genotype[] }

export function HarvestTable({ huntId, plants, genotypes }: HarvestTableProps) {
  const harvests = useQuery(harvestsOptions(huntId))
  const units = useUnits()
  return (
    <Loaded
      query={harvests}
      loadingLabel="Loading the harvests..."
      skeleton={<Skeleton className="h-72 w-full" />}
      failure="The harvests couldn’t be loaded"
    >
      {(data) => <Weights key={units.mass} units={units} huntId={huntId} plants={plants} genotypes={genotypes} harvests={data} />}
    </Loaded>
  )
}

function Weights({ huntId, plants, genotypes, harvests, units }: HarvestTableProps & { harvests: readonly Harvest[]; units: Units }) {
  const [isPhone] = useState(() => window.matchMedia('(max-width: 40rem)').matches)
  const columns = isPhone ? weightsFirst(columnsIn(unitName('mass', units))) : columnsIn(unitName('mass', units))
  // Drafts store text as typed, so each unit has its own.
  const draft = `harvests-${huntId}-${units.mass}`
  // Initial values only, so refetches don't overwrite typed text.
  const [before, setBefore] = useState(() => harvestTexts(harvests, units))
  const [first] = useState(() =>
    readSheetDraft(
      draft,
      before,
      { day: localDay() },
      plants.map(({ id }) => id),
    ),
  )
  const [made, setMade] = useState<ReadonlyMap<string, string>>(new Map())
  const [isSaving, setSaving] = useState(false)
  const sheet = useSheetTexts(first.texts)
  const isUnchanged = Object.keys(changedCells(sheet.texts, before)).length === 0
  const { day, today, setDay, keep } = useSheetDay(first.about.day, isUnchanged)
  useEffect(() => saveSheetDraft(draft, sheet.texts, before, { day }), [draft, sheet.texts, before, day])
  const [errors, setErrors] = useState<Record<string, Record<string, string>>>({})
  const nameOf = (plantId: string) => plants.find(({ id }) => id === plantId)?.name ?? ''
  const { rows: changed, errors: unreadable } = readHarvests(sheet.texts, before, day, { harvests, units })
  const unusual = unusualShares(sheet.texts)
  const [endsPlants, setEndsPlants] = useState(true)
  const [typed, setTyped] = useState('')
  const [lockProblem, setLockProblem] = useState<string | null>(null)
  const client = useQueryClient()
  const isNew = (plantId: string) => !made.has(plantId) && harvests.every((harvest) => harvest.plantId !== plantId)
  const ending = new Set(
    changed.flatMap(({ plantId }) => (isNew(plantId) && plants.some(({ id, isAlive }) => id === plantId && isAlive) ? [plantId] : [])),
  )
  const lastCopies = endsPlants ? lastCopiesAmong(genotypes, ending, 'harvested') : []

  async function save() {
    const read = readHarvests(sheet.texts, before, day, { harvests, units })
    setErrors(read.errors)
    const confirmLastCopies = typedNames(typed, lastCopies)
    if (confirmLastCopies.length < lastCopies.length) return setLockProblem(lockError)
    const wrong = Object.keys(read.errors).length
    let undo: (() => Promise<void>) | null = null
    setSaving(true)
    try {
      const written = await writeHarvests(huntId, read.rows, harvests, made, nameOf, { endsPlants, confirmLastCopies })
      setMade(written.made)
      setBefore({ ...before, ...Object.fromEntries(read.rows.map(({ plantId }) => [plantId, sheet.texts[plantId] ?? {}])) })
      setTyped('')
      const { entryId, harvestIds } = written
      if (entryId) {
        undo = async () => {
          await undoHarvests(entryId, harvestIds)
          setMade(made)
          setBefore(before)
          await Promise.all([refreshHarvests(client), refreshPlants(client)])
        }
      }
    } catch (error) {
      return toastUnsaved('The harvests couldn’t be saved', error)
    } finally {
      setSaving(false)
    }
    const saved = read.rows.length === 1 ? 'Saved 1 harvest' : `Saved ${read.rows.length} harvests`
    if (wrong === 0) toast({ title: saved, ...(undo && { action: { label: 'Undo', onClick: () => void undoing(undo) } }) })
    else {
      toastRowErrors(wrong, read.rows.length === 0 ? 'Nothing was saved.' : `${saved}.`)
    }
  }

  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="max-w-text text-muted text-sm">
          One harvest per plant. Weigh wet today, then come back to add the dry weight. Wash yield: hash as % of fresh-frozen weight.
        </p>
        <Field label="Harvest day" className="w-44">
          <DayInput value={day} max={today} onDayChange={setDay} className="min-h-12" />
        </Field>
      </div>
      <Sheet
        label="Harvests"
        rowLabel="Plant"
        rows={plants.map(({ id, name }) => ({ id, name }))}
        columns={columns}
        texts={sheet.texts}
        errors={errors}
        onWrite={(writes) => {
          sheet.write(writes)
          keep()
          setErrors((all) => withoutWritten(all, writes))
        }}
        onUndo={sheet.undo}
        onRedo={sheet.redo}
      />
      {unusual.length > 0 && (
        <p className="text-sm">
          Dry weight is usually 21 to 32% of wet weight. Check these:{' '}
          {unusual
            .slice(0, 8)
            .map(({ plantId, share }) => `${nameOf(plantId)} ${shareText(share)}`)
            .join(', ')}
          {unusual.length > 8 ? ` and ${unusual.length - 8} more` : ''}.
        </p>
      )}
      {Object.keys(errors).length > 0 && (
        <ul className="list-disc pl-5 text-clay text-sm">
          {Object.entries(errors).flatMap(([plantId, cells]) =>
            Object.entries(cells).map(([key, message]) => (
              <li key={`${plantId} ${key}`}>
                {nameOf(plantId)}, {columns.find((column) => column.key === key)?.label}: {message}
              </li>
            )),
          )}
        </ul>
      )}
      {ending.size > 0 && (
        <Checkbox
          checked={endsPlants}
          hint="They’ll no longer count as living plants. Uncheck this for plants that you’ll regrow."
          onChange={(event) => setEndsPlants(event.target.checked)}
        >
          {ending.size === 1 ? 'End the plant' : `End the ${ending.size} plants`} on the day of harvest
        </Checkbox>
      )}
      <LastCopyLock
        genotypes={lastCopies}
        action="harvest"
        typed={typed}
        onTyped={(text) => {
          setTyped(text)
          setLockProblem(null)
        }}
        error={lockProblem}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted text-sm" role="status">
          {changedText(changed.length, Object.keys(unreadable).length, plants.length)}
        </p>
        <Button
          size="lg"
          disabled={changed.length === 0 && Object.keys(unreadable).length === 0}
          pending={isSaving}
          pendingText="Saving..."
          onClick={() => void save()}
        >
          {changed.length === 0 ? 'Save' : changed.length === 1 ? 'Save 1 harvest' : `Save ${changed.length} harvests`}
        </Button>
      </div>
    </div>
  )
}

async function undoing(undo: () => Promise<void>): Promise<void> {
  try {
    await undo()
    toast({ title: 'Harvests undone' })
  } catch (error) {
    toast({ title: 'The harvests couldn’t be undone', description: messageOf(error), variant: 'destructive' })
  }
}

/** Discards a pending entry, or deletes harvests that were sent. Either restores the plants. */
async function undoHarvests(entryId: string, harvestIds: readonly string[]): Promise<void> {
  if (await entryActions.discard(entryId)) return
  for (const id of harvestIds) await call(deleteHarvest, { params: { id } })
}

type Written = {
  made: Map<string, string>
  /** Set if an entry creates new harvests. */
  entryId: string | null
  harvestIds: string[]
}

/** @param made IDs of harvests created here, by plant, because the server's list may not include them yet */
async function writeHarvests(
  huntId: string,
  rows: readonly { plantId: string; facts: HarvestFacts }[],
  harvests: readonly Harvest[],
  made: ReadonlyMap<string, string>,
  nameOf: (plantId: string) => string,
  end: { endsPlants: boolean; confirmLastCopies: string[] },
): Promise<Written> {
  const next = new Map(made)
  let entryId: string | null = null
  const known = new Map(harvests.map((harvest) => [harvest.plantId, harvest]))
  const fresh = rows.filter(({ plantId }) => !known.has(plantId) && !made.has(plantId))
  if (fresh.length > 0) {
    const given = fresh.map(({ plantId, facts }) => ({ ...facts, plantId, id: uuidv7() }))
    for (const { plantId, id } of given) next.set(plantId, id)
    entryId = await enqueue(
      recordHarvests,
      { params: { id: huntId }, body: { harvests: given, ...end } },
      {
        lane: huntId,
        subjects: given.map(({ plantId }) => plantId),
        title: given.length === 1 ? `Harvest of ${nameOf(given[0]?.plantId ?? '')}` : `Harvests of ${given.length} plants`,
        refreshes: shownValues,
      },
    )
  }
  for (const { plantId, facts } of rows.filter((row) => !fresh.includes(row))) {
    const harvest = known.get(plantId)
    const id = harvest?.id ?? made.get(plantId)
    if (!id) continue
    await enqueue(
      updateHarvest,
      { params: { id }, body: { ...facts, version: harvest?.version ?? 1 } },
      {
        lane: huntId,
        subjects: [plantId],
        title: `Harvest of ${nameOf(plantId)}`,
        // Pending entries are shown in stored units.
        labels: Object.fromEntries(columnsIn('g').map(({ key, label }) => [key, label])),
        refreshes: shownValues,
      },
    )
  }
  return { made: next, entryId, harvestIds: fresh.flatMap(({ plantId }) => next.get(plantId) ?? []) }
}
