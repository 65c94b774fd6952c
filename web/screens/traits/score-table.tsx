import { useEffect, useState } from 'react'
import type { Trait } from '#contracts/traits.ts'
import type { LogPlant } from '#web/entities/grow-logs/plant-names.ts'
import { toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { nameWithUnit } from '#web/entities/traits/trait-words.ts'
import { readSheetDraft, saveSheetDraft, useSheetDay } from '#web/forms/form-draft.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { DayInput } from '#web/ui/input.tsx'
import { Sheet, type SheetColumn, toastRowErrors, useSheetTexts } from '#web/ui/sheet/sheet.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { readScores, rowsWithText } from './entry-rows.ts'
import { writeValues } from './observation-writes.ts'

const columnOf = ({ id, name, unit, kind, options }: Trait): SheetColumn => ({
  key: id,
  label: nameWithUnit({ name, unit }),
  kind: kind === 'number' || kind === 'ordinal' ? 'decimal' : 'text',
  width: kind === 'checks' ? 200 : kind === 'number' || kind === 'ordinal' ? 118 : 140,
  ...(kind === 'category' || kind === 'checks' ? { choices: options.map(({ label }) => label) } : {}),
})

type ScoreTableProps = { huntId: string; traits: readonly Trait[]; plants: readonly LogPlant[] }

export function ScoreTable({ huntId, traits, plants }: ScoreTableProps) {
  const living = plants.filter(({ isAlive }) => isAlive)
  const draft = `scores-${huntId}`
  const [first] = useState(() =>
    readSheetDraft(
      draft,
      {},
      { day: localDay() },
      living.map(({ id }) => id),
    ),
  )
  const [errors, setErrors] = useState<Record<string, Record<string, string>>>({})
  const [isSaving, setSaving] = useState(false)
  const sheet = useSheetTexts(first.texts)
  const filled = rowsWithText(sheet.texts).length
  const { day, today, setDay, keep } = useSheetDay(first.about.day, filled === 0)
  useEffect(() => saveSheetDraft(draft, sheet.texts, {}, { day }), [draft, sheet.texts, day])
  const columns = traits.filter(({ kind }) => kind !== 'photo').map(columnOf)

  async function save() {
    const read = readScores(sheet.texts, traits, day)
    setErrors(read.errors)
    const wrong = Object.keys(read.errors).length
    setSaving(true)
    try {
      if (read.values.length > 0) {
        const count = read.savedRows.length
        const values = read.values.map((value) => ({ ...value, sameDay: 'correct' as const }))
        await writeValues(huntId, count === 1 ? `Scores for 1 plant, ${day}` : `Scores for ${count} plants, ${day}`, values)
        sheet.write(read.savedRows.flatMap((id) => Object.keys(sheet.texts[id] ?? {}).map((key) => ({ id, key, text: '' }))))
      }
    } catch (error) {
      return toastUnsaved('The scores couldn’t be saved', error)
    } finally {
      setSaving(false)
    }
    const saved = read.values.length === 1 ? 'Saved 1 value' : `Saved ${read.values.length} values`
    if (wrong === 0) toast({ title: saved })
    else {
      toastRowErrors(wrong, read.values.length === 0 ? 'Nothing was saved.' : `${saved} from the other rows.`)
    }
  }

  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="max-w-text text-muted text-sm">
          One day, all plants. Paste from a spreadsheet, or type and fill down with Ctrl+D. Each cell adds a new score or corrects yours
          from the same day. Scores from other days don’t change.
        </p>
        <Field label="Day" className="w-44">
          <DayInput value={day} max={today} onDayChange={setDay} className="min-h-12" />
        </Field>
      </div>
      <Sheet
        label={`Scores from ${day}`}
        rowLabel="Plant"
        rows={living.map(({ id, name }) => ({ id, name }))}
        columns={columns}
        texts={sheet.texts}
        errors={errors}
        onWrite={(writes) => {
          sheet.write(writes)
          keep()
          setErrors((before) => withoutWritten(before, writes))
        }}
        onUndo={sheet.undo}
        onRedo={sheet.redo}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted text-sm" role="status">
          {filled === 0
            ? 'Empty cells aren’t saved.'
            : `${filled} of ${living.length} plants filled in. Press Escape, then Tab to leave the table.`}
        </p>
        <Button size="lg" disabled={filled === 0} pending={isSaving} pendingText="Saving..." onClick={() => void save()}>
          {filled === 0 ? 'Save' : filled === 1 ? 'Save 1 plant' : `Save ${filled} plants`}
        </Button>
      </div>
      {Object.keys(errors).length > 0 && (
        <ul className="list-disc pl-5 text-clay text-sm">
          {Object.entries(errors).flatMap(([plantId, cells]) =>
            Object.entries(cells).map(([traitId, message]) => (
              <li key={`${plantId} ${traitId}`}>
                {living.find(({ id }) => id === plantId)?.name}, {traits.find(({ id }) => id === traitId)?.name}: {message}
              </li>
            )),
          )}
        </ul>
      )}
    </div>
  )
}

/** An edited cell doesn't show its error until it is validated again. */
export function withoutWritten(
  errors: Record<string, Record<string, string>>,
  writes: readonly { id: string; key: string }[],
): Record<string, Record<string, string>> {
  const next: Record<string, Record<string, string>> = {}
  for (const [id, cells] of Object.entries(errors)) {
    const left = Object.entries(cells).filter(([key]) => !writes.some((write) => write.id === id && write.key === key))
    if (left.length > 0) next[id] = Object.fromEntries(left)
  }
  return next
}
