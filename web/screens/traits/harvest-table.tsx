import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { uuidv7 } from 'uuidv7'
import { getHarvest, recordHarvests, updateHarvest } from '#contracts/calls/traits.ts'
import { maxHarvestsAtOnce } from '#contracts/limits.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { Harvest, HarvestChange } from '#contracts/traits.ts'
import type { LogPlant } from '#web/entities/grow-logs/plant-names.ts'
import { shareText } from '#web/entities/growing-plots/plot-table.ts'
import { enqueue, toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { titleOfItems } from '#web/entities/offline/outbox.ts'
import { PendingEntries } from '#web/entities/offline/pending-entry.tsx'
import { entryDiscarded, type PendingWrite, typedNames, useOutbox } from '#web/entities/offline/use-outbox.ts'
import { LastCopyLock, lastCopiesAmong, lockError } from '#web/entities/plants/last-copy-lock.tsx'
import { harvestsOptions, refreshHarvests } from '#web/entities/traits/traits.api.ts'
import { changedCells, readSheetDraft, saveSheetDraft, useSheetDay } from '#web/forms/form-draft.ts'
import { counted } from '#web/lib/format.ts'
import { localDay } from '#web/lib/time-words.ts'
import { type Units, unitName, useUnits } from '#web/lib/units.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { useRestoredFocus } from '#web/ui/focus.ts'
import { DayInput } from '#web/ui/input.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Sheet, type SheetColumn, type SheetTexts, toastRowErrors, useSheetTexts, written } from '#web/ui/sheet/sheet.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import {
  baseOfNone,
  changedText,
  type HarvestBase,
  type HarvestFacts,
  type HarvestKey,
  type HarvestRows,
  harvestTexts,
  readHarvests,
  unusualShares,
  withoutDeleted,
  withPendingHarvests,
} from './entry-rows.ts'
import { type AddedHarvests, harvestPaths, undoCorrection, undoHarvests } from './observation-writes.ts'
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

/** The sheet's texts as opened or last saved, and the harvests that its edits are based on. */
type Saved = { texts: SheetTexts; bases: ReadonlyMap<string, HarvestBase> }

function openSheet(draft: string, harvests: readonly Harvest[], writes: readonly PendingWrite[], rowIds: readonly string[], units: Units) {
  const shown = withPendingHarvests(harvests, writes)
  const before = harvestTexts(shown, units)
  const { texts, about } = readSheetDraft(draft, before, { day: localDay(), bases: {} as Record<string, HarvestBase> }, rowIds)
  const drafted = changedCells(texts, before)
  // Someone else may have changed a harvest since its cells were typed.
  const bases = shown.map((harvest): [string, HarvestBase] => [
    harvest.plantId,
    drafted[harvest.plantId] ? { ...(about.bases[harvest.plantId] ?? baseOfNone(harvest.id)), id: harvest.id } : harvest,
  ])
  return { texts, day: about.day, saved: { texts: before, bases: new Map(bases) } }
}

function Weights({
  huntId,
  plants,
  genotypes,
  harvests: listed,
  units,
}: HarvestTableProps & { harvests: readonly Harvest[]; units: Units }) {
  const [isPhone] = useState(() => window.matchMedia('(max-width: 40rem)').matches)
  const columns = isPhone ? weightsFirst(columnsIn(unitName('mass', units))) : columnsIn(unitName('mass', units))
  const writes = useOutbox({ subject: huntId }).filter(({ path }) => path === recordHarvests.path || path === updateHarvest.path)
  const harvests = withoutDeleted(listed, writes)
  // Drafts store text as typed, so each unit has its own.
  const draft = `harvests-${huntId}-${units.mass}`
  const rowIds = plants.map(({ id }) => id)
  // Initial values only, so refetches don't overwrite typed text.
  const [first] = useState(() => openSheet(draft, harvests, writes, rowIds, units))
  const [saved, setSaved] = useState<Saved>(first.saved)
  const [isSaving, setSaving] = useState(false)
  const sheet = useSheetTexts(first.texts)
  const isUnchanged = Object.keys(changedCells(sheet.texts, saved.texts)).length === 0
  const { day, today, setDay, keep } = useSheetDay(first.day, isUnchanged)
  useEffect(() => {
    const changes = changedCells(sheet.texts, saved.texts)
    const bases = Object.fromEntries([...saved.bases].filter(([plantId]) => changes[plantId]))
    saveSheetDraft(draft, sheet.texts, saved.texts, { day, bases })
  }, [draft, sheet.texts, saved, day])
  const [errors, setErrors] = useState<Record<string, Record<string, string>>>({})
  const nameOf = (plantId: string) => plants.find(({ id }) => id === plantId)?.name ?? ''
  const { added, corrected, errors: unreadable } = readHarvests(sheet.texts, saved.texts, day, { bases: saved.bases, harvests, units })
  const changed = added.length + corrected.length
  const unusual = unusualShares(sheet.texts)
  const [endsPlants, setEndsPlants] = useState(true)
  const [typed, setTyped] = useState('')
  const [lockProblem, setLockProblem] = useState<string | null>(null)
  const client = useQueryClient()
  const living = new Set(plants.flatMap(({ id, isAlive }) => (isAlive ? [id] : [])))
  const lastCopiesOf = (rows: readonly { plantId: string }[]) => {
    const ending = new Set(rows.flatMap(({ plantId }) => (living.has(plantId) ? [plantId] : [])))
    return { ending, lastCopies: endsPlants ? lastCopiesAmong(genotypes, ending, 'harvested') : [] }
  }
  const { ending, lastCopies } = lastCopiesOf(added)
  const held = writes.filter(({ hold }) => hold !== null)
  const part = useRestoredFocus<HTMLDivElement>(held.length > 0 ? 'held' : 'saved')

  /** @param rows saved rows, with their new values */
  function settle(rows: readonly SavedRow[]) {
    // A row that was saved with the table's day keeps it when the table's day changes.
    const days = rows.flatMap(({ plantId, harvestedOn: text }) => (text ? [{ id: plantId, key: 'harvestedOn', text }] : []))
    sheet.replace(days)
    setSaved(({ texts, bases }) => {
      const next = new Map(bases)
      for (const row of rows) next.set(row.plantId, { ...(bases.get(row.plantId) ?? baseOfNone(row.id)), ...row })
      return {
        texts: written({ ...texts, ...Object.fromEntries(rows.map(({ plantId }) => [plantId, sheet.texts[plantId] ?? {}])) }, days),
        bases: next,
      }
    })
  }

  /** The typed text stays in the sheet, and counts as unsaved again. */
  function forget(rows: readonly { plantId: string }[]) {
    const isLeft = (plantId: string) => rows.every((row) => row.plantId !== plantId)
    setSaved(({ texts, bases }) => ({
      texts: Object.fromEntries(Object.entries(texts).filter(([plantId]) => isLeft(plantId))),
      bases: new Map([...bases].filter(([plantId]) => isLeft(plantId))),
    }))
  }

  /** Replaces the values in `change` with the harvest's saved values. */
  function takeBack(change: object, harvest: HarvestBase & Pick<Harvest, 'plantId'>) {
    const { plantId } = harvest
    const texts = harvestTexts([harvest], units)[plantId]
    const cells = columns.flatMap(({ key }) => (key in change ? [{ id: plantId, key, text: texts?.[key] ?? '' }] : []))
    sheet.replace(cells)
    setSaved((all) => ({
      texts: written(all.texts, cells),
      bases: new Map(all.bases).set(plantId, {
        ...(all.bases.get(plantId) ?? harvest),
        ...Object.fromEntries(cells.map(({ key }) => [key, harvest[key]])),
      }),
    }))
  }

  useEffect(() =>
    entryDiscarded.subscribe((write) => {
      if (write.path === updateHarvest.path && write.method === updateHarvest.method) {
        const { params, body, hold } = write
        const harvest = harvests.find(({ id }) => id === params.id)
        if (harvest) takeBack(body, { ...harvest, ...(hold?.kind === 'conflict' ? hold.theirs : {}) })
        // The next correction needs the server's version.
        void refreshHarvests(client)
      }
      if (write.path === recordHarvests.path) forget(write.body.harvests as AddedHarvest[])
    }),
  )

  async function save() {
    const read = readHarvests(sheet.texts, saved.texts, day, { bases: saved.bases, harvests, units })
    setErrors(read.errors)
    if (typedNames(typed, lastCopies).length < lastCopies.length) return setLockProblem(lockError)
    const wrong = Object.keys(read.errors).length
    const entries: AddedHarvests[] = []
    const corrections: (Correction & { entryId: string; before: HarvestBase })[] = []
    setSaving(true)
    try {
      for (const batch of batchesOf(read.added)) {
        const earlier = entries.flatMap((entry) => entry.harvests)
        const confirmed = lastCopiesOf(earlier).lastCopies
        const confirmLastCopies = lastCopiesOf([...earlier, ...batch]).lastCopies.flatMap((genotype) =>
          confirmed.includes(genotype) ? [] : [genotype.name],
        )
        const entryId = await enqueueAdded(huntId, { harvests: batch, endsPlants, confirmLastCopies }, nameOf)
        entries.push({ entryId, harvests: batch })
        settle(batch.map((harvest) => ({ ...harvest, version: 1 })))
      }
      for (const correction of read.corrected) {
        const { id, plantId, change } = correction
        const before = [saved.bases.get(plantId), ...harvests].find((each) => each?.id === id)
        const entryId = await enqueueCorrected(huntId, correction, `Harvest of ${nameOf(plantId)}`)
        if (before) corrections.push({ ...correction, entryId, before })
        settle([{ ...change, plantId, id }])
      }
      setTyped('')
    } catch (error) {
      return toastUnsaved('The harvests couldn’t be saved', error)
    } finally {
      setSaving(false)
    }
    const undo = async () => {
      for (const entry of entries) await undoHarvests(huntId, entry, nameOf)
      forget(read.added)
      for (const correction of corrections) {
        const { id, plantId, change, before } = correction
        await undoCorrection(correction, (back) => {
          return enqueueCorrected(huntId, { id, plantId, change: back }, `Undo: Harvest of ${nameOf(plantId)}`)
        })
        takeBack(change, { ...before, plantId })
      }
    }
    const count = read.added.length + read.corrected.length
    const title = `Saved ${counted(count, 'harvest')}`
    if (wrong === 0) toast({ title, action: { label: 'Undo', onClick: () => void undoing(undo) } })
    else {
      toastRowErrors(wrong, count === 0 ? 'Nothing was saved.' : `${title}.`)
    }
  }

  return (
    <div {...part} className="grid gap-4">
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
      {held.length > 0 && (
        <section aria-labelledby="held-harvests" className="grid gap-3">
          <h3 id="held-harvests" className="text-lg">
            Not saved yet
          </h3>
          <PendingEntries writes={held} empty={null} />
        </section>
      )}
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
          {changedText(changed, Object.keys(unreadable).length, plants.length)}
        </p>
        <Button
          size="lg"
          disabled={changed === 0 && Object.keys(unreadable).length === 0}
          pending={isSaving}
          pendingText="Saving..."
          onClick={() => void save()}
        >
          {changed === 0 ? 'Save' : `Save ${counted(changed, 'harvest')}`}
        </Button>
      </div>
    </div>
  )
}

async function undoing(undo: () => Promise<void>): Promise<void> {
  try {
    await undo()
    toast({ title: 'Undone' })
  } catch (error) {
    toastUnsaved('The harvests couldn’t be undone', error)
  }
}

type SavedRow = Partial<HarvestBase> & Pick<Harvest, 'id' | 'plantId'>
type AddedHarvest = HarvestFacts & Pick<Harvest, 'id' | 'plantId'>

function batchesOf(added: HarvestRows['added']): AddedHarvest[][] {
  const harvests = added.map(({ plantId, facts }) => ({ ...facts, plantId, id: uuidv7() }))
  return Array.from({ length: Math.ceil(harvests.length / maxHarvestsAtOnce) }, (_, i) =>
    harvests.slice(i * maxHarvestsAtOnce, (i + 1) * maxHarvestsAtOnce),
  )
}

/** Pending entries are shown in stored units. */
const storedLabels = Object.fromEntries(columnsIn('g').map(({ key, label }) => [key, label]))

function enqueueAdded(
  huntId: string,
  body: { harvests: AddedHarvest[]; endsPlants: boolean; confirmLastCopies: string[] },
  nameOf: (plantId: string) => string,
): Promise<string> {
  const plantIds = body.harvests.map(({ plantId }) => plantId)
  const items = { field: 'harvests', names: plantIds.map(nameOf), noun: 'Harvest' }
  const options = { lane: huntId, subjects: plantIds, title: titleOfItems(items), labels: storedLabels, items, refreshes: harvestPaths }
  return enqueue(recordHarvests, { params: { id: huntId }, body }, options)
}

type Correction = Pick<Harvest, 'id' | 'plantId'> & { change: HarvestChange }

const enqueueCorrected = (huntId: string, { id, plantId, change }: Correction, title: string) =>
  enqueue(
    updateHarvest,
    { params: { id }, body: change },
    {
      lane: huntId,
      subjects: [plantId],
      title,
      labels: storedLabels,
      thing: { read: getHarvest, change: updateHarvest },
      refreshes: harvestPaths,
    },
  )
