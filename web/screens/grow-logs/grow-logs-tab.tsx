import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Growth } from '#contracts/grow-logs.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { growthOptions, plantsOptions } from '#web/entities/grow-logs/grow-logs.api.ts'
import { type LogField, labelOf, logFields, stageNames } from '#web/entities/grow-logs/log-fields.ts'
import { bulkEntries } from '#web/entities/grow-logs/log-inputs.tsx'
import { writeLogs } from '#web/entities/grow-logs/log-writes.ts'
import { type LogPlant, plantName, plantsOf } from '#web/entities/grow-logs/plant-names.ts'
import { QuickLog } from '#web/entities/grow-logs/quick-log.tsx'
import { UnitsSwitch } from '#web/entities/grow-logs/units-switch.tsx'
import type { GrowthPlant, HeightLog } from '#web/entities/growing-plots/growth-rows.ts'
import { toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { usePlantsWithPendingEnds } from '#web/entities/plants/plant-writes.ts'
import { readSheetDraft, saveSheetDraft, useSheetDay } from '#web/forms/form-draft.ts'
import { counted } from '#web/lib/format.ts'
import { localDay } from '#web/lib/time-words.ts'
import { shown, type Units, unitName, useUnits } from '#web/lib/units.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { DayInput } from '#web/ui/input.tsx'
import { ListNote } from '#web/ui/paged-list.tsx'
import { Sheet, type SheetColumn, type SheetTexts, toastRowErrors, useSheetTexts } from '#web/ui/sheet/sheet.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { LogList } from './log-list.tsx'

type GrowLogsTabProps = {
  hunt: Pick<Hunt, 'id' | 'huntName' | 'germinationDate' | 'access'>
}

export function GrowLogsTab({ hunt }: GrowLogsTabProps) {
  const [isBulk, setBulk] = useState(false)
  const units = useUnits()
  const genotypes = useQuery(plantsOptions(hunt.id))
  const growth = useQuery(growthOptions(hunt.id))
  const mayWrite = hunt.access !== 'view'
  const plants = usePlantsWithPendingEnds(hunt.id, plantsOf(genotypes.data ?? [], hunt.germinationDate))
  if (genotypes.isPending) {
    return (
      <SkeletonGroup label="Loading the plants..." className="grid gap-5">
        <Skeleton className="h-[30rem] w-full" />
        <Skeleton className="h-32 w-full" />
      </SkeletonGroup>
    )
  }
  if (!genotypes.data) {
    return (
      <Card>
        <LoadError title="The plants couldn’t be loaded" query={genotypes} />
      </Card>
    )
  }
  const heights = new Map(
    growth.data?.plants.map(({ plant, points }) => [plant.id, points.findLast(({ heightCm }) => heightCm !== null)?.heightCm]),
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {mayWrite && isBulk && <BulkEntry key={`${units.length} ${units.temperature}`} hunt={hunt} plants={plants} units={units} />}
      {mayWrite && !isBulk && <QuickLog key={hunt.id} hunt={hunt} plants={plants} lastHeightOf={(id) => heights.get(id) ?? null} />}
      {/* Below the entry, so phones show the height field without scrolling. */}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <UnitsSwitch />
        {mayWrite && plants.length > 1 && (
          <Button variant="secondary" size="lg" onClick={() => setBulk(!isBulk)}>
            {isBulk ? 'Quick Log' : 'Bulk entry'}
          </Button>
        )}
      </div>
      {plants.length === 0 && (
        <ListNote title="No plants yet">Number the seeds in this hunt, and each plant’s logs will appear here.</ListNote>
      )}
      <GrowthSection hunt={hunt} />
      <LogList hunt={hunt} plants={plants} mayWrite={mayWrite} />
    </div>
  )
}

type BulkEntryProps = { hunt: Pick<Hunt, 'id'>; plants: readonly LogPlant[]; units: Units }

const widths: Partial<Record<LogField['key'], number>> = { notes: 240, feed: 180, pestControl: 180, training: 180, stage: 128 }

function columnsOf(units: Units, isShown: (field: LogField) => boolean): SheetColumn[] {
  return logFields.filter(isShown).map((field) => ({
    key: field.key,
    label: labelOf(field, units),
    kind: field.kind === 'text' || field.kind === 'stage' ? ('text' as const) : ('decimal' as const),
    width: widths[field.key] ?? 112,
    ...(field.kind === 'stage' ? { choices: Object.values(stageNames) } : {}),
  }))
}

/** Saving includes these columns, so they must be visible. */
const filledColumns = (texts: SheetTexts): ReadonlySet<string> =>
  new Set(Object.values(texts).flatMap((row) => Object.keys(row).filter((key) => row[key]?.trim())))

const isPlain = ({ group }: LogField): boolean => group === 'plain'

function BulkEntry({ hunt, plants, units }: BulkEntryProps) {
  const living = plants.filter(({ isAlive }) => isAlive)
  // Drafts store text as typed, so each set of units has its own.
  const draft = `logs-${hunt.id}-${units.length}-${units.temperature}`
  const [first] = useState(() =>
    readSheetDraft(
      draft,
      {},
      { day: localDay() },
      living.map(({ id }) => id),
    ),
  )
  const [isExpert, setExpert] = useState(() => {
    const filled = filledColumns(first.texts)
    return logFields.some((field) => !isPlain(field) && filled.has(field.key))
  })
  // Columns that were filled when the others were hidden. Emptying one doesn't remove it, because it may have focus.
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const [errors, setErrors] = useState<Record<string, Record<string, string>>>({})
  const [isSaving, setSaving] = useState(false)
  const sheet = useSheetTexts(first.texts)
  const filled = Object.values(sheet.texts).filter((row) => Object.values(row).some((text) => text.trim() !== '')).length
  const { day, today, setDay, keep } = useSheetDay(first.about.day, filled === 0)
  useEffect(() => saveSheetDraft(draft, sheet.texts, {}, { day }), [draft, sheet.texts, day])
  const filledKeys = filledColumns(sheet.texts)
  const columns = columnsOf(units, (field) => isExpert || isPlain(field) || kept.has(field.key) || filledKeys.has(field.key))

  async function save() {
    const read = bulkEntries(sheet.texts, day, units)
    if ('errors' in read) {
      setErrors(read.errors)
      const wrong = Object.keys(read.errors).length
      toastRowErrors(wrong, 'Nothing was saved.')
      return
    }
    setSaving(true)
    try {
      await writeLogs(hunt.id, read.entries)
      setErrors({})
      sheet.clear()
      toast({ title: `Saved ${counted(read.entries.length, 'log')}` })
    } catch (error) {
      toastUnsaved('The logs couldn’t be saved', error)
    } finally {
      setSaving(false)
    }
  }

  return (
    <Card asChild>
      <section aria-labelledby="bulk-entry">
        <CardBody className="grid gap-4">
          <div className="flex flex-wrap items-end justify-between gap-3">
            <div className="grid gap-1">
              <h2 id="bulk-entry" className="text-xl">
                Bulk entry
              </h2>
              <p className="text-muted text-sm">One day, all plants. Paste from a spreadsheet, or type and fill down with Ctrl+D.</p>
            </div>
            <div className="flex flex-wrap items-end gap-3">
              <Button
                variant="secondary"
                size="lg"
                onClick={() => {
                  setKept(filledKeys)
                  setExpert(!isExpert)
                }}
              >
                {isExpert ? 'Fewer columns' : 'All columns'}
              </Button>
              <Field label="Day" className="w-44">
                <DayInput value={day} max={today} onDayChange={setDay} className="min-h-12" />
              </Field>
            </div>
          </div>
          <Sheet
            label={`Logs for ${day}`}
            rowLabel="Plant"
            rows={living.map(({ id, name }) => ({ id, name }))}
            columns={columns}
            texts={sheet.texts}
            errors={errors}
            onWrite={(writes) => {
              sheet.write(writes)
              keep()
              setErrors({})
            }}
            onUndo={sheet.undo}
            onRedo={sheet.redo}
          />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-muted text-sm" role="status">
              {filled === 0
                ? 'Empty rows aren’t saved.'
                : `${filled} of ${living.length} plants filled in. Press Escape, then Tab to leave the table.`}
            </p>
            <Button size="lg" disabled={filled === 0} pending={isSaving} pendingText="Saving..." onClick={() => void save()}>
              {filled === 0 ? 'Save' : `Save ${counted(filled, 'log')}`}
            </Button>
          </div>
        </CardBody>
      </section>
    </Card>
  )
}

const GrowthCurves = lazy(() =>
  import('#web/entities/growing-plots/growth-curves.tsx').then((module) => ({ default: module.GrowthCurves })),
)

const maxCurves = 6

function GrowthSection({ hunt }: { hunt: Pick<Hunt, 'id' | 'huntName'> }) {
  const units = useUnits()
  const growth = useQuery(growthOptions(hunt.id))
  const [picked, setPicked] = useState<readonly string[] | null>(null)
  if (growth.isPending) {
    return (
      <SkeletonGroup label="Loading the growth curves...">
        <Skeleton className="h-96 w-full" />
      </SkeletonGroup>
    )
  }
  if (!growth.data) {
    return (
      <Card>
        <LoadError level={3} title="The growth curves couldn’t be loaded" query={growth} />
      </Card>
    )
  }
  const measured = growth.data.plants.filter(({ points }) => points.some(({ heightCm }) => heightCm !== null))
  if (measured.length === 0) return null
  const heights = heightsOf(measured, units)
  const names = new Map(measured.map(({ plant }) => [plant.id, plantName(plant)]))
  const chosen = (picked ?? tallest(measured))
    .filter((id) => names.has(id))
    .map((plantId): GrowthPlant => ({ plantId, name: names.get(plantId) ?? '' }))
  const toggle = (id: string) => {
    const now = chosen.map(({ plantId }) => plantId)
    setPicked(now.includes(id) ? now.filter((each) => each !== id) : [...now, id].slice(-maxCurves))
  }
  return (
    <section aria-label="Growth" className="grid gap-3">
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <GrowthCurves
          huntName={hunt.huntName}
          level={2}
          logs={heights}
          isUndated={heights.length === 0}
          chosen={chosen}
          by="week"
          unit={unitName('length', units)}
        />
      </Suspense>
      {measured.length > 1 && (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="mb-1.5 text-muted text-sm">Highlight up to {maxCurves}</legend>
          {measured.map(({ plant }) => (
            <Chip
              key={plant.id}
              pressed={chosen.some(({ plantId }) => plantId === plant.id)}
              onClick={() => toggle(plant.id)}
              className="min-h-12"
            >
              {plantName(plant)}
            </Chip>
          ))}
        </fieldset>
      )}
    </section>
  )
}

type Curve = Growth['plants'][number]

/** Omits logs without a week, which can't be plotted. */
const heightsOf = (curves: readonly Curve[], units: Units): HeightLog[] =>
  curves.flatMap(({ plant, points }) =>
    points.flatMap(({ week, heightCm }) =>
      week === null || heightCm === null ? [] : [{ plantId: plant.id, at: week, height: shown(heightCm, 'length', units) }],
    ),
  )

const lastHeight = ({ points }: Curve): number => points.findLast(({ heightCm }) => heightCm !== null)?.heightCm ?? 0

const tallest = (curves: readonly Curve[]): string[] =>
  [...curves]
    .sort((a, b) => lastHeight(b) - lastHeight(a))
    .slice(0, 3)
    .map(({ plant }) => plant.id)
